// Kernels that have nothing to do with each other: one kernel where they run over the same space, else side by side.
// RUN: %warploom compile %s -o %t.cu && FileCheck --input-file=%t.cu %s
//
// CHECK: __global__ {{.*}} equal_[[#LINE:]](
// CHECK: a[i * m + j] = c[i * m + j] * 2;
// CHECK-NEXT: b[i * m + j] = c[i * m + j] + 1;
// CHECK: extern "C" int warploom_beside_equal_
// CHECK: const double launches = 1;
// CHECK: region.launch({dim3(warploom::blocks(0, m, BLOCK_X), warploom::blocks(0, n, BLOCK_Y)), dim3(BLOCK_X,
//
// Rows of one and columns of the other are best taken by different threads.
// CHECK: extern "C" int warploom_beside_crossed_
// CHECK: region.overlap([&] {
//
// CHECK: extern "C" int warploom_beside_apart_
// CHECK: region.overlap([&] {
// CHECK-NEXT: region.launch({{.*}}, apart_[[#FIRST:]]<Index>
// CHECK: }, [&] {
// CHECK-NEXT: region.launch({{.*}}, apart_[[#SECOND:]]<Index>
// CHECK: });
// CHECK-NEXT: region.launch({{.*}}, apart_[[#THIRD:]]<Index>
//
// What one writes and the other reads comes first.
// CHECK: extern "C" int warploom_beside_ordered_
// CHECK-NOT: region.overlap([&]
// CHECK: return region.finish();
//
// In one launch for a whole loop there is no barrier between them.
// CHECK: __global__ {{.*}} fields_[[#X:]]_loop(
// CHECK: fields_[[#X]]_body<Index>(
// CHECK-NEXT: }
// CHECK-NEXT: if (
// CHECK-NEXT: fields_[[#Y:]]_body<Index>(
// CHECK-NEXT: }
// CHECK-NEXT: cooperative_groups::this_grid().sync();
// Where its launches are recorded, they are recorded side by side.
// CHECK: region.repeat(t, [&] {
// CHECK-NEXT: region.overlap([&] {
//
// RUN: %exits 0 %warploom verify %s --sanitize -o %t.prog | FileCheck --check-prefix=SAME %s
// RUN: env WARPLOOM_LAUNCH=cooperative %exits 0 %t.prog | FileCheck --check-prefix=SAME %s
// RUN: env WARPLOOM_LAUNCH=launches %exits 0 %t.prog | FileCheck --check-prefix=SAME %s
// SAME-NOT: sanitize:
// SAME-DAG: verify: region equal:{{[0-9]+}} array b max abs 0 max rel 0 ok
// SAME-DAG: verify: region crossed:{{[0-9]+}} array b max abs 0 max rel 0 ok
// SAME-DAG: verify: region apart:{{[0-9]+}} array z max abs 0 max rel 0 ok
// SAME-DAG: verify: region fields:{{[0-9]+}} array z max abs 0 max rel 0 ok
// SAME: , 0 mismatches
// SHOWS: RT-30 RT-32 RT-69
#include <stdio.h>
#include <stdlib.h>
void equal(int n, int m, double a[restrict n][m], double b[restrict n][m], const double c[restrict n][m]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) a[i][j] = c[i][j] * 2;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) b[i][j] = c[i][j] + 1;
}
void crossed(int n, double a[restrict n][n], double b[restrict n][n], const double c[restrict n][n]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) a[i][j] = c[i][j] * 2;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) b[j][i] = c[j][i] + 1;
}
void apart(int n, int m, double* restrict x, double* restrict y, double* restrict z) {
  for (int i = 0; i < n; i++) x[i] = x[i] * 2;
  for (int i = 0; i < m; i++) y[i] = y[i] + 1;
  for (int i = 0; i < m; i++) z[i] = x[n - 1] - y[m - 1];
}
void ordered(int n, int m, double* restrict x, double* restrict y) {
  for (int i = 0; i < n; i++) x[i] = x[i] * 2;
  for (int i = 0; i < m; i++) y[i] = y[i] + x[n - 1];
}
void fields(int t, int n, int m, double* restrict x, double* restrict y, double* restrict z) {
  for (int s = 0; s < t; s++) {
    for (int i = 0; i < n; i++) x[i] = x[i] + z[0];
    for (int i = 0; i < m; i++) y[i] = y[i] - z[1];
    for (int i = 0; i < n; i++) z[i] = x[n - 1 - i] + y[m - 1];
  }
}
int main(void) {
  int n = 19, m = 23;
  double *a = malloc(n * m * 8), *b = malloc(n * m * 8), *c = malloc(n * m * 8);
  for (int i = 0; i < n * m; i++) a[i] = i + printf(""), b[i] = i % 7, c[i] = i % 5;
  equal(n, m, (void*)a, (void*)b, (void*)c);
  crossed(n, (void*)a, (void*)b, (void*)c);
  apart(n, m, a, b, c);
  ordered(n, m, a, b);
  fields(5, n, m, a, b, c);
  printf("%g\n", c[3]);
  return 0;
}
