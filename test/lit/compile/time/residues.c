// Few elements are given a value, chosen by residues of a sum of the indices.
// %warploom ends what takes longer than 100 seconds, so this also shows that it is compiled in time.
// RUN: %exits 0 %warploom run %s --target cpu | FileCheck %s
// CHECK: -24943855
#include <stdio.h>
#ifndef N
#define N 300
#endif
static int a[N][N];
int main(void) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      if ((i + j) % 13 == 0 || (i + j) % 7 == 0 || (i + j) % 11 == 0)
        a[i][j] = -999;
      else
        a[i][j] = i * j % 7 + 1;
    }
  long sum = 0;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) sum += a[i][j] * (i + 1 - j);
  printf("%ld\n", sum);
  return 0;
}
