// Intermediate arrays that one iteration fills and uses up are variables of the threads.
// RUN: %warploom compile %s -o %t.cu --explain 2> %t.says && FileCheck --input-file=%t.cu %s
// RUN: FileCheck --check-prefix=SAYS --input-file=%t.says %s
// SAYS: of `t` each thread of kernel chain_{{[0-9]+}} keeps the element it works on
// CHECK: __global__ {{.*}} chain_{{[0-9]+}}(Index n, const double* __restrict__ a,
// CHECK-NEXT: double* __restrict__ b) {
// CHECK: double t;
// CHECK-NEXT: double u;
// CHECK-NEXT: t = a[i] * 2;
// CHECK-NEXT: u = t + 1;
// CHECK-NEXT: b[i] = t * u;
// CHECK: extern "C" int warploom_contract_chain_
// CHECK-NOT: "t"
// CHECK: return region.finish();
//
// Not where a neighbour reads it, nor where the function goes on to read it, nor where one iteration has two elements.
// CHECK: neighbours_{{[0-9]+}}(Index n, {{.*}}t
// CHECK: read_later_{{[0-9]+}}(Index n, {{.*}}t
// CHECK: pairs_{{[0-9]+}}(Index n, {{.*}}t
//
// RUN: %exits 0 %warploom verify %s --sanitize -- -std=gnu11 | FileCheck --check-prefix=SAME %s
// SAME-DAG: verify: region chain:{{[0-9]+}} array b max abs 0 max rel 0 ok
// SAME-DAG: verify: region plane:{{[0-9]+}} array b max abs 0 max rel 0 ok
// SAME-DAG: verify: region neighbours:{{[0-9]+}} array b max abs 0 max rel 0 ok
// SAME-DAG: verify: region read_later:{{[0-9]+}} array b max abs 0 max rel 0 ok
// SAME-DAG: verify: region pairs:{{[0-9]+}} array b max abs 0 max rel 0 ok
// SAME: , 0 mismatches
// SHOWS: CH-82 RT-33
#include <stdio.h>
void chain(int n, const double* restrict a, double* restrict b) {
  double t[n], u[n];
  for (int i = 0; i < n; i++) t[i] = a[i] * 2;
  for (int i = 0; i < n; i++) u[i] = t[i] + 1;
  for (int i = 0; i < n; i++) b[i] = t[i] * u[i];
}
void plane(int n, double a[restrict n][n], double b[restrict n][n]) {
  double t[n][n];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) t[i][j] = a[i][j] - a[j][i];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) b[i][j] = t[i][j] * t[i][j];
}
void neighbours(int n, const double* restrict a, double* restrict b) {
  double t[n];
  for (int i = 0; i < n; i++) t[i] = a[i] * 2;
  for (int i = 1; i < n - 1; i++) b[i] = t[i - 1] + t[i + 1];
}
double read_later(int n, const double* restrict a, double* restrict b) {
  double t[n];
  for (int i = 0; i < n; i++) {
    t[i] = a[i] * 2;
    b[i] = t[i] + 1;
  }
  return t[n / 2];
}
void pairs(int n, const double* restrict a, double* restrict b) {
  double t[2 * n];
  for (int i = 0; i < n; i++) {
    t[2 * i] = a[i];
    t[2 * i + 1] = a[i] + 1;
    b[i] = t[2 * i] * t[2 * i + 1];
  }
}
int main(void) {
  static double a[900], b[900];
  for (int i = 0; i < 900; i++) a[i] = i % 17 + printf("");
  chain(900, a, b);
  plane(30, (void*)a, (void*)b);
  neighbours(900, a, b);
  double v = read_later(900, a, b);
  pairs(900, a, b);
  printf("%g %g\n", b[7], v);
  return 0;
}
