/* trmm: a triangular matrix, transposed, times a general one, in place.
   B = alpha A^T B, A m x m lower triangular with ones on its diagonal. */
#include "bench.h"

static void kernel_trmm(int m, int n, real alpha, real A[m][m], real B[m][n]) {
  for (int i = 0; i < m; i++)         /* EXPECT: sequential */
    for (int j = 0; j < n; j++) {     /* EXPECT: parallel */
      for (int k = i + 1; k < m; k++) /* EXPECT: reduction(+) */
        B[i][j] += A[k][i] * B[k][j];
      B[i][j] = alpha * B[i][j];
    }
}

int main(void) {
  int m = bench_size("M", 20, 60, 1000);
  int n = bench_size("N", 30, 80, 1200);
  real(*A)[m] = bench_alloc(sizeof(real[m][m]));
  real(*B)[n] = bench_alloc(sizeof(real[m][n]));
  bench_fill(A, (size_t)m * m, 1, -1, 1);
  bench_fill(B, (size_t)m * n, 2, -1, 1);

  double start = bench_now();
  kernel_trmm(m, n, (real)1.5, A, B);
  bench_time("trmm", start);

  bench_report("B", B, (size_t)m * n);
  free(A), free(B);
  return 0;
}
