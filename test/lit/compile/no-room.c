// Copies of an array for each iteration that do not fit into the device's memory: the original loops run.
// RUN: gcc -w %s -o %t.ref && %t.ref > %t.expected
// RUN: %warploom build %s -o %t.made --target cpu --sanitize -- -w
// RUN: env WARPLOOM_DEVICE=gpu WARPLOOM_TIMING=1 %t.made 2>%t.log > %t.out && cmp %t.expected %t.out
// RUN: FileCheck --check-prefix=ROOM %s < %t.log
// ROOM: region smooth:{{.*}} path gpu
// RUN: env WARPLOOM_DEVICE=gpu WARPLOOM_TIMING=1 WARPLOOM_SCRATCH=1000 %t.made 2>%t.log > %t.out && cmp %t.expected %t.out
// RUN: FileCheck --check-prefix=NONE %s < %t.log
// NONE: region smooth:{{.*}} path host:no room for row
#include <stdio.h>
#include <stdlib.h>
void smooth(int n, int m, float a[n][m], float b[n][m]) {
  for (int i = 0; i < n; i++) {
    float row[m];
    for (int j = 0; j < m; j++) row[j] = a[i][j] * 2;
    for (int j = 1; j < m - 1; j++) b[i][j] = row[j - 1] + row[j] + row[j + 1];
  }
}
int main(void) {
  int n = 300, m = 500;
  float *a = malloc(n * m * 4), *b = calloc(n * m, 4);
  for (int i = 0; i < n * m; i++) a[i] = i % 37;
  smooth(n, m, (void *)a, (void *)b);
  double s = 0;
  for (int i = 0; i < n * m; i++) s += b[i] * (i % 11);
  printf("%g\n", s);
}
