// Nests whose fastest loop is short: their loops are counted together along x, so that no lane of a warp is idle.
// RUN: %warploom compile %s -o %t.cu && FileCheck --input-file=%t.cu %s
// CHECK: points, line {{[0-9]+}}: loop i, loop c together over x.
// CHECK: for (Index number = blockIdx.x * Index(blockDim.x) + threadIdx.x; number < n * 3; number +=
// CHECK: const Index i = number / 3;
// CHECK-NEXT: const Index c = number % 3;
// CHECK-NEXT: p[i * 3 + c] += dt * v[i * 3 + c];
// CHECK: region.launch(warploom::line(0, n * 3, BLOCK), points_
// The indices hold the product of all.
// CHECK: if (warploom::fitInt({n}, {v_size, p_size, n * 3})) kernels(0);
//
// Any depth, steps and directions.
// CHECK: cube, line {{[0-9]+}}: loop i, loop j, loop k together over x.
// CHECK: const Index i = 1 + 3 * (number / ((m - 3) * 4));
// CHECK-NEXT: const Index j = 2 + number / 4 % (m - 3);
// CHECK-NEXT: const Index k = -3 + number % 4;
// Where one is as long as another says, they are not.
// CHECK: triangle, line {{[0-9]+}}: loop i over z, loop j over y, loop k over x.
//
// One row, one column, prime numbers, and nothing at all.
// RUN: %exits 0 %warploom verify %s --sanitize -o %t.prog -- -std=gnu11 | FileCheck --check-prefix=SAME %s
// RUN: env WARPLOOM_DEVICE=gpu %exits 0 %t.prog 1 101 | FileCheck --check-prefix=LITTLE %s
// RUN: env WARPLOOM_DEVICE=gpu %exits 0 %t.prog 101 4 | FileCheck --check-prefix=SAME %s
// RUN: env WARPLOOM_DEVICE=gpu %exits 0 %t.prog 2 101 | FileCheck --check-prefix=SAME %s
// RUN: env WARPLOOM_DEVICE=gpu %exits 0 %t.prog 0 0 | FileCheck --check-prefix=LITTLE %s
// SAME: verify: region points:{{[0-9]+}} array p max abs 0 max rel 0 ok
// SAME: verify: region cube:{{[0-9]+}} array a max abs 0 max rel 0 ok
// SAME: verify: region triangle:{{[0-9]+}} array a max abs 0 max rel 0 ok
// LITTLE: , 0 mismatches
// SHOWS: RT-34 RT-35 CR-04
#include <stdio.h>
#include <stdlib.h>
void points(int n, double p[restrict n][3], const double v[restrict n][3], double dt) {
  for (int i = 0; i < n; i++)
    for (int c = 0; c < 3; c++) p[i][c] += dt * v[i][c];
}
void cube(int n, int m, float a[restrict n][m][4]) {
  for (int i = 1; i < n; i += 3)
    for (int j = 2; j < m - 1; j++)
      for (int k = 3; k >= 0; k--) a[i][j][k] = a[i][j][k] * 2 + k;
}
void triangle(int n, double a[restrict n][n][8]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++)
      for (int k = 0; k < 8; k++) a[i][j][k] = i + j * k;
}
int main(int argc, char** argv) {
  int n = argc > 1 ? atoi(argv[1]) : 37, m = argc > 2 ? atoi(argv[2]) : 11;
  double *p = malloc(n * n * 64 + 64), *v = malloc(n * 24 + 24);
  float* a = malloc(n * m * 16 + 16);
  for (int i = 0; i < n * 3; i++) p[i] = i + printf(""), v[i] = i % 7;
  for (int i = 0; i < n * m * 4; i++) a[i] = i % 11;
  points(n, (void*)p, (void*)v, 0.5);
  cube(n, m, (void*)a);
  triangle(n, (void*)p);
  printf("%g %g\n", p[4], a[5]);
  return 0;
}
