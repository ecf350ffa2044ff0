// `v` belongs to an iteration, and its value is made in one kernel and used in another: that one reads what was left.
// RUN: %warploom compile %s -o %t.cu && FileCheck --input-file=%t.cu %s
// CHECK: *v = fmod(
// CHECK: A[-i + 35] = fmod(*v * A[2 * j + 9], double(16));
// RUN: %exits 0 %warploom verify %s --sanitize | FileCheck --check-prefix=SAME %s
// SAME: 0 mismatches
#include <math.h>
#include <stdio.h>
double A[200], C[100];
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
int main(void) {
  for (int k = 0; k < 200; k++) A[k] = k % 23;
  for (int k = 0; k < 100; k++) C[k] = k % 19;
  nest(5);
  nest(37);
  printf("%g %g\n", A[34], C[5]);
  return 0;
}
