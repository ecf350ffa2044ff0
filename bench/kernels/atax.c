/* atax: a matrix and its transpose applied to a vector, row by row.
   y = A^T (A x), with tmp = A x. */
#include "bench.h"

static void kernel_atax(int m, int n, real A[m][n], real x[n], real y[n], real tmp[m]) {
  for (int j = 0; j < n; j++) /* EXPECT: parallel */
    y[j] = 0;

  for (int i = 0; i < m; i++) { /* EXPECT: reduction(+) */
    tmp[i] = 0;
    for (int j = 0; j < n; j++) /* EXPECT: reduction(+) */
      tmp[i] += A[i][j] * x[j];
    for (int j = 0; j < n; j++) /* EXPECT: parallel */
      y[j] += A[i][j] * tmp[i];
  }
}

int main(void) {
  int m = bench_size("M", 38, 116, 1900);
  int n = bench_size("N", 42, 124, 2100);
  real(*A)[n] = bench_alloc(sizeof(real[m][n]));
  real* x = bench_alloc(sizeof(real[n]));
  real* y = bench_alloc(sizeof(real[n]));
  real* tmp = bench_alloc(sizeof(real[m]));
  bench_fill(A, (size_t)m * n, 1, -1, 1);
  bench_fill(x, n, 2, -1, 1);

  double start = bench_now();
  kernel_atax(m, n, A, x, y, tmp);
  bench_time("atax", start);

  bench_report("y", y, n);
  bench_report("tmp", tmp, m);
  free(A), free(x), free(y), free(tmp);
  return 0;
}
