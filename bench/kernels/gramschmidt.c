/* gramschmidt: the QR factors of a matrix by modified Gram-Schmidt orthogonalisation.
   A = Q R, Q m x n with orthonormal columns, R n x n upper triangular; A is used up. */
#include "bench.h"

static void kernel_gramschmidt(int m, int n, real A[m][n], real R[n][n], real Q[m][n]) {
  for (int k = 0; k < n; k++) { /* EXPECT: sequential */
    real norm = 0;
    for (int i = 0; i < m; i++) /* EXPECT: reduction(+) */
      norm += A[i][k] * A[i][k];
    R[k][k] = SQRT(norm);
    for (int i = 0; i < m; i++) /* EXPECT: parallel */
      Q[i][k] = A[i][k] / R[k][k];
    for (int j = k + 1; j < n; j++) { /* EXPECT: parallel */
      R[k][j] = 0;
      for (int i = 0; i < m; i++) /* EXPECT: reduction(+) */
        R[k][j] += Q[i][k] * A[i][j];
      for (int i = 0; i < m; i++) /* EXPECT: parallel */
        A[i][j] -= Q[i][k] * R[k][j];
    }
  }
}

int main(void) {
  /* At least as many rows as columns: PolyBench has fewer (1000 x 1200), so that its last columns are
     rounding errors blown up to length one. */
  int m = bench_size("M", 32, 84, 1200);
  int n = bench_size("N", 30, 80, 1200);
  real(*A)[n] = bench_alloc(sizeof(real[m][n]));
  real(*R)[n] = bench_alloc(sizeof(real[n][n]));
  real(*Q)[n] = bench_alloc(sizeof(real[m][n]));
  /* The random part's singular values are below 1.2 sqrt(m) or so: the shift keeps A's well above zero. */
  bench_fill(A, (size_t)m * n, 1, -1, 1);
  for (int i = 0; i < n && i < m; i++)
    A[i][i] += (real)(2 * sqrt(m));
  bench_fill(R, (size_t)n * n, 2, 0, 0);

  double start = bench_now();
  kernel_gramschmidt(m, n, A, R, Q);
  bench_time("gramschmidt", start);

  bench_report("R", R, (size_t)n * n);
  bench_report("Q", Q, (size_t)m * n);
  bench_report("A", A, (size_t)m * n);
  free(A), free(R), free(Q);
  return 0;
}
