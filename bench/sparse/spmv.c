/* A sparse matrix times a vector: rows of LENGTH elements on average, between half and one and a half times that, near the
   diagonal. Usage: spmv ROWS LENGTH REPETITIONS. Prints the bytes that one product must move, and how many rows are wrong. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void spmv(int n, const int* restrict start, const int* restrict column, const double* restrict value,
                 const double* restrict x, double* restrict y) {
  for (int i = 0; i < n; i++) {
    double sum = 0;
    for (int k = start[i]; k < start[i + 1]; k++) sum += value[k] * x[column[k]];
    y[i] = sum;
  }
}

static unsigned next(unsigned* seed, unsigned below) {
  *seed = *seed * 1664525u + 1013904223u;
  return (*seed >> 8) % below;
}

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  int n = atoi(argv[1]), length = atoi(argv[2]), repetitions = atoi(argv[3]);
  unsigned seed = 1;
  int* start = malloc((n + 1) * sizeof *start);
  start[0] = 0;
  for (int i = 0; i < n; i++) start[i + 1] = start[i] + length / 2 + (int)next(&seed, (unsigned)length + 1);
  int* column = malloc(start[n] * sizeof *column);
  double *value = malloc(start[n] * sizeof *value), *x = malloc(n * sizeof *x), *y = malloc(n * sizeof *y);
  for (int i = 0; i < n; i++) {
    x[i] = 1.0 / (1 + i % 97);
    for (int k = start[i]; k < start[i + 1]; k++) {
      int c = i + (int)next(&seed, 4096) - 2048;
      column[k] = c < 0 ? 0 : c >= n ? n - 1 : c;
      value[k] = 1 + k % 5;
    }
  }
  for (int r = 0; r < repetitions; r++) spmv(n, start, column, value, x, y);
  int wrong = 0;
  for (int i = 0; i < n; i++) {
    double sum = 0;
    for (int k = start[i]; k < start[i + 1]; k++) sum += value[k] * x[column[k]];
    if (!(fabs(sum - y[i]) <= 1e-12 * fabs(sum))) wrong++;
  }
  printf("bytes %.0f wrong %d\n", 12.0 * start[n] + 20.0 * n, wrong);
  return wrong != 0;
}
