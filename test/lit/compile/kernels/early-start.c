// What neighbouring threads write begins where memory does: a loop whose first value is another begins earlier, and the
// threads of the values before it do nothing. Nothing is written outside the loops, at sizes for which there is nothing
// to do, one element, and ones that fill many tiles.
// RUN: %warploom compile %s -o %t.cu && FileCheck --input-file=%t.cu %s
// CHECK: // inner, line {{[0-9]+}}: loop i in tiles of STACK_Y over y, loop j in tiles of BLOCK_X over x.
// CHECK: for (Index j0 = blockIdx.x * Index(BLOCK_X); j0 < m - 1;
// CHECK: if (j0 >= 1 && {{.*}}BLOCK_X + j0{{.*}}STACK_Y{{.*}}) {
// CHECK: if (j >= 1 && m >= j + 2 && n >= i + 2) {
//
// Moved by one, the first value is as good as any: b[j - 1] begins at 0. What begins at 20 begins at 16 of doubles.
// CHECK: // back, line {{[0-9]+}}: loop i over y, loop j over x.
// CHECK: for (Index j = 1 + blockIdx.x * Index(BLOCK_X) + threadIdx.x; j < m;
// CHECK: // later, line {{[0-9]+}}: loop i over y, loop j over x.
// CHECK: for (Index j = 16 + blockIdx.x * Index(BLOCK_X) + threadIdx.x; j < m;
// CHECK-NEXT: if (j >= 20) {
// Before 0, for what is written after it.
// CHECK: // after, line {{[0-9]+}}: loop i over y, loop j over x.
// CHECK: for (Index j = blockIdx.x * Index(BLOCK_X) + threadIdx.x - 2; j < m - 2;
// CHECK: if (j >= 0) {
// Where it begins is not known, or the loop is short: no.
// CHECK: // somewhere, line
// CHECK: for (Index j = f + blockIdx.x *
// CHECK: // brief, line
// CHECK: for (Index j = 1 + {{.*}}blockIdx.x
//
// RUN: %exits 0 %warploom verify %s --target cpu --sanitize -o %t.prog --arg 70 --arg 133 | FileCheck --check-prefix=SAME %s
// RUN: %exits 0 %t.prog 64 32 | FileCheck --check-prefix=SAME %s
// RUN: %exits 0 %t.prog 3 1 | FileCheck --check-prefix=SAME %s
// RUN: %exits 0 %t.prog 1 2 | FileCheck --check-prefix=SAME %s
// RUN: %exits 0 %t.prog 5 3 | FileCheck --check-prefix=SAME %s
// RUN: %exits 0 %t.prog 9 21 | FileCheck --check-prefix=SAME %s
// SAME: , 0 mismatches
#include <stdio.h>
#include <stdlib.h>

void inner(int n, int m, const float a[restrict n][m], float b[restrict n][m]) {
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < m - 1; j++)
      b[i][j] = (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]) / 4;
}

void back(int n, int m, const double a[restrict n][m], double b[restrict n][m]) {
  for (int i = 0; i < n; i++)
    for (int j = 1; j < m; j++)
      b[i][j - 1] = 2 * a[i][j];
}

void later(int n, int m, const double a[restrict n][m], double b[restrict n][m]) {
  for (int i = 0; i < n; i++)
    for (int j = 20; j < m; j++)
      b[i][j] = 3 * a[i][j];
}

void after(int n, int m, const double a[restrict n][m], double b[restrict n][m]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m - 2; j++)
      b[i][j + 2] = 4 * a[i][j];
}

void somewhere(int n, int m, int f, const double a[restrict n][m], double b[restrict n][m]) {
  for (int i = 0; i < n; i++)
    for (int j = f; j < m; j++)
      b[i][j] = 5 * a[i][j];
}

void brief(int n, const double a[restrict n][99], double b[restrict n][99]) {
  for (int i = 0; i < n; i++)
    for (int j = 1; j < 99; j++)
      b[i][j] = 6 * a[i][j];
}

int main(int argc, char** argv) {
  int n = argc > 1 ? atoi(argv[1]) : 20, m = argc > 2 ? atoi(argv[2]) : 40;
  float(*a)[m] = malloc(sizeof(float[n][m])), (*b)[m] = malloc(sizeof(float[n][m]));
  double(*x)[m] = malloc(sizeof(double[n][m])), (*y)[m] = malloc(sizeof(double[n][m]));
  double(*u)[99] = malloc(sizeof(double[n][99])), (*v)[99] = malloc(sizeof(double[n][99]));
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < m; j++) {
      x[i][j] = a[i][j] = i * 3 % 7 + j;
      y[i][j] = b[i][j] = -1 - i;
    }
    for (int j = 0; j < 99; j++)
      u[i][j] = v[i][j] = i - j;
  }
  inner(n, m, a, b);
  back(n, m, x, y);
  later(n, m, x, y);
  after(n, m, x, y);
  somewhere(n, m, 1, x, y);
  brief(n, u, v);
  double sum = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      sum += (y[i][j] + b[i][j]) * (i + 2 * j + 1);
  printf("%.17g %g\n", sum, v[0][1]);
  return 0;
}
