// A variable and a pointer to it in one loop, and memory that types do not tell apart: what a launcher asks about overlap it asks of the
// memory itself, and where that is one, the loops run as they were.
// RUN: rm -rf %t && split-file %s %t
// RUN: %warploom build %t/variables.c -o %t/made --target cpu --sanitize 2> %t/said
// RUN: FileCheck --check-prefix=SAID %s < %t/said
// SAID: variables.c:{{.*}} the region expanded:{{.*}} stays as it was: `shifted` is a macro with its own name in it
// RUN: cc -O1 %t/variables.c -o %t/plain && %t/plain > %t/expected
// RUN: env WARPLOOM_DEVICE=gpu WARPLOOM_TIMING=1 %t/made 2> %t/paths > %t/out && diff %t/out %t/expected
// RUN: FileCheck --check-prefix=PATHS %s < %t/paths
// PATHS-DAG: region through:{{.*}} path host:{{.*}} overlap
// PATHS-DAG: region global:{{.*}} path gpu
// PATHS-DAG: region global:{{.*}} path host:{{.*}} overlap
// PATHS-DAG: region converged:{{.*}} path gpu
//
// RUN: %warploom build %t/types.c -o %t/made --target cpu --sanitize -- -fno-strict-aliasing 2> /dev/null
// RUN: cc -O1 -fno-strict-aliasing %t/types.c -o %t/plain && %t/plain > %t/expected
// RUN: env WARPLOOM_DEVICE=gpu %t/made > %t/out && diff %t/out %t/expected
// RUN: %warploom build %t/types.c -o %t/made --target cpu --sanitize -- -DBITS="uint32_t __attribute__((may_alias))" 2> /dev/null
// RUN: env WARPLOOM_DEVICE=gpu %t/made > %t/out && diff %t/out %t/expected
//--- variables.c
#include <stdio.h>
static int a[200], total;
static int through(int n) {
  int s = 0, *p = &s;
  for (int i = 0; i < n; i++) {
    s += 1;
    *p += a[i];
  }
  return s;
}
static void global(int* p, int n) {
  for (int i = 0; i < n; i++) {
    total += 1;
    *p += a[i];
  }
}
static int converged(int n, const double* x, double eps) {
  int done = 1;
  for (int i = 0; i < n; i++)
    if (x[i] > eps) done = 0;
  return done;
}
static double shifted[64];
#define shifted (shifted + 1)
static void expanded(int n) {
  for (int i = -1; i <= n; i++) shifted[i] = i * 2;
}
int main(void) {
  double x[61];
  int other = 5;
  for (volatile int i = 0; i < 200; i++) a[i] = i * 13 % 29;
  for (volatile int i = 0; i < 61; i++) x[i] = i;
  printf("%d\n", through(61));
  global(&other, 61), printf("%d %d\n", total, other);
  global(&total, 61), printf("%d\n", total);
  printf("%d %d\n", converged(61, x, 60), converged(61, x, 59));
  expanded(61), printf("%g %g\n", shifted[-1], shifted[30]);
  return 0;
}
//--- types.c
#include <stdint.h>
#include <stdio.h>
#ifndef BITS
#define BITS uint32_t
#endif
typedef BITS bits_t;
void flip(int n, float* f, bits_t* bits, const float* x) {
  for (int i = 0; i < n; i++) {
    f[i] = x[i] * 2;
    bits[i] ^= 0x80000000u;
  }
}
int main(void) {
  static float f[333], x[333];
  for (volatile int i = 0; i < 333; i++) x[i] = i - 100.5f;
  flip(333, f, (bits_t*)f, x);
  double s = 0;
  for (volatile int i = 0; i < 333; i++) s += f[i] * (i + 1);
  printf("%.3f\n", s);
  return 0;
}
