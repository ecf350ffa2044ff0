/* jacobi-2d: a five-point mean over a square, many times, two arrays in turn.
   B[i][j] = (A[i][j] and its four neighbours) / 5, then A from B. */
#include "bench.h"

static void kernel_jacobi_2d(int tsteps, int n, real A[n][n], real B[n][n]) {
  const real fifth = (real)0.2;

  for (int t = 0; t < tsteps; t++) {  /* EXPECT: sequential */
    for (int i = 1; i < n - 1; i++)   /* EXPECT: parallel */
      for (int j = 1; j < n - 1; j++) /* EXPECT: parallel */
        B[i][j] = fifth * (A[i][j] + A[i][j - 1] + A[i][j + 1] + A[i + 1][j] + A[i - 1][j]);
    for (int i = 1; i < n - 1; i++)   /* EXPECT: parallel */
      for (int j = 1; j < n - 1; j++) /* EXPECT: parallel */
        A[i][j] = fifth * (B[i][j] + B[i][j - 1] + B[i][j + 1] + B[i + 1][j] + B[i - 1][j]);
  }
}

int main(void) {
  int tsteps = bench_size("TSTEPS", 20, 40, 500);
  int n = bench_size("N", 30, 90, 1300);
  real(*A)[n] = bench_alloc(sizeof(real[n][n]));
  real(*B)[n] = bench_alloc(sizeof(real[n][n]));
  bench_fill(A, (size_t)n * n, 1, 0, 1);
  bench_fill(B, (size_t)n * n, 1, 0, 1);

  double start = bench_now();
  kernel_jacobi_2d(tsteps, n, A, B);
  bench_time("jacobi-2d", start);

  bench_report("A", A, (size_t)n * n);
  bench_report("B", B, (size_t)n * n);
  free(A), free(B);
  return 0;
}
