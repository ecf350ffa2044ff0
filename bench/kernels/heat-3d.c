/* heat-3d: heat conduction in a cube, explicit time steps, two grids in turn.
   B = A + (second differences of A along the three dimensions) / 8, then A from B. */
#include "bench.h"

static void kernel_heat_3d(int tsteps, int n, real A[n][n][n], real B[n][n][n]) {
  const real eighth = (real)0.125;

  for (int t = 1; t <= tsteps; t++) {   /* EXPECT: sequential */
    for (int i = 1; i < n - 1; i++)     /* EXPECT: parallel */
      for (int j = 1; j < n - 1; j++)   /* EXPECT: parallel */
        for (int k = 1; k < n - 1; k++) /* EXPECT: parallel */
          B[i][j][k] = eighth * (A[i + 1][j][k] - 2 * A[i][j][k] + A[i - 1][j][k]) +
                       eighth * (A[i][j + 1][k] - 2 * A[i][j][k] + A[i][j - 1][k]) +
                       eighth * (A[i][j][k + 1] - 2 * A[i][j][k] + A[i][j][k - 1]) + A[i][j][k];
    for (int i = 1; i < n - 1; i++)     /* EXPECT: parallel */
      for (int j = 1; j < n - 1; j++)   /* EXPECT: parallel */
        for (int k = 1; k < n - 1; k++) /* EXPECT: parallel */
          A[i][j][k] = eighth * (B[i + 1][j][k] - 2 * B[i][j][k] + B[i - 1][j][k]) +
                       eighth * (B[i][j + 1][k] - 2 * B[i][j][k] + B[i][j - 1][k]) +
                       eighth * (B[i][j][k + 1] - 2 * B[i][j][k] + B[i][j][k - 1]) + B[i][j][k];
  }
}

int main(void) {
  int tsteps = bench_size("TSTEPS", 20, 40, 500);
  int n = bench_size("N", 10, 20, 120);
  real(*A)[n][n] = bench_alloc(sizeof(real[n][n][n]));
  real(*B)[n][n] = bench_alloc(sizeof(real[n][n][n]));
  bench_fill(A, (size_t)n * n * n, 1, 0, 1);
  bench_fill(B, (size_t)n * n * n, 1, 0, 1);

  double start = bench_now();
  kernel_heat_3d(tsteps, n, A, B);
  bench_time("heat-3d", start);

  bench_report("A", A, (size_t)n * n * n);
  bench_report("B", B, (size_t)n * n * n);
  free(A), free(B);
  return 0;
}
