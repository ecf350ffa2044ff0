/* durbin: the Yule-Walker equations by Durbin's recursion.
   T y = -r, T the symmetric Toeplitz matrix with first row 1, r[0], ..., r[n-2]. */
#include "bench.h"

static void kernel_durbin(int n, real r[n], real y[n], real z[n]) {
  y[0] = -r[0];
  real beta = 1;
  real alpha = -r[0];

  for (int k = 1; k < n; k++) { /* EXPECT: sequential */
    beta = (1 - alpha * alpha) * beta;
    real sum = 0;
    for (int i = 0; i < k; i++) /* EXPECT: reduction(+) */
      sum += r[k - i - 1] * y[i];
    alpha = -(r[k] + sum) / beta;
    for (int i = 0; i < k; i++) /* EXPECT: parallel */
      z[i] = y[i] + alpha * y[k - i - 1];
    for (int i = 0; i < k; i++) /* EXPECT: parallel */
      y[i] = z[i];
    y[k] = alpha;
  }
}

int main(void) {
  int n = bench_size("N", 40, 120, 2000);
  real* r = bench_alloc(sizeof(real[n]));
  real* y = bench_alloc(sizeof(real[n]));
  real* z = bench_alloc(sizeof(real[n]));
  /* A convex sequence that falls to zero makes T positive definite. */
  for (int i = 0; i < n; i++)
    r[i] = (real)1 / (real)(i + 2);
  bench_fill(z, n, 1, 0, 0);

  double start = bench_now();
  kernel_durbin(n, r, y, z);
  bench_time("durbin", start);

  bench_report("y", y, n);
  bench_report("z", z, n);
  free(r), free(y), free(z);
  return 0;
}
