// A loop that stays on the host, in one launch: all its kernels as functions of one kernel, with barriers of the grid between them.
// RUN: %warploom compile %s -o %t.cu && FileCheck --input-file=%t.cu %s
//
// The values of the loop are those of a loop in the kernel; an array that one kernel writes is constant for none.
// CHECK: __device__ void factor_[[#LINE:]]_body(Index n, double* __restrict__ a, Index k)
// CHECK: __global__ {{.*}} factor_[[#LINE]](Index n, double* __restrict__ a, Index k)
// CHECK-NEXT: factor_[[#LINE]]_body<Index>(n, a, k);
// CHECK: All iterations of loop k in one launch, with barriers of the grid between factor_[[#LINE]], factor_[[#NEXT:]]
// CHECK: __global__ void __launch_bounds__(BLOCK_X * BLOCK_Y) factor_[[#LINE]]_loop(Index n, double* __restrict__ a)
// CHECK-NEXT: for (Index k = 0; k <= n - 2; ++k) {
// CHECK-NEXT: factor_[[#LINE]]_body<Index>(n, a, k);
// CHECK-NEXT: cooperative_groups::this_grid().sync();
// CHECK-NEXT: factor_[[#NEXT]]_body<Index>(n, a, k);
// CHECK-NEXT: cooperative_groups::this_grid().sync();
//
// It is chosen when the program runs.
// CHECK: extern "C" int warploom_one_launch_factor_
// CHECK: if (const warploom::Launch resident = region.resident(factor_[[#LINE]]_loop<Index>,
// CHECK: region.launchCooperative(resident, factor_[[#LINE]]_loop<Index>, Index(n),
// CHECK: } else {
// CHECK-NEXT: for (long k = 0; k <= n - 2; ++k) {
// CHECK: region.launch({
//
// Where nothing is on the host but launches, texts are as they would be.
// CHECK-LABEL: __global__ {{.*}} scale_
// CHECK-NOT: region.resident(
//
// Whatever the way, results are those of the loops; and one launch is one launch. Races, barriers and bounds are checked.
// RUN: env WARPLOOM_LAUNCH=cooperative WARPLOOM_TIMING=1 %exits 0 %warploom verify %s --sanitize -o %t.prog > %t.cooperative 2>&1
// RUN: FileCheck --check-prefix=SAME --input-file=%t.cooperative %s && FileCheck --check-prefix=ONE --input-file=%t.cooperative %s
// RUN: env WARPLOOM_LAUNCH=launches WARPLOOM_TIMING=1 %exits 0 %t.prog > %t.launches 2>&1
// RUN: FileCheck --check-prefix=SAME --input-file=%t.launches %s && FileCheck --check-prefix=MANY --input-file=%t.launches %s
// RUN: env WARPLOOM_LAUNCH=graph WARPLOOM_TIMING=1 %exits 0 %t.prog > %t.graph 2>&1
// RUN: FileCheck --check-prefix=SAME --input-file=%t.graph %s && FileCheck --check-prefix=MANY --input-file=%t.graph %s
// SAME-NOT: sanitize:
// SAME-DAG: verify: region factor:{{[0-9]+}} array a max abs 0 max rel 0 ok
// SAME-DAG: verify: region steps:{{[0-9]+}} array x max abs 0 max rel 0 ok
// SAME-DAG: verify: region rows:{{[0-9]+}} array p max abs 0 max rel 0 ok
// SAME-DAG: verify: region mixed:{{[0-9]+}} array x max abs 0 max rel 0 ok
// SAME: , 0 mismatches
// ONE-DAG: region factor:{{[0-9]+}} {{.*}} launches 1 path gpu
// ONE-DAG: region steps:{{[0-9]+}} {{.*}} launches 1 path gpu
// ONE-DAG: region rows:{{[0-9]+}} {{.*}} launches 1 path gpu
// ONE-DAG: region mixed:{{[0-9]+}} {{.*}} launches 1 path gpu
// MANY-DAG: region factor:{{[0-9]+}} {{.*}} launches {{[0-9][0-9]+}} path gpu
// MANY-DAG: region steps:{{[0-9]+}} {{.*}} launches 14 path gpu
//
// RUN: env WARPLOOM_LAUNCH=often %exits 1 %t.prog 2>&1 | FileCheck --check-prefix=WORD %s
// WORD: warploom: WARPLOOM_LAUNCH is 'often'; it may be launches, graph, cooperative or crink
// SHOWS: CR-49 RT-68 RT-74
#include <stdio.h>
#define N 41
double a[N][N], x[N], y[N];
int p[N][N];
void factor(int n, double a[restrict N][N]) {
  for (int k = 0; k < n - 1; k++) {
    for (int i = k + 1; i < n; i++) a[i][k] /= a[k][k];
    for (int i = k + 1; i < n; i++)
      for (int j = k + 1; j < n; j++) a[i][j] -= a[n - 1][k] * a[k][j]; // of the last row: no blocks of iterations
  }
}
void steps(int t, int n, double* restrict x, double* restrict y) {
  for (int s = 0; s < t; s++) {
    for (int i = 1; i < n - 1; i++) y[i] = (x[i - 1] + x[i] + x[i + 1]) / 3;
    for (int i = 1; i < n - 1; i++) x[i] = y[i];
  }
}
void rows(int n) {
  for (int k = 0; k < n; k++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) p[i][j] = p[i][j] < p[i][k] + p[k][j] ? p[i][j] : p[i][k] + p[k][j];
}
/* One thread, a line of threads, and a plane of threads in one loop. */
void mixed(int n, double* restrict x, double a[restrict N][N]) {
  for (int k = 1; k < n; k++) {
    x[0] = x[k] + a[k - 1][0];
    for (int i = k; i < n; i++) x[i] = x[i] + x[0];
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) a[i][j] = a[i][j] + x[i];
  }
}
void scale(int n, double* restrict x) {
  for (int i = 0; i < n; i++) x[i] *= 2;
}
int main(void) {
  for (int i = 0; i < N; i++) {
    x[i] = i % 5 + printf("");
    for (int j = 0; j < N; j++) a[i][j] = i == j ? N : (i * 7 + j) % 5, p[i][j] = (i * 31 + j * 17) % 101;
  }
  steps(7, N, x, y);
  factor(N, a);
  rows(N);
  mixed(N, x, a);
  scale(N, x);
  printf("%g %d\n", a[3][4], p[1][2]);
  return 0;
}
