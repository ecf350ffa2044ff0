// Vectors that all threads of a block read pass through shared memory, tile by tile: a product of a matrix and a vector, and a step of Jacobi's method, whose
// sum begins with the element on the diagonal. Tiles are whole or cut off at any extent, and may arrive while the one before them is worked on.
// SHOWS: RT-49 RT-50
// RUN: rm -rf %t && split-file %s %t
// RUN: %warploom compile %t/vectors.c -o %t/vectors.cu --recipe %t/vectors.lua && FileCheck --input-file=%t/vectors.cu %s
//
// CHECK: double x_tile[2][16];
// CHECK: __launch_bounds__(64) product(
// CHECK: warploom::copyAsync(&x_tile[buffer ^ 1][t], &x[column], column < m);
// CHECK: sum[i] += A[i * m + k] * x_tile[buffer][k - 16 * kk];
// CHECK: warploom::waitForCopies();
// CHECK-NEXT: __syncthreads();
// CHECK: double x_tile[16];
// CHECK: __launch_bounds__(64) jacobi(
// CHECK: x_tile[t] = column < n ? x[column] : 0;
// CHECK: __syncthreads();
// CHECK: sum[i] += A[i * n + k] * x_tile[k - 16 * kk];
// CHECK: __syncthreads();
//
// RUN: %exits 0 %warploom verify %t/vectors.c --recipe %t/vectors.lua --sanitize -o %t/prog --arg 64 --arg 32 | FileCheck --check-prefix=SAME %s
// RUN: %exits 0 %t/prog 67 1 2>&1 | FileCheck --check-prefix=SAME %s
// RUN: %exits 0 %t/prog 1 61 2>&1 | FileCheck --check-prefix=SAME %s
// RUN: %exits 0 %t/prog 130 17 2>&1 | FileCheck --check-prefix=SAME %s
// SAME-NOT: sanitize:
// SAME-DAG: verify: region product:{{[0-9]+}} array y {{.*}} ok
// SAME-DAG: verify: region jacobi:{{[0-9]+}} array next {{.*}} ok
// SAME: , 0 mismatches

//--- vectors.lua
-- Sums have an element for each row, since all threads of a block come by a tile together.
region("product:4")
expand("sum", "i")
distribute("i")
map_to_grid({"i"})
map_to_grid({"i_3"})
tile_by_index({"i_2", "k"}, {64, 16}, {l1_control="rows", l2_control="kk"}, {"rows", "kk", "i_2", "k"})
cudaize("product", {}, {block={"rows"}, thread={"i_2"}})
copy_to_shared("tx", "x", 1)
pipeline("kk", 2)

region("jacobi:13")
expand("sum", "i")
distribute("i")
map_to_grid({"i"})
map_to_grid({"i_3"})
tile_by_index({"i_2", "k"}, {64, 16}, {l1_control="rows", l2_control="kk"}, {"rows", "kk", "i_2", "k"})
cudaize("jacobi", {}, {block={"rows"}, thread={"i_2"}})
copy_to_shared("tx", "x", 1)

//--- vectors.c
#include <stdio.h>
#include <stdlib.h>
void product(int n, int m, double A[restrict n][m], double* restrict x, double* restrict y) {
  for (int i = 0; i < n; i++) {
    double sum = 0;
    for (int k = 0; k < m; k++)
      sum += A[i][k] * x[k];
    y[i] = sum;
  }
}

void jacobi(int n, double A[restrict n][n], double* restrict x, double* restrict b, double* restrict next) {
  for (int i = 0; i < n; i++) {
    double sum = -A[i][i] * x[i];
    for (int k = 0; k < n; k++)
      sum += A[i][k] * x[k];
    next[i] = (b[i] - sum) / A[i][i];
  }
}

int main(int argc, char** argv) {
  int n = atoi(argv[argc - 2]), m = atoi(argv[argc - 1]), most = n > m ? n : m;
  double *A = malloc(sizeof(double) * most * most), *x = malloc(sizeof(double) * most), *y = malloc(sizeof(double) * most),
         *b = malloc(sizeof(double) * most);
  for (int i = 0; i < most * most; i++) A[i] = 1 + i % 7 - printf("");
  for (int i = 0; i < most; i++) x[i] = i % 5 - printf(""), b[i] = i % 3;
  product(n, m, (void*)A, x, y);
  jacobi(n, (void*)A, x, b, y);
  printf("%g\n", y[0]);
  return 0;
}
