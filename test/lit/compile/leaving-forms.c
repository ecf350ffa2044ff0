// Loops that leave their function in the middle of an iteration, in many forms: downwards, up to a last value, with variables of the
// iteration, in the header of a while; where nothing is to be done; work before and behind. A break out of a switch is none of the loop's.
// RUN: %warploom build %s -o %t.made --target cpu --sanitize -- -w 2> /dev/null && cc -O1 -w %s -o %t.plain && %t.plain > %t.expected
// RUN: env WARPLOOM_DEVICE=gpu WARPLOOM_TIMING=1 %t.made 2> %t.paths > %t.out && diff %t.out %t.expected && FileCheck %s < %t.paths
// CHECK-DAG: region down:{{.*}} path gpu
// CHECK-DAG: region upto:{{.*}} path gpu
// CHECK-DAG: region big:{{.*}} path gpu
#include <stdio.h>
#include <stdlib.h>
static int down(int n, const int* p, int* q) {
  int i;
  for (i = n - 1; i >= 2; --i) {
    q[i] = p[i] + 1;
    if (p[i] == 9) return i;
    q[i] *= 2;
  }
  return i * 100;
}
static unsigned upto(unsigned n, const int* p, int* q) {
  unsigned k;
  for (k = 3; k <= n; k++) {
    if (p[k] > 50) {
      printf("big: %d?\n", p[k]);
      return k;
    }
    q[k] = p[k];
  }
  return k + 1000;
}
static long big(long n, const int* p, int* q) {
  for (long i = 5; i < n; i++) {
    const int d = p[i] - p[i - 5];
    if (d > 40) return d;
    if (d < -40) {
      puts("low #1 // x");
      return -d;
    }
    q[i] = d;
  }
  return 0;
}
static int wh(int n, const int* p, int* q) {
  int i = 0;
  while (i < n) {
    if (p[i] == 77) return i;
    q[i] = i;
    i++;
  }
  return -i;
}
static int sw(int n, const int* p, int* q, int c) {
  switch (c) {
  case 1:
    for (int i = 0; i < n; i++) {
      if (p[i] == 33) {
        if (c) break;
        return 5;
      }
      q[i]++;
    }
    break;
  default:
    return 7;
  }
  return 8;
}
int main(void) {
  int *p = malloc(400), *q = calloc(100, 4);
  for (volatile int t = 0; t < 6; t++) {
    for (volatile int i = 0; i < 100; i++)
      p[i] = i * 7 % 31;
    if (t == 1) p[50] = 9, p[70] = 9;
    if (t == 2) p[99] = 60;
    if (t == 3) p[44] = 77;
    if (t == 4) p[10] = -50, p[0] = 33;
    if (t == 5) p[5] = 90;
    for (volatile int n = 0; n <= 99; n += 33) {
      printf("%d %u %ld %d %d\n", down(n, p, q), upto(n, p, q), big(n, p, q), wh(n, p, q),
             sw(n, p, q, t % 2));
      unsigned h = 0;
      for (volatile int i = 0; i < 100; i++)
        h = h * 31 + q[i];
      printf("%u\n", h);
    }
  }
  return 0;
}
