// What is left of tiles works on memory, in parts of whole tiles of an inner loop too.
// RUN: %warploom compile %s --recipe %S/../Inputs/vectors-in-tiles.lua -o %t.cu -- -w && FileCheck %s < %t.cu
// RUN: gcc -w %s -o %t.ref && %t.ref > %t.expected
// RUN: %warploom run %s --recipe %S/../Inputs/vectors-in-tiles.lua --target cpu --sanitize -- -w > %t.out && cmp %t.expected %t.out
// CHECK: float a_tile[BLOCK_Y][warploom::oddMultiple(Tiles::TILE_K, 4)];
// CHECK: warploom::loadVector(c_own,
// CHECK: warploom::storeVector(
// CHECK: } else {
// CHECK-NOT: c_own
// CHECK: extern "C"
#include <stdio.h>
#include <stdlib.h>

void product(int n, float c[n][n], float a[n][n], float b[n][n]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++) c[i][j] += a[i][k] * b[k][j];
}

int main(void) {
  int sizes[] = {0, 1, 61, 128, 131};
  for (int s = 0; s < 5; s++) {
    int n = sizes[s];
    float *a = malloc(4 * n * n + 4), *b = malloc(4 * n * n + 4), *c = calloc(n * n + 1, 4);
    for (int i = 0; i < n * n; i++) a[i] = i % 7 - 3, b[i] = i % 5 - 2;
    product(n, (void *)c, (void *)a, (void *)b);
    double sum = 0;
    for (int i = 0; i < n * n; i++) sum += c[i] * (i % 13);
    printf("%g\n", sum);
  }
  return 0;
}
