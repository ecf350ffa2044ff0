// What moves between host and device: values from before the region that it needs, and what it writes; nothing else.
// RUN: %warploom compile %s -o %t.cu --explain 2>&1 | FileCheck --check-prefix=SAID %s
// RUN: FileCheck --input-file=%t.cu %s
// SAID: transfers.c:[[#]]: `c` is not copied to the device: all of it is written before it is read
//
// All of c is written, the rest is only read.
// CHECK-LABEL: extern "C" int warploom_transfers_product_
// CHECK: region.worthwhile(instances, launches, {{[{][{]}}c, 0, double(c_size * sizeof(double))}, {a, double(a_size * sizeof(double)), 0}, {b, double(b_size * sizeof(double)), 0}
// CHECK-NOT: region.copyIn(c_device
// CHECK: region.copyIn(a_device, a);
// CHECK-NEXT: region.copyIn(b_device, b);
// CHECK-NOT: region.copyOut({{[ab]}},
// CHECK: region.copyOut(c, c_device);
// CHECK-NEXT: return
//
// One half is read, the other written.
// CHECK-LABEL: extern "C" int warploom_transfers_halves_
// CHECK: region.copyIn(x_device, x, n * sizeof(double));
// CHECK: region.copyOut(x + n, x_device + n, (x_size - n) * sizeof(double));
//
// Rows of a larger array.
// CHECK-LABEL: extern "C" int warploom_transfers_rows_
// CHECK: const long grid_size = n * 100;
// CHECK-NOT: region.copyIn
// CHECK: region.copyOut(grid, grid_device);
//
// Every second element: what lies between must be there when it comes back.
// CHECK-LABEL: extern "C" int warploom_transfers_even_
// CHECK: region.copyIn(x_device, x);
// CHECK: region.copyOut(x, x_device);
//
// Written only sometimes: it may be shorter.
// CHECK-LABEL: extern "C" int warploom_transfers_sometimes_
// CHECK: region.copyInKept(y_device, y);
// CHECK: region.copyOutChanged(y, y_device);
//
// The last row of a part of a matrix ends before its columns do. Two parts that lie side by side share no element, but each
// lies in the other's gaps.
// CHECK-LABEL: extern "C" int warploom_transfers_columns_
// CHECK: const long a_size = (n - 1) * width + m;
// CHECK: if (warploom::overlap(a, a_size * sizeof(double), b, b_size * sizeof(double))) return region.stayOnHost("a and b overlap");
//
// The value of one scalar comes, that of the other does not.
// CHECK-LABEL: extern "C" int warploom_transfers_scalars_
// CHECK-NOT: region.copyIn(last_device
// CHECK: region.copyIn(sum_device, sum);
// CHECK: region.copyOut(sum, sum_device);
// CHECK: region.copyOut(last, last_device);
//
// RUN: %exits 0 %warploom verify %s --sanitize | FileCheck --check-prefix=SAME %s
// SAME-DAG: verify: region product:{{[0-9]+}} array c max abs 0 max rel 0 ok
// SAME-DAG: verify: region halves:{{[0-9]+}} array x max abs 0 max rel 0 ok
// SAME-DAG: verify: region rows:{{[0-9]+}} array grid max abs 0 max rel 0 ok
// SAME-DAG: verify: region even:{{[0-9]+}} array x max abs 0 max rel 0 ok
// SAME-DAG: verify: region sometimes:{{[0-9]+}} array y max abs 0 max rel 0 ok
// SAME-DAG: verify: region columns:{{[0-9]+}} array a max abs 0 max rel 0 ok
// SAME-DAG: verify: region scalars:{{[0-9]+}} array last max abs 0 max rel 0 ok
// SAME: , 0 mismatches
//
// Parts side by side are left to the host; apart from each other they go to the device. Nothing is written, or read, beyond the
// last element.
// RUN: %warploom build %s -o %t.prog --target cpu && env WARPLOOM_TIMING=1 %t.prog 2>&1 | FileCheck --check-prefix=PATHS %s
// PATHS-DAG: right
// PATHS-DAG: region columns:{{[0-9]+}} {{.*}} path gpu
// PATHS-DAG: region columns:{{[0-9]+}} {{.*}} path host:a and b overlap
// SHOWS: MF-48 RT-67 CR-50
#include <stdio.h>
#include <stdlib.h>
double grid[100][100];
void product(int n, double c[restrict n][n], const double a[restrict n][n], const double b[restrict n][n]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      c[i][j] = 0;
      for (int k = 0; k < n; k++) c[i][j] += a[i][k] * b[k][j];
    }
}
void halves(int n, double* restrict x) {
  for (int i = 0; i < n; i++) x[i + n] = 2 * x[i];
}
void rows(int n) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < 100; j++) grid[i][j] = i + j;
}
void even(int n, double* restrict x) {
  for (int i = 0; i < n; i += 2) x[i] = i;
}
void sometimes(int n, const double* restrict x, double* restrict y) {
  for (int i = 0; i < n; i++)
    if (x[i] > 3) y[i] = x[i];
}
void columns(int n, int m, int width, double* restrict a, double* restrict b) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      a[i * width + j] = i + j;
      b[i * width + j] = i - j;
    }
}
double scalars(int n, const double* restrict x) {
  double sum = 1, last = 2;
  if (n > 3) sum = 3 + printf("");
  for (int i = 0; i < n; i++) {
    sum += x[i];
    last = x[i];
  }
  return sum + last;
}
int main(void) {
  int n = 9;
  double *a = malloc(2 * n * n * sizeof *a), *b = malloc(2 * n * n * sizeof *b), *c = malloc(2 * n * n * sizeof *c);
  for (int i = 0; i < 2 * n * n; i++) a[i] = i % 7 + printf(""), b[i] = i % 5, c[i] = i;
  product(n, (void*)c, (void*)a, (void*)b);
  halves(n, a);
  rows(7);
  even(n, b);
  sometimes(n, a, b);
  scalars(n, a);
  void (*volatile call)(int, int, int, double*, double*) = columns; /* where nobody sees what is passed */
  call(n, n, n, a, b);
  double* parts = malloc((2 * n * n) * sizeof *parts);
  call(n, n, 2 * n, parts, parts + n);
  int wrong = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      wrong += parts[i * 2 * n + j] != i + j || parts[i * 2 * n + n + j] != i - j || a[i * n + j] != i + j;
  puts(wrong ? "wrong" : "right");
  return wrong;
}
