// A condition is true where it is not zero: 0.25 and 1L << 32 are, although no int has them. And a scan may hand on values of any type.
// RUN: %warploom build %s -o %t.made --target cpu --sanitize 2> /dev/null && cc -O1 %s -o %t.plain && %t.plain > %t.expected
// RUN: env WARPLOOM_DEVICE=gpu WARPLOOM_TIMING=1 %t.made 2> %t.paths > %t.out && diff %t.out %t.expected
// RUN: FileCheck %s < %t.paths
// CHECK-DAG: region fractions:{{.*}} path gpu
// CHECK-DAG: region wide:{{.*}} path gpu
// CHECK-DAG: region otherwise:{{.*}} path gpu
// CHECK-DAG: region packed:{{.*}} path gpu
// CHECK-DAG: region most:{{.*}} path gpu
#include <stdio.h>
static int b[61], c[61], d[61], e[61];
static double x[61];
static long words[61];
static int to[61];
static void fractions(int n) {
  for (int i = 0; i < n; i++)
    if (x[i]) {
      b[i]++;
      c[i] = i;
    }
}
static void wide(int n) {
  for (int i = 0; i < n; i++)
    if (words[i]) {
      d[i]++;
      e[i] = i;
    } else {
      d[i]--;
    }
}
static int otherwise(int n) {
  int s = 0;
  for (int i = 0; i < n; i++) {
    double t;
    if ((t = x[i] - 3)) s++;
    else s -= 3;
    if (!t || x[i] * 0.5) s += 100;
  }
  return s;
}
static int packed(int n) {
  int k = 0;
  for (int i = 0; i < n; i++)
    if (x[i]) {
      to[k] = i;
      b[k] = -i;
      k++;
    }
  return k;
}
static long most(int n, double* best) {
  long at = -1;
  *best = -1;
  double m = -1;
  for (int i = 0; i < n; i++)
    if (x[i] > m) {
      m = x[i];
      at = (long)i << 33;
    }
  *best = m;
  return at;
}
int main(void) {
  double best;
  for (volatile int i = 0; i < 61; i++) x[i] = (i * 37 % 59) * 0.125, words[i] = (long)(i % 7) << 32;
  fractions(61), wide(61);
  printf("%d\n", otherwise(61)), printf("%d\n", packed(61));
  const long at = most(61, &best);
  printf("%ld %g\n", at, best);
  for (volatile int i = 0; i < 61; i++) printf("%d %d %d %d %d\n", b[i], c[i], d[i], e[i], to[i]);
  return 0;
}
