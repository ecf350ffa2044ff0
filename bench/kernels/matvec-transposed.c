/* matvec-transposed: the transpose of a matrix times a vector.
   y += A^T x. */
#include "bench.h"

static void kernel_matvec_transposed(int m, int n, real A[m][n], real x[m], real y[n]) {
  for (int i = 0; i < n; i++)   /* EXPECT: parallel */
    for (int j = 0; j < m; j++) /* EXPECT: reduction(+) */
      y[i] += A[j][i] * x[j];
}

int main(void) {
  int m = bench_size("M", 40, 120, 8192);
  int n = bench_size("N", 36, 110, 8192);
  real(*A)[n] = bench_alloc(sizeof(real[m][n]));
  real* x = bench_alloc(sizeof(real[m]));
  real* y = bench_alloc(sizeof(real[n]));
  bench_fill(A, (size_t)m * n, 1, -1, 1);
  bench_fill(x, m, 2, -1, 1);
  bench_fill(y, n, 3, -1, 1);

  double start = bench_now();
  kernel_matvec_transposed(m, n, A, x, y);
  bench_time("matvec-transposed", start);

  bench_report("y", y, n);
  free(A), free(x), free(y);
  return 0;
}
