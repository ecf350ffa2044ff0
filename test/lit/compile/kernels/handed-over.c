// `v` belongs to an iteration, and its value is made in one kernel and used in another: that one reads what was left.
// RUN: %warploom compile %s -o %t.cu && FileCheck --input-file=%t.cu %s
// CHECK: *v = fmod(
// CHECK: A[-i + 35] = fmod(*v * A[2 * j + 9], double(16));
//
// Where nothing in a loop uses `s`, every iteration could have a copy; around it `s` has the value of before.
// CHECK: static __device__ {{.*}} total_
// CHECK: *s += A[i];
//
// RUN: %exits 0 %warploom verify %s --sanitize | FileCheck --check-prefix=SAME %s
// SAME: 0 mismatches
#include <math.h>
#include <stdio.h>
double A[200], B[200], C[100];
void nest(int n) {
  for (int i = 1; i < n - 1; i += 2)
    for (int j = n - 1; j >= 1; j--)
      for (int l = i; l < 4; l++) {
        C[i + 2] = fmod(A[2 * i + j], 16);
        if (l == 2 * j) {
          double v = fmod(A[-i + 35] - C[l + 2], 31);
          A[-i + 35] = fmod(v * A[2 * j + 9], 16);
        }
      }
}
double total(int n) {
  double s = 3;
  for (int i = 1; i < 8; i++) {
    A[i] = fmod(A[i - 1] + 5, 7);
    s += A[i];
    for (int d = 0; d < 3; d++) {
      if (i > 20) s += B[d];
      C[d] = fmod(C[d + 1] + C[d], 5);
    }
  }
  for (int e = 0; e < n; e++) B[2 * e + 1] = fmod(A[2 * e], 16);
  return s;
}
int main(void) {
  for (int k = 0; k < 200; k++) A[k] = k % 23;
  for (int k = 0; k < 100; k++) C[k] = k % 19;
  nest(5);
  nest(37);
  printf("%g %g %g\n", A[34], C[5], total(40));
  return 0;
}
