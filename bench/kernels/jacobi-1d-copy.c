/* jacobi-1d-copy: a three-point mean over a line, many times, copied back after each step.
   b[i] = (a[i-1] + a[i] + a[i+1]) / 3, then a[i] = b[i]. */
#include "bench.h"

static void kernel_jacobi_1d_copy(int steps, int n, real a[n], real b[n]) {
  for (int t = 0; t < steps; t++) { /* EXPECT: sequential */
    for (int i = 1; i < n - 1; i++) /* EXPECT: parallel */
      b[i] = (a[i - 1] + a[i] + a[i + 1]) / 3;
    for (int i = 1; i < n - 1; i++) /* EXPECT: parallel */
      a[i] = b[i];
  }
}

int main(void) {
  int steps = bench_size("STEPS", 4, 10, 100);
  int n = bench_size("N", 50, 1000, 4000000);
  real* a = bench_alloc(sizeof(real[n]));
  real* b = bench_alloc(sizeof(real[n]));
  bench_fill(a, n, 1, 0, 1);
  bench_fill(b, n, 2, 0, 0);

  double start = bench_now();
  kernel_jacobi_1d_copy(steps, n, a, b);
  bench_time("jacobi-1d-copy", start);

  bench_report("a", a, n);
  bench_report("b", b, n);
  free(a), free(b);
  return 0;
}
