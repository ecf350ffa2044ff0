/* matvec: a matrix times a vector, row by row.
   y = A x. */
#include "bench.h"

static void kernel_matvec(int m, int n, real A[m][n], real x[n], real y[m]) {
  real sum;

  for (int i = 0; i < m; i++) { /* EXPECT: parallel */
    sum = 0;
    for (int j = 0; j < n; j++) /* EXPECT: reduction(+) */
      sum += A[i][j] * x[j];
    y[i] = sum;
  }
}

int main(void) {
  int m = bench_size("M", 40, 120, 8192);
  int n = bench_size("N", 36, 110, 8192);
  real(*A)[n] = bench_alloc(sizeof(real[m][n]));
  real* x = bench_alloc(sizeof(real[n]));
  real* y = bench_alloc(sizeof(real[m]));
  bench_fill(A, (size_t)m * n, 1, -1, 1);
  bench_fill(x, n, 2, -1, 1);

  double start = bench_now();
  kernel_matvec(m, n, A, x, y);
  bench_time("matvec", start);

  bench_report("y", y, m);
  free(A), free(x), free(y);
  return 0;
}
