/* syr2k: the symmetric rank-2k update, lower triangle only.
   C = alpha (A B^T + B A^T) + beta C, C n x n, A and B n x m. */
#include "bench.h"

static void kernel_syr2k(int n, int m, real alpha, real beta, real C[n][n], real A[n][m], real B[n][m]) {
  for (int i = 0; i < n; i++) {  /* EXPECT: parallel */
    for (int j = 0; j <= i; j++) /* EXPECT: parallel */
      C[i][j] *= beta;
    for (int k = 0; k < m; k++)    /* EXPECT: reduction(+) */
      for (int j = 0; j <= i; j++) /* EXPECT: parallel */
        C[i][j] += A[j][k] * alpha * B[i][k] + B[j][k] * alpha * A[i][k];
  }
}

int main(void) {
  int m = bench_size("M", 20, 60, 1000);
  int n = bench_size("N", 30, 80, 1200);
  real(*A)[m] = bench_alloc(sizeof(real[n][m]));
  real(*B)[m] = bench_alloc(sizeof(real[n][m]));
  real(*C)[n] = bench_alloc(sizeof(real[n][n]));
  bench_fill(A, (size_t)n * m, 1, -1, 1);
  bench_fill(B, (size_t)n * m, 2, -1, 1);
  bench_fill(C, (size_t)n * n, 3, -1, 1);

  double start = bench_now();
  kernel_syr2k(n, m, (real)1.5, (real)1.2, C, A, B);
  bench_time("syr2k", start);

  bench_report("C", C, (size_t)n * n);
  free(A), free(B), free(C);
  return 0;
}
