// SHOWS: CH-86 CH-88 RT-60
// Products of doubles run on tensor cores: the terms of a sum are added in another order, each product and sum as exact as others.
// RUN: %warploom compile %s -o %t.cu --emit-recipe %t.lua && FileCheck --input-file=%t.cu %s && FileCheck --check-prefix=STEPS --input-file=%t.lua %s
// RUN: %warploom compile %s -o %t.again.cu --recipe %t.lua && diff %t.cu %t.again.cu
// RUN: %warploom compile %s -o %t.strict.cu --strict-fp && FileCheck --check-prefix=STRICT --input-file=%t.strict.cu %s
// STEPS: map_to_tensor("k")
// STRICT-NOT: warploom::multiply
//
// A block has tiles in shared memory, of these its warps have parts, and a thread of a warp has some sums of its part.
// CHECK: static constexpr int SUMS_X = TENSOR_X / WARPS_X / 4;
// CHECK-NEXT: static constexpr int SUMS_Y = TENSOR_Y / WARPS_Y / 8;
// CHECK: double A_tile[2][Tiles::TENSOR_Y][warploom::oddMultiple(Tiles::TENSOR_K, 4)];
// CHECK: __launch_bounds__(LANES * Tiles::WARPS_X * Tiles::WARPS_Y
// CHECK: double s_own[Tiles::SUMS_Y][Tiles::SUMS_X] = {};
// CHECK: const Index i = i0 + warploom::tensorRow<Tiles::SUMS_Y>(ry);
// CHECK: const Index j = j0 + warploom::tensorColumn<Tiles::SUMS_X>(rx);
// CHECK: warploom::multiply<Tiles::TENSOR_K>(s_own,
// CHECK-NEXT: [&](Index i, Index k) { return A_tile[buffer][i - i0][k - k0]; },
// CHECK-NEXT: [&](Index k, Index j) { return B_tile[buffer][k - k0][j - j0]; }, i0, j0, k0);
// CHECK: [&](Index k, Index j) { return B_tile[buffer][k - k0][j - j0]; }, i0, j0, k0,
// CHECK-NEXT: warploom::smaller(Tiles::TENSOR_K + k0, p));
// Factors that are the same everywhere go with the rows; what is subtracted is the negative product.
// CHECK: [&](Index i, Index k) { return -({{.*}}alpha * A_tile
// A triangle has the same terms at all its points; points beside it are computed, too, and nobody hears of them.
// CHECK: // triangle, line
// CHECK: warploom::multiply
// Here not every sum has all terms, and here some sums have none: these are no products of tiles.
// CHECK: // lower, line
// CHECK-NOT: warploom::multiply
// CHECK: // some, line
// CHECK-NOT: warploom::multiply
// A sum may have several products for each term of its loop.
// CHECK: // both, line
// CHECK: [&](Index i, Index k) { return A_tile{{.*}}[buffer][i - i0][k - k0]; },
// CHECK-NEXT: [&](Index k, Index j) { return B_tile{{.*}}[buffer][j - j0][k - k0]; }, i0, j0, k0);
// CHECK: [&](Index i, Index k) { return -B_tile{{.*}}[buffer][i - i0][k - k0]; },
// CHECK-NEXT: [&](Index k, Index j) { return A_tile{{.*}}[buffer][j - j0][k - k0]; }, i0, j0, k0);
// Sums in an array that has a copy for each row stay in registers, and go to the copy.
// CHECK: // inPlace, line
// CHECK: warploom::multiply<Tiles::TENSOR_K>(row_own,
// CHECK-NOT: const Index r = 0
// CHECK: row[(r * n + i) * p + j] = row_own[ry][rx];
//
// RUN: %exits 0 %warploom verify %s --sanitize -o %t.prog --arg 67 --arg 65 --arg 70 | FileCheck --check-prefix=SAME %s
// RUN: %exits 0 %t.prog 130 131 17 2>&1 | FileCheck --check-prefix=SAME %s
// RUN: %exits 0 %t.prog 2 1 1 2>&1 | FileCheck --check-prefix=SAME %s
// SAME-NOT: sanitize:
// SAME: 0 mismatches
//
// On the device these are instructions of tensor cores, and of nothing else where they are not wanted.
// RUN: %if cuda %{ %nvcc -ptx -arch=sm_80 -std=c++17 -I %source/runtime %t.cu -o %t.ptx && grep -q "mma.sync.aligned.m8n8k4.row.col.f64" %t.ptx %}
// RUN: %if cuda %{ %nvcc -ptx -arch=sm_80 -std=c++17 -I %source/runtime %t.strict.cu -o %t.strict.ptx && not grep "mma.sync" %t.strict.ptx %}
//
#include <stdio.h>
#include <stdlib.h>
void product(int n, int m, int p, double A[restrict n][p], double B[restrict p][m], double C[restrict n][m]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      double s = 0;
      for (int k = 0; k < p; k++) s += A[i][k] * B[k][j];
      C[i][j] = s;
    }
}
void turned(int n, int m, int p, double alpha, double A[restrict p][n], double B[restrict m][p], double C[restrict n][m]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      for (int k = 0; k < p; k++) C[i][j] -= alpha * A[k][i] * B[j][k];
}
void triangle(int n, int p, double A[restrict n][p], double C[restrict n][n]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++)
      for (int k = 0; k < p; k++) C[i][j] += A[i][k] * A[j][k];
}
void lower(int n, double A[restrict n][n], double B[restrict n][n], double C[restrict n][n]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k <= i; k++) C[i][j] += A[i][k] * B[k][j];
}
void some(int n, double A[restrict n][n], double B[restrict n][n], double C[restrict n][n]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      C[i][j] *= 2;
      if (j <= i)
        for (int k = 0; k < n; k++) C[i][j] += A[i][k] * B[k][j];
    }
}
void both(int n, int p, double A[restrict n][p], double B[restrict n][p], double C[restrict n][n]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < p; k++) C[i][j] += A[i][k] * B[j][k] - B[i][k] * A[j][k];
}
void inPlace(int q, int n, int p, double A[restrict q][n][p], double T[restrict p][p], double row[restrict p]) {
  for (int r = 0; r < q; r++)
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < p; j++) {
        row[j] = 0;
        for (int k = 0; k < p; k++) row[j] += A[r][i][k] * T[k][j];
      }
      for (int j = 0; j < p; j++) A[r][i][j] = row[j];
    }
}
int main(int argc, char** argv) {
  int n = atoi(argv[argc - 3]), m = atoi(argv[argc - 2]), p = atoi(argv[argc - 1]);
  double *a = malloc(sizeof(double) * 200 * 200), *b = malloc(sizeof(double) * 200 * 200), *c = malloc(sizeof(double) * 200 * 200);
  for (int i = 0; i < 200 * 200; i++) a[i] = i % 7 - 0.3 - printf(""), b[i] = i % 5 - 1.7, c[i] = i % 3;
  product(n, m, p, (void*)a, (void*)b, (void*)c);
  turned(n, m, p, 0.7, (void*)a, (void*)b, (void*)c);
  triangle(n, p, (void*)a, (void*)c);
  lower(n, (void*)a, (void*)b, (void*)c);
  some(n, (void*)a, (void*)b, (void*)c);
  both(n, p, (void*)a, (void*)b, (void*)c);
  double row[200];
  inPlace(2, n, p, (void*)a, (void*)b, row);
  printf("%g %g %g\n", c[0], a[0], row[0]);
  return 0;
}
