// Both forms of every region run on the same data, and each array that is live afterwards is compared.
// RUN: %exits 0 %warploom verify %s --target cpu --size N=33 | FileCheck %s
// RUN: %exits 0 %warploom verify %s --size N=33 --sanitize | FileCheck %s
// RUN: %exits 0 %warploom verify %s --target cpu --size N=33 --strict-fp | FileCheck %s
// CHECK: checksum 2179
// CHECK: verify: region main:[[# @LINE + 18]] array A max abs 0 max rel 0 ok
// CHECK: verify: region main:[[# @LINE + 17]] array B max abs 0 max rel 0 ok
// CHECK: verify: region multiply:[[# @LINE + 9]] array C max abs 0 max rel 0 ok
// CHECK: verify: 2 regions compared, 3 arrays, 0 mismatches
// SHOWS: RT-108
#include <stdio.h>
#ifndef N
#define N 64
#endif
int A[N][N], B[N][N], C[N][N];
void multiply(void) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      C[i][j] = 0;
      for (int k = 0; k < N; k++) C[i][j] += A[i][k] * B[k][j];
    }
}
int main(void) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      A[i][j] = (i + j) % 3;
      B[i][j] = (i * 2 + j) % 5;
    }
  multiply();
  printf("checksum %d\n", C[3][4] + C[N - 1][0] * N);
  return 0;
}
