// Accessors that are macros, with sizes inside them: generated programs print what the C compiler's do.
// RUN: cc -w %s -o %t.c.prog -lm && %t.c.prog > %t.expected
// RUN: %exits 0 %warploom build %s -o %t.prog --target cpu --sanitize -- -w -lm
// RUN: env WARPLOOM_DEVICE=gpu WARPLOOM_TIMING=1 %exits 0 %t.prog 2> %t.times > %t.got
// RUN: diff %t.expected %t.got
// RUN: FileCheck --input-file=%t.times %s
// CHECK-COUNT-3: path gpu
#include <stdio.h>
#include <stdlib.h>
typedef struct { size_t rows, cols, stride; double *data; } Matrix;
#define GET(m, i, j) ((m)->data[(size_t)(i) * (m)->stride + (j)])
#define ROWS(m) ((m)->rows)
#define FOR(i, n) for (size_t i = 0; i < (n); i++)
#define SQUARE(x) ((x) * (x))
static void transpose(Matrix *t, const Matrix *a) {
  for (size_t i = 0; i < a->rows; i++)
    for (size_t j = 0; j < a->cols; j++)
      GET(t, j, i) = GET(a, i, j);
}
static void scale(Matrix *a, double f) {
  for (size_t i = 0; i < ROWS(a); i++)
    for (size_t j = 0; j < a->cols; j++)
      GET(a, i, j) *= SQUARE(f + 1);
}
static double trace(const Matrix *a) {
  double s = 0;
  for (size_t i = 0; i < ROWS(a); i++)
    s += GET(a, i, i);
  return s;
}
int main(int argc, char **argv) {
  size_t n = argc > 1 ? atoi(argv[1]) : 70, m = n + 3;
  Matrix a = {n, m, m + 2, calloc(n * (m + 2), sizeof(double))}, t = {m, n, n, calloc(n * m, sizeof(double))};
  FOR(i, n) FOR(j, m) GET(&a, i, j) = (double)(i * 31 + j * 7) / 16;
  transpose(&t, &a);
  scale(&t, 0.5);
  double s = 0;
  for (size_t i = 0; i < m; i++)
    for (size_t j = 0; j < n; j++) s += GET(&t, i, j) * (double)(i + 2 * j);
  printf("%.3f %.3f\n", s, trace(&t));
  free(a.data); free(t.data);
  return 0;
}
