/* jacobi-2d-linear: a four-point mean over a rectangle, many times, copied back after each step.
   b(i, j) = (a(i-1, j) + a(i+1, j) + a(i, j-1) + a(i, j+1)) / 4, then a = b; (i, j) is at [i*n+j]. */
#include "bench.h"

static void kernel_jacobi_2d_linear(int steps, int m, int n, real* a, real* b) {
  for (int t = 0; t < steps; t++) {   /* EXPECT: sequential */
    for (int i = 1; i < m - 1; i++)   /* EXPECT: parallel */
      for (int j = 1; j < n - 1; j++) /* EXPECT: parallel */
        b[i * n + j] = (a[(i - 1) * n + j] + a[(i + 1) * n + j] + a[i * n + j - 1] + a[i * n + j + 1]) / 4;
    for (int i = 1; i < m - 1; i++)   /* EXPECT: parallel */
      for (int j = 1; j < n - 1; j++) /* EXPECT: parallel */
        a[i * n + j] = b[i * n + j];
  }
}

int main(void) {
  int steps = bench_size("STEPS", 4, 10, 50);
  int m = bench_size("M", 24, 80, 4098);
  int n = bench_size("N", 30, 100, 4098);
  real* a = bench_alloc(sizeof(real[m][n]));
  real* b = bench_alloc(sizeof(real[m][n]));
  bench_fill(a, (size_t)m * n, 1, 0, 1);
  bench_fill(b, (size_t)m * n, 2, 0, 0);

  double start = bench_now();
  kernel_jacobi_2d_linear(steps, m, n, a, b);
  bench_time("jacobi-2d-linear", start);

  bench_report("a", a, (size_t)m * n);
  bench_report("b", b, (size_t)m * n);
  free(a), free(b);
  return 0;
}
