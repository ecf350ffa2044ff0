/* trisolv: a lower triangular system by forward substitution.
   L x = b. */
#include "bench.h"

static void kernel_trisolv(int n, real L[n][n], real x[n], real b[n]) {
  for (int i = 0; i < n; i++) { /* EXPECT: sequential */
    x[i] = b[i];
    for (int j = 0; j < i; j++) /* EXPECT: reduction(+) */
      x[i] -= L[i][j] * x[j];
    x[i] = x[i] / L[i][i];
  }
}

int main(void) {
  int n = bench_size("N", 40, 120, 2000);
  real(*L)[n] = bench_alloc(sizeof(real[n][n]));
  real* x = bench_alloc(sizeof(real[n]));
  real* b = bench_alloc(sizeof(real[n]));
  bench_fill(L, (size_t)n * n, 1, -1, 1);
  for (int i = 0; i < n; i++)
    L[i][i] = (real)n;
  bench_fill(b, n, 2, -1, 1);

  double start = bench_now();
  kernel_trisolv(n, L, x, b);
  bench_time("trisolv", start);

  bench_report("x", x, n);
  free(L), free(x), free(b);
  return 0;
}
