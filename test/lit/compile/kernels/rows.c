// Sums: a warp per row where the row is contiguous, columns in slices, parts of a scalar; strictly in order when asked.
// RUN: %warploom compile %s -o %t.cu && FileCheck --input-file=%t.cu %s
// CHECK: // rows, line {{[0-9]+}}: loop i over warps, loop j by the lanes of a warp; y combined by +.
// CHECK: for ({{long|Index}} i = blockIdx.x * {{long|Index}}(ROWS) + threadIdx.y; i < n; i += gridDim.x * {{long|Index}}(ROWS)) {
// CHECK: double [[PART:[a-z_]+]] = warploom::Sum::identity<double>();
// CHECK-NEXT: for ({{long|Index}} j = threadIdx.x; j < m; j += LANES) {
// CHECK-NEXT: [[PART]] += A[i * m + j] * x[j];
// CHECK: warploom::warpReduceAll([[PART]], warploom::Sum())
// CHECK: if (threadIdx.x == 0 && m >= 1) y[i] = 
//
// CHECK: // columns, line {{[0-9]+}}: loop j over x, loop i in slices over y; y combined by +.
// CHECK: atomicAdd(&y[j], y_part);
//
// What is added to the sums afterwards does not keep them from it.
// CHECK: // more, line {{[0-9]+}}: loop j over x, loop i in slices over y; y combined by +.
//
// CHECK: // total, line {{[0-9]+}}: loop i over y, loop j over x; s combined by +.
// CHECK: s_part = warploom::blockReduce(s_part, warploom::Sum());
//
// RUN: %warploom compile %s -o %t.strict.cu --strict-fp --explain 2>&1 | FileCheck --check-prefix=STRICT %s
// STRICT: the region total:{{[0-9]+}} stays as it was: no loop of it can run in parallel
// RUN: not grep -E "warpReduce|blockReduce|atomicAdd" %t.strict.cu
//
// RUN: %exits 0 %warploom verify %s --sanitize -o %t.prog --arg 67 --arg 131 | FileCheck --check-prefix=SAME %s
// RUN: %exits 0 %t.prog 1 33 2>&1 | FileCheck --check-prefix=SAME %s
// RUN: %exits 0 %t.prog 40 1 2>&1 | FileCheck --check-prefix=SAME %s
// SAME-NOT: sanitize:
// SAME: 4 regions compared, 4 arrays, 0 mismatches
// SHOWS: CH-81 RT-26 RT-59
#include <stdio.h>
#include <stdlib.h>
void rows(int n, int m, double A[restrict n][m], double* restrict x, double* restrict y) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) y[i] += A[i][j] * x[j];
}
void columns(int n, int m, double A[restrict n][m], double* restrict x, double* restrict y) {
  for (int j = 0; j < m; j++)
    for (int i = 0; i < n; i++) y[j] += A[i][j] * x[i];
}
void more(int n, int m, double A[restrict n][m], double* restrict x, double* restrict y, double* restrict z) {
  for (int j = 0; j < m; j++)
    for (int i = 0; i < n; i++) y[j] += A[i][j] * x[i];
  for (int j = 0; j < m; j++) y[j] += z[j];
}
double total(int n, int m, double A[restrict n][m]) {
  double s = 1;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) s += A[i][j];
  return s;
}
int main(int argc, char** argv) {
  int n = atoi(argv[argc - 2]), m = atoi(argv[argc - 1]);
  double *a = malloc(sizeof(double) * n * m), x[200], y[200];
  for (int i = 0; i < n * m; i++) a[i] = i % 7 - printf("");
  for (int i = 0; i < 200; i++) x[i] = i % 3, y[i] = i % 5 - printf("");
  rows(n, m, (void*)a, x, y);
  columns(n, m, (void*)a, y, x);
  more(n, m, (void*)a, y, x, a);
  printf("%g %g\n", x[0], total(n, m, (void*)a));
  return 0;
}
