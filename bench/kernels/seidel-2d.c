/* seidel-2d: a nine-point mean over a square in place, many times (Gauss-Seidel).
   A[i][j] = (the 3 x 3 elements around A[i][j]) / 9, half of them already new. */
#include "bench.h"

static void kernel_seidel_2d(int tsteps, int n, real A[n][n]) {
  for (int t = 0; t < tsteps; t++)    /* EXPECT: sequential */
    for (int i = 1; i < n - 1; i++)   /* EXPECT: sequential */
      for (int j = 1; j < n - 1; j++) /* EXPECT: sequential */
        A[i][j] = (A[i - 1][j - 1] + A[i - 1][j] + A[i - 1][j + 1] + A[i][j - 1] + A[i][j] + A[i][j + 1] +
                   A[i + 1][j - 1] + A[i + 1][j] + A[i + 1][j + 1]) /
                  9;
}

int main(void) {
  int tsteps = bench_size("TSTEPS", 20, 40, 500);
  int n = bench_size("N", 40, 120, 2000);
  real(*A)[n] = bench_alloc(sizeof(real[n][n]));
  bench_fill(A, (size_t)n * n, 1, 0, 1);

  double start = bench_now();
  kernel_seidel_2d(tsteps, n, A);
  bench_time("seidel-2d", start);

  bench_report("A", A, (size_t)n * n);
  free(A);
  return 0;
}
