/* cholesky: the Cholesky factor of a symmetric positive definite matrix, in place of its lower triangle.
   A = L L^T, L lower triangular. */
#include "bench.h"

static void kernel_cholesky(int n, real A[n][n]) {
  for (int i = 0; i < n; i++) {   /* EXPECT: sequential */
    for (int j = 0; j < i; j++) { /* EXPECT: sequential */
      for (int k = 0; k < j; k++) /* EXPECT: reduction(+) */
        A[i][j] -= A[i][k] * A[j][k];
      A[i][j] /= A[j][j];
    }
    for (int k = 0; k < i; k++) /* EXPECT: reduction(+) */
      A[i][i] -= A[i][k] * A[i][k];
    A[i][i] = SQRT(A[i][i]);
  }
}

int main(void) {
  int n = bench_size("N", 40, 120, 2000);
  real(*A)[n] = bench_alloc(sizeof(real[n][n]));
  bench_fill_spd(n, A, 1);

  double start = bench_now();
  kernel_cholesky(n, A);
  bench_time("cholesky", start);

  bench_report("A", A, (size_t)n * n);
  free(A);
  return 0;
}
