// Loops whose iterations cannot be told apart beforehand are run by one thread each, as they stand.
// RUN: %warploom compile %s -o %t.cu 2> %t.err && FileCheck --input-file=%t.cu %s
//
// A search that ends early.
// CHECK: find_{{[0-9]+}}
// CHECK: for (Index i = blockIdx.x
// CHECK-NEXT: where[i] = -1;
// CHECK-NEXT: for (int j = 0; j < m; ++j) {
// CHECK-NEXT: if (A[i * m + j] == x) {
// CHECK-NEXT: where[i] = j;
// CHECK-NEXT: break;
//
// An index that is used after its loop, a variable that is declared far away.
// CHECK: zeros_{{[0-9]+}}
// CHECK: int j;
// CHECK: j = 0;
// CHECK: for (; j < m; ++j) {
// CHECK: count[i] = j;
//
// Bounds that depend on data: a sparse matrix times a vector. Nothing but a sum, which groups of threads share.
// CHECK: sparse_{{[0-9]+}}
// CHECK: for (long long k = (long long)row[i] + threadIdx.x; k < row[i + 1]; k += GROUP) {
// CHECK-NEXT: sum_part += value[k] * x[column[k]];
//
// `while` that counts, with a variable that is only used in it.
// CHECK: escape_{{[0-9]+}}
// CHECK: for (Index i = blockIdx.y
// CHECK-NEXT: for (Index j = blockIdx.x
// CHECK: double t2;
// CHECK-NEXT: for (; x * x + y * y <= 4 && count < 60; ++count) {
// CHECK-NEXT: t2 = x * x
// CHECK: steps[i * m + j] = count;
//
// A loop of the host that may end early has kernels inside.
// CHECK-NOT: settle_[[# @LINE + 63]]
// CHECK: settle_[[# @LINE + 63]]
// RUN: FileCheck --check-prefix=SAYS --input-file=%t.err %s
// SAYS: whole.c:[[# @LINE + 60]]:3: remark: the region settle:[[# @LINE + 60]] stays as it was: the value of `step` after its loop is not affine
// A value that one iteration hands to the next is not one's own.
// SAYS: remark: the region carried:{{[0-9]+}} stays as it was: no loop of it can run in parallel
//
// RUN: %exits 0 %warploom verify %s --target cpu -o %t.prog --arg 1 | FileCheck --check-prefix=SAME %s
// RUN: %exits 0 %t.prog 37 | FileCheck --check-prefix=SAME %s
// RUN: %exits 0 %warploom verify %s --sanitize --arg 40 | FileCheck --check-prefix=SAME %s
// SAME: verify: region find:{{[0-9]+}} array where max abs 0 max rel 0 ok
// SAME: verify: region zeros:{{[0-9]+}} array count max abs 0 max rel 0 ok
// SAME: verify: region sparse:{{[0-9]+}} array y max abs 0 max rel 0 ok
// SAME: verify: region escape:{{[0-9]+}} array steps max abs 0 max rel 0 ok
// With one element it has nothing to do.
// SAME: verify: region settle:{{[0-9]+}} {{array a|was not compared}}
// SAME: , 0 mismatches
#include <stdio.h>
#include <stdlib.h>
void find(int n, int m, int A[n][m], int* restrict where, int x) {
  for (int i = 0; i < n; i++) {
    where[i] = -1;
    for (int j = 0; j < m; j++)
      if (A[i][j] == x) {
        where[i] = j;
        break;
      }
  }
}
void zeros(int n, int m, int A[n][m], int* restrict count) {
  int i, j;
  for (i = 0; i < n; i++) {
    for (j = 0; j < m; j++)
      if (A[i][j]) break;
    count[i] = j;
  }
}
void sparse(int n, int entries, const int row[n + 1], const int column[entries], const double value[entries],
            const double x[n], double y[n]) {
  for (int i = 0; i < n; i++) {
    double sum = 0;
    for (int k = row[i]; k < row[i + 1]; k++) sum += value[k] * x[column[k]];
    y[i] = sum;
  }
}
void escape(int n, int m, int steps[n][m]) {
  int i, j, count;
  double x, y, t;
  for (i = 0; i < n; i++)
    for (j = 0; j < m; j++) {
      x = y = 0;
      count = 0;
      while (x * x + y * y <= 4 && count < 60) {
        t = x * x - y * y + 3.0 * i / n - 2;
        y = 2 * x * y + 2.0 * j / m - 1;
        x = t;
        count++;
      }
      steps[i][j] = count;
    }
}
int settle(int n, double* restrict a, double* restrict b) {
  int step;
  for (step = 0; step < 50; step++) {
    for (int i = 1; i < n - 1; i++) b[i] = (a[i - 1] + a[i + 1]) / 2;
    double change = 0;
    for (int i = 1; i < n - 1; i++) change += (a[i] - b[i]) * (a[i] - b[i]);
    for (int i = 1; i < n - 1; i++) a[i] = b[i];
    if (change < 0.01) break;
  }
  return step;
}
void carried(int n, int m, int* restrict a) {
  int k = 0;
  for (int i = 0; i < n; i++) {
    while (k < m && a[k] > i) k++;
    a[i] = k;
  }
}
int main(int argc, char** argv) {
  int n = argc > 1 ? atoi(argv[1]) : 20, m = 17;
  int(*A)[m] = calloc(n, sizeof *A), *where = calloc(n, sizeof(int)), *count = calloc(n, sizeof(int));
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) A[i][j] = i * j % 11;
  find(n, m, A, where, 6);
  zeros(n, m, A, count);
  int *row = calloc(n + 1, sizeof(int)), *column = calloc(3 * n, sizeof(int)), entries = 0;
  double *value = calloc(3 * n, sizeof(double)), *x = calloc(n, sizeof(double)), *y = calloc(n, sizeof(double));
  for (int i = 0; i < n; i++) {
    x[i] = i;
    row[i] = entries;
    for (int k = 0; k < i % 4; k++) column[entries] = (5 * i + k) % n, value[entries++] = k + 1;
  }
  row[n] = entries;
  sparse(n, entries, row, column, value, x, y);
  escape(n, m, A);
  int steps = settle(n, x, y);
  carried(n, n, where);
  printf("%d %d %g %d %d\n", where[n / 2], count[n / 2], y[n / 2], A[n / 2][m / 2], steps);
  return 0;
}
