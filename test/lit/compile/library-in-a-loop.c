// A loop of the host whose kernels a library may replace is no row of equal launches: the library is asked about each.
// RUN: %warploom compile %s -o %t.cu --libraries auto 2>&1 | FileCheck %s
// CHECK: 1 of 1 regions
// CHECK-NOT: internal error
// RUN: %warploom build %s -o %t.made --target cpu --sanitize --libraries always 2> /dev/null && cc -O1 %s -o %t.plain
// RUN: env WARPLOOM_DEVICE=gpu %t.made > %t.out && %t.plain | diff %t.out -
#include <stdio.h>
void power(int t, int n, double *restrict a, double *restrict x, double *restrict y) {
  for (int q = 0; q < t; q++) {
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) y[i] += a[i * n + j] * x[j];
    for (int i = 0; i < n; i++) x[i] = y[i] * 0.5;
  }
}
static double a[61 * 61], x[61], y[61];
int main(void) {
  for (volatile int i = 0; i < 61 * 61; i++) a[i] = i % 7 * 0.125;
  for (volatile int i = 0; i < 61; i++) x[i] = i % 3, y[i] = 1;
  power(3, 61, a, x, y);
  for (volatile int i = 0; i < 61; i += 6) printf("%.6g %.6g\n", x[i], y[i]);
  return 0;
}
