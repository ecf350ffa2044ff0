// The words of launchers are free for the source's variables: what a launcher declares has names of its own.
// RUN: %warploom verify %s --target cpu --sanitize -- -w 2>&1 | FileCheck %s
// CHECK: region f:{{[0-9]+}} array region {{.*}}ok
// CHECK: 0 mismatches
#include <stdlib.h>

void f(int size, int first, int context, int visit, float *restrict region, const float *restrict index) {
  for (int i = first; i < context; i++)
    for (int j = 0; j < size; j++) region[i * size + j] = index[i * size + j] * visit;
}

int main(void) {
  float *a = calloc(40 * 30, sizeof *a), *b = malloc(40 * 30 * sizeof *b);
  for (int i = 0; i < 40 * 30; i++) b[i] = i % 7;
  f(30, 3, 38, 5, a, b);
  return a[38 * 30 - 1] != 5 * b[38 * 30 - 1];
}
