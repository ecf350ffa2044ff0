/* Vector and matrix routines with OpenMP's `target`, as they are written for offloading. */
#include <stdio.h>
#include <stdlib.h>

#define N 96

static double a[N][N], b[N][N], c[N][N];

static void axpy(int n, double s, const double *restrict x, double *restrict y) {
#pragma omp target teams distribute parallel for map(to : x[0 : n]) map(tofrom : y[0 : n])
  for (int i = 0; i < n; i++) /* region: axpy */
    y[i] += s * x[i];
}

static double dot(int n, const double *restrict x, const double *restrict y) {
  double sum = 0;
#pragma omp target teams distribute parallel for reduction(+ : sum) map(to : x[0 : n], y[0 : n])
  for (int i = 0; i < n; i++) /* region: dot */
    sum += x[i] * y[i];
  return sum;
}

static void fill(void) {
#pragma omp parallel for collapse(2)
  for (int i = 0; i < N; i++) /* region: fill */
    for (int j = 0; j < N; j++) {
      a[i][j] = (i * 3 + j) % 11;
      b[i][j] = (i + j * 5) % 7;
    }
}

static void product(void) {
#pragma omp target teams distribute parallel for collapse(2) map(to : a, b) map(from : c)
  for (int i = 0; i < N; i++) /* region: product */
    for (int j = 0; j < N; j++) {
      double sum = 0;
      for (int k = 0; k < N; k++)
        sum += a[i][k] * b[k][j];
      c[i][j] = sum;
    }
}

/* `last` is a copy under `target`: what the caller has is not changed. */
static double halves(int n, double *restrict y) {
  double last = -1;
#pragma omp target teams distribute parallel for map(tofrom : y[0 : n])
  for (int i = 0; i < n; i++) { /* region: halves */
    double half = y[i] / 2;
    y[i] = half;
  }
  return last;
}

int main(void) {
  double *x = malloc(N * sizeof *x), *y = malloc(N * sizeof *y), trace = 0;
  for (int i = 0; i < N; i++)
    x[i] = i % 5, y[i] = i % 3;
  axpy(N, 2.5, x, y);
  double last = halves(N, y);
  fill();
  product();
  for (int i = 0; i < N; i++)
    trace += c[i][i];
  printf("%.6f %.6f %.1f\n", dot(N, x, y), trace, last);
  free(x), free(y);
  return 0;
}
