/* gemm-columns: the matrix product of column-major BLAS as C sees it, the first subscript counting columns.
   c[j][i] += sum_k a[k][i] b[j][k]. */
#include "bench.h"

static void kernel_gemm_columns(int n, real a[n][n], real b[n][n], real c[n][n]) {
  for (int i = 0; i < n; i++)     /* EXPECT: parallel */
    for (int j = 0; j < n; j++)   /* EXPECT: parallel */
      for (int k = 0; k < n; k++) /* EXPECT: reduction(+) */
        c[j][i] += a[k][i] * b[j][k];
}

int main(void) {
  int n = bench_size("N", 24, 100, 2048);
  real(*a)[n] = bench_alloc(sizeof(real[n][n]));
  real(*b)[n] = bench_alloc(sizeof(real[n][n]));
  real(*c)[n] = bench_alloc(sizeof(real[n][n]));
  bench_fill(a, (size_t)n * n, 1, -1, 1);
  bench_fill(b, (size_t)n * n, 2, -1, 1);
  bench_fill(c, (size_t)n * n, 3, -1, 1);

  double start = bench_now();
  kernel_gemm_columns(n, a, b, c);
  bench_time("gemm-columns", start);

  bench_report("c", c, (size_t)n * n);
  free(a), free(b), free(c);
  return 0;
}
