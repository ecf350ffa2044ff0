/* jacobi-1d-halves: a three-point mean over a line, many times, from half of an array into the other half.
   upper[i] = (lower[i-1] + lower[i] + lower[i+1]) / 3 in even steps, the other way round in odd ones. */
#include "bench.h"

static void kernel_jacobi_1d_halves(int steps, int n, real a[2 * n]) {
  for (int t = 0; t < steps; t++)     /* EXPECT: sequential */
    for (int p = 0; p < n - 2; p++) { /* EXPECT: parallel */
      int middle = p + 1;
      int upper = n + p;
      if (t % 2)
        a[middle] = (a[upper] + a[upper + 1] + a[upper + 2]) / 3;
      else
        a[upper + 1] = (a[p] + a[middle] + a[p + 2]) / 3;
    }
}

int main(void) {
  int steps = bench_size("STEPS", 4, 10, 100);
  int n = bench_size("N", 50, 1000, 4000000);
  real* a = bench_alloc(sizeof(real[2 * n]));
  /* Both halves start alike, so that they have the same boundary values. */
  bench_fill(a, n, 1, 0, 1);
  bench_fill(a + n, n, 1, 0, 1);

  double start = bench_now();
  kernel_jacobi_1d_halves(steps, n, a);
  bench_time("jacobi-1d-halves", start);

  bench_report("a", a, (size_t)2 * n);
  free(a);
  return 0;
}
