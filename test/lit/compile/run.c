// `run` builds and runs; what stands after -- is the program's, and so is the status.
// RUN: %exits 7 %warploom run %s --target cpu --size N=40 --flag=-DEND=7 -- one "two words" -x | FileCheck %s
// CHECK: 780 3 two words -x
// RUN: %exits 3 %warploom run %s --flag=-DEND=3 --target cpu | FileCheck --check-prefix=DEFAULT %s
// DEFAULT: 45 0
// RUN: %exits 2 %warploom run %s --size 40 2>&1 | FileCheck --check-prefix=SIZE %s
// SIZE: '40' is not of the form NAME=VALUE
#include <stdio.h>
#ifndef N
#define N 10
#endif
long values[N];
int main(int argc, char** argv) {
  for (int i = 0; i < N; i++) values[i] = i;
  long sum = 0;
  for (int i = 0; i < N; i++) sum += values[i];
  printf("%ld %d", sum, argc - 1);
  for (int k = 2; k < argc; k++) printf(" %s", argv[k]);
  printf("\n");
  return END;
}
