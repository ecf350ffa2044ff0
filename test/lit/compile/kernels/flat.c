// Parallel loops over a grid of one, two or three dimensions, x along the contiguous subscript.
// RUN: %warploom compile %s --no-shared -o %t.cu && FileCheck --input-file=%t.cu %s
// The size of blocks is a macro; kernels and launches name it. What is only read is const.
// CHECK: #ifndef WARPLOOM_BLOCK
// CHECK-NEXT: #define WARPLOOM_BLOCK {{[0-9]+}}
// CHECK-NEXT: #endif
// CHECK-NEXT: constexpr int BLOCK = WARPLOOM_BLOCK;
//
// CHECK: __global__ void __launch_bounds__(BLOCK) line_{{[0-9]+}}({{long|Index}} n, {{.*}}double a{{.*}}
// CHECK: for ({{long|Index}} i = blockIdx.x * Index(blockDim.x) + threadIdx.x; i < n; i += gridDim.x * Index(blockDim.x)) {
// CHECK: region.launch(warploom::line(0, n, BLOCK), line_
// Indices have 32 bits where no size, and no number of elements, needs more.
// CHECK: if (warploom::fitInt({n}, {x_size, y_size})) kernels(0);
// CHECK-NEXT: else kernels(0L);
//
// CHECK: __global__ void __launch_bounds__(BLOCK_X * BLOCK_Y) plane_
// CHECK-SAME: {{long|Index}} n, {{long|Index}} m
// CHECK: const double* __restrict__ b, double* __restrict__ a)
// CHECK-NEXT: for ({{long|Index}} i = 1 + blockIdx.y * {{long|Index}}(BLOCK_Y) + threadIdx.y; i < n - 1; i += gridDim.y * {{long|Index}}(BLOCK_Y)) {
// CHECK-NEXT: for ({{long|Index}} j = blockIdx.x * {{long|Index}}(BLOCK_X) + threadIdx.x; j < m; j += gridDim.x * {{long|Index}}(BLOCK_X)) {
// CHECK-NEXT: if (j >= 1) {
// CHECK-NEXT: a[i * m + j] = b[(i + 1) * m + (j - 1)]
// CHECK: region.launch({dim3(warploom::blocks(0, m, BLOCK_X), warploom::blocks(1, n - 1, BLOCK_Y)), dim3(BLOCK_X,
//
// CHECK: void __launch_bounds__(BLOCK_X * BLOCK_Y) space_
// CHECK: for ({{long|Index}} i = blockIdx.z; i < n; i += gridDim.z) {
// CHECK-NEXT: for ({{long|Index}} j = blockIdx.y * {{long|Index}}(BLOCK_Y) + threadIdx.y;
// CHECK-NEXT: for ({{long|Index}} k = blockIdx.x * {{long|Index}}(BLOCK_X) + threadIdx.x;
// CHECK-NEXT: a[(i * m + j) * 40 + k] = b[(k * n + i) * m + j]
//
// Any extent: one, fewer than a block, a block and some, far more along one side than a grid has blocks along y.
// RUN: %exits 0 %warploom verify %s --target cpu -o %t.prog --arg 1 --arg 1 | FileCheck --check-prefix=SAME %s
// RUN: %exits 0 %t.prog 31 1023 | FileCheck --check-prefix=SAME %s
// RUN: %exits 0 %t.prog 150 150 | FileCheck --check-prefix=SAME %s
// RUN: %exits 0 %t.prog 300 300 | FileCheck --check-prefix=SAME %s
// RUN: %exits 0 %t.prog 1 100000 | FileCheck --check-prefix=SAME %s
// RUN: %exits 0 %t.prog 100000 1 | FileCheck --check-prefix=SAME %s
// SAME-DAG: verify: region line:{{[0-9]+}} array y {{.*}} ok
// SAME-DAG: verify: region whole:{{[0-9]+}} array a max abs 0 max rel 0 ok
// SAME: , 0 mismatches
//
// Nothing to do: nothing is launched.
// RUN: env WARPLOOM_TIMING=1 %exits 0 %t.prog 0 0 2>&1 | FileCheck --check-prefix=NONE %s
// NONE-NOT: launches {{[1-9]}}
// NONE: region line:{{[0-9]+}} {{.*}} launches 0 path host:there is nothing to do
//
// SHOWS: RT-36 RT-37 RT-38 RT-39 RT-56 MF-42 MF-44 MF-49 MF-58 CR-03 CR-45
#include <stdio.h>
#include <stdlib.h>
void line(int n, double a, const double* restrict x, double* restrict y) {
  for (int i = 0; i < n; i++) y[i] = a * x[i] + y[i];
}
void plane(int n, int m, double a[restrict n][m], double b[restrict n][m]) {
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < m; j++) a[i][j] = b[i + 1][j - 1] + 1;
}
void space(int n, int m, double a[restrict n][m][40], double b[restrict 40][n][m]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      for (int k = 0; k < 40; k++) a[i][j][k] = b[k][i][j] * 2;
}
void whole(int n, int m, int a[restrict n][m]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) a[i][j] += i - j;
}
int main(int argc, char** argv) {
  int n = atoi(argv[argc - 2]), m = atoi(argv[argc - 1]);
  double *a = malloc(sizeof(double) * (40L * n * m + 40)), *b = malloc(sizeof(double) * (40L * n * m + 40));
  int* c = calloc((long)n * m + 1, sizeof(int));
  for (long i = 0; i < 40L * n * m + 40; i++) a[i] = i % 7 - printf(""), b[i] = i % 5;
  line(m, 3, b, a);
  plane(n, m, (void*)a, (void*)b);
  space(n, m, (void*)a, (void*)b);
  whole(n, m, (void*)c);
  printf("%g %d\n", a[0], c[0]);
  return 0;
}
