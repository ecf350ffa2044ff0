// A variable that is only written for some sizes goes back as it came for the others; and sizes that are quotients by large numbers are
// computed without products that no integer holds.
// RUN: %warploom build %s -o %t.made --target cpu --sanitize 2> /dev/null && cc -O1 %s -o %t.plain && %t.plain > %t.expected
// RUN: env WARPLOOM_DEVICE=gpu WARPLOOM_TIMING=1 %t.made 2> %t.paths > %t.out && diff %t.out %t.expected && FileCheck %s < %t.paths
// CHECK-DAG: region h:{{.*}} path gpu
// CHECK-DAG: region g:{{.*}} path gpu
// CHECK-DAG: region row:{{.*}} path gpu
// CHECK-DAG: region when:{{.*}} path gpu
#include <stdio.h>
static int total = 4, b[64], hist[64];
double R[8][40];
int h(int n, int m, int k) {
  int last = -1;
  for (int i = 0; i < n; i++)
    if (m < k) last = i;
  return last;
}
void g(int n, int m, int k) {
  for (int i = 0; i < n; i++) {
    b[i] = i;
    if (m < k) total = i;
  }
}
void row(int n, long i) {
  for (int j = 0; j < n; j++) R[i / 3000000000][j] = j + 1;
}
void when(int n, long t, long t0) {
  for (int j = 0; j < n; j++) hist[(t - t0) / 1000000 + j] += 1;
}
int main(void) {
  printf("%d %d %d\n", h(37, 5, 3), h(0, 3, 5), h(37, 3, 5));
  g(37, 5, 3), printf("%d %d\n", total, b[30]);
  g(37, 3, 5), printf("%d %d\n", total, b[30]);
  row(37, 6000000000), printf("%g %g\n", R[2][0], R[2][36]);
  when(20, 1700000000123456, 1700000000123456 - 7654321), when(20, -1700000000000000, -1700000000000000);
  for (volatile int i = 0; i < 64; i += 5) printf("%d ", hist[i]);
  printf("\n");
  return 0;
}
