// The loops over m and c are parallel only where i <= -4, and then they do not run: such a region is not mapped.
// RUN: %warploom compile %s -o %t.cu --strict-fp -- -w 2>&1 | FileCheck %s
#include <math.h>
double A[200];
void nest(int n) {
  double t = 0, T[160] = {0};
  for (int i = 1; i < 9; ++i) {
    // CHECK: parallel-nowhere.c:[[@LINE+1]]:5: remark: the region nest:[[@LINE+1]] stays as it was: no loop of it can run in parallel
    for (int j = n - 2; j >= 2; j--) {
      for (int l = 0; l < (3 < i + 1 + 3 ? 3 : i + 1 + 3); ++l) {
        break;
        double v1 = T[j];
        A[l] = fmod(v1 * T[j + 3], 16);
      }
    }
    for (int m = 0; m < i - 1; m += 3) {
      for (int c = 1; c < 4; ++c) {
        if (m != n - 2) {
          t = A[i - c + 3] > t ? A[i - c + 3] : t;
        }
      }
    }
  }
}
