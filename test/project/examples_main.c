/* Runs the examples at the sizes given, `n m` pairs, and prints what depends on every element. All numbers are fractions with few bits, so that sums
   are exact in any order. */
#include "examples.h"

#include <stdio.h>
#include <stdlib.h>

static void show(const char *name, const void *array, char type, int count) {
  unsigned long sum = 7;
  for (int at = 0; at < count; at++) {
    double value = type == 'f' ? ((const float *)array)[at] : type == 'd' ? ((const double *)array)[at] : ((const int *)array)[at];
    sum = sum * 31 + (unsigned long)(long)(value * 4096);
  }
  printf("%s %lx\n", name, sum);
}
#define SHOW(name, array, count) show(name, array, _Generic(*(array), float: 'f', double: 'd', int: 'i'), count)

static void run(int n, int m) {
  int most = n > m ? n : m, all = most * most;
  float *A = malloc(all * sizeof *A), *B = malloc(all * sizeof *B), *C = malloc(all * sizeof *C);
  double *X = malloc(all * sizeof *X), *Y = malloc(all * sizeof *Y), *Z = malloc(most * sizeof *Z), *W = malloc(most * sizeof *W);
  int *H = calloc(most + 16, sizeof *H), *V = malloc(all * sizeof *V);
  int at = 0;
  while (at < all) {
    A[at] = at % 7 - 3;
    B[at] = at % 5 - 2;
    C[at] = 99;
    X[at] = at % 3 - 1;
    Y[at] = at % 4;
    V[at] = at * 5 % (most < 11 ? most : 11);
    at++;
  }
  printf("%d x %d\n", n, m);
  if (all < 6000) {
    matrix_mul(C, A, B, n, m, n), SHOW("mul", C, n * m);
    matrix_mul_serial(C, B, A, n, m, m), SHOW("serial", C, n * m);
  }
  matrix_scale(C, A, 3, n, m), SHOW("scale", C, all);
  matrix_scale_edited(C, B, 3, n, m), SHOW("scale edited", C, all);
  matrix_add(C, A, B, n, m), SHOW("add", C, all);
  if (most > 16) demosaic(C, A, most), SHOW("demosaic", C, all);
  histogram(H, V, n, m), SHOW("histogram", H, most);
  histogram_edited(H, V, n, m), SHOW("histogram edited", H, most);
  matrix_mv(C, A, B, n, m), SHOW("mv", C, all);
  matrix_vv(C, A, B, n, m), SHOW("vv", C, all);
  axpy(X, Y, 3, n * m), SHOW("axpy", X, all);
  axpy_edited(X, Y, 0.5, n * m), SHOW("axpy edited", X, all);
  for (at = 0; at < most; at++)
    X[at * most + at] = 4, Z[at] = at % 3;
  int sweep = 3;
  if (most < 200)
    while (sweep-- > 0)
      jacobi(W, X, Z, Y, most), jacobi(Z, X, W, Y, most);
  SHOW("jacobi", Z, most);
  sub(C, A, B, n * m), SHOW("sub", C, all);
  sub(C, C, B, n * m), SHOW("sub, in place", C, all);
  copy(C, A, n * m), SHOW("copy", C, all);
  scaleadd(C, B, 2, n * m), SHOW("scaleadd", C, all);
  scaleadd(C, C, 2, n * m), SHOW("scaleadd, in place", C, all);
  scaleaddstore(C, A, B, 2, n * m), SHOW("scaleaddstore", C, all);
  scaleaddstore(C, C, A, 0.25f, n * m), SHOW("scaleaddstore, in place", C, all);
  free(A), free(B), free(C), free(X), free(Y), free(Z), free(W), free(H), free(V);
}

static float a[64][64], b[64][64], c[64][64];

int main(int argc, char **argv) {
  for (int k = 1; k + 1 < argc; k += 2)
    run(atoi(argv[k]), atoi(argv[k + 1]));
  int at = 0;
  while (at < 64 * 64) {
    a[at / 64][at % 64] = at % 7 - 3;
    b[at / 64][at % 64] = at % 5 - 2;
    at++;
  }
  matrix_mul_tiled(c, a, b), SHOW("tiled", c[0], 64);
  return 0;
}
