/* polynomial: the product of two dense polynomials with n coefficients each.
   c[i+j] += a[i] b[j], c cleared first. */
#include "bench.h"

static void kernel_polynomial(int n, real a[n], real b[n], real c[2 * n - 1]) {
  for (int k = 0; k < 2 * n - 1; k++) /* EXPECT: parallel */
    c[k] = 0;
  for (int i = 0; i < n; i++)   /* EXPECT: reduction(+) */
    for (int j = 0; j < n; j++) /* EXPECT: parallel */
      c[i + j] += a[i] * b[j];
}

int main(void) {
  int n = bench_size("N", 40, 500, 65536);
  real* a = bench_alloc(sizeof(real[n]));
  real* b = bench_alloc(sizeof(real[n]));
  real* c = bench_alloc(sizeof(real[2 * n - 1]));
  bench_fill(a, n, 1, -1, 1);
  bench_fill(b, n, 2, -1, 1);

  double start = bench_now();
  kernel_polynomial(n, a, b, c);
  bench_time("polynomial", start);

  bench_report("c", c, (size_t)2 * n - 1);
  free(a), free(b), free(c);
  return 0;
}
