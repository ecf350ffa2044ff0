/* gesummv: the weighted sum of two matrix-vector products.
   y = alpha A x + beta B x, with tmp = A x. */
#include "bench.h"

static void kernel_gesummv(int n, real alpha, real beta, real A[n][n], real B[n][n], real tmp[n], real x[n],
                           real y[n]) {
  for (int i = 0; i < n; i++) { /* EXPECT: parallel */
    tmp[i] = 0;
    y[i] = 0;
    for (int j = 0; j < n; j++) { /* EXPECT: reduction(+) */
      tmp[i] = A[i][j] * x[j] + tmp[i];
      y[i] = B[i][j] * x[j] + y[i];
    }
    y[i] = alpha * tmp[i] + beta * y[i];
  }
}

int main(void) {
  int n = bench_size("N", 30, 90, 1300);
  real(*A)[n] = bench_alloc(sizeof(real[n][n]));
  real(*B)[n] = bench_alloc(sizeof(real[n][n]));
  real* tmp = bench_alloc(sizeof(real[n]));
  real* x = bench_alloc(sizeof(real[n]));
  real* y = bench_alloc(sizeof(real[n]));
  bench_fill(A, (size_t)n * n, 1, -1, 1);
  bench_fill(B, (size_t)n * n, 2, -1, 1);
  bench_fill(x, n, 3, -1, 1);

  double start = bench_now();
  kernel_gesummv(n, (real)1.5, (real)1.2, A, B, tmp, x, y);
  bench_time("gesummv", start);

  bench_report("y", y, n);
  bench_report("tmp", tmp, n);
  free(A), free(B), free(tmp), free(x), free(y);
  return 0;
}
