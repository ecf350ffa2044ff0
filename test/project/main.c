/* Runs the kernels at the size given and prints what depends on every element. Values are small whole numbers, so sums are
   exact in any order. */
#include "kernels.h"

#include <stdio.h>
#include <stdlib.h>

static void show(const char *name, const float *C, int count) {
  unsigned long sum = 0;
  for (int i = 0; i < count; i++)
    sum = sum * 31 + (unsigned long)(long)C[i];
  printf("%s %lx\n", name, sum);
}

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 64;
  float *A = malloc(n * n * sizeof *A), *B = malloc(n * n * sizeof *B), *C = malloc(n * n * sizeof *C);
  for (int i = 0; i < n * n; i++) {
    A[i] = i % 7 - 3;
    B[i] = i % 5 - 2;
    C[i] = 99;
  }
  matrix_mul(C, A, B, n);
  show("mul", C, n * n);
  matrix_scale(B, C, 3, n);
  show("scale", B, n * n);
  matrix_mv(C, A, B, n);
  show("mv", C, n);
  matrix_vv(C, A, B, n);
  show("vv", C, n * n);
  free(A);
  free(B);
  free(C);
  return 0;
}
