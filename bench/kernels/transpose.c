/* transpose: the transpose of a matrix.
   out = in^T. */
#include "bench.h"

static void kernel_transpose(int m, int n, real in[m][n], real out[n][m]) {
  for (int i = 0; i < n; i++)   /* EXPECT: parallel */
    for (int j = 0; j < m; j++) /* EXPECT: parallel */
      out[i][j] = in[j][i];
}

int main(void) {
  int m = bench_size("M", 40, 120, 6000);
  int n = bench_size("N", 36, 110, 5000);
  real(*in)[n] = bench_alloc(sizeof(real[m][n]));
  real(*out)[m] = bench_alloc(sizeof(real[n][m]));
  bench_fill(in, (size_t)m * n, 1, -1, 1);

  double start = bench_now();
  kernel_transpose(m, n, in, out);
  bench_time("transpose", start);

  bench_report("out", out, (size_t)n * m);
  free(in), free(out);
  return 0;
}
