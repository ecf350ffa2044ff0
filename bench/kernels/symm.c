/* symm: the product of a symmetric matrix, of which the lower triangle is stored, and a general one.
   C = alpha A B + beta C, A m x m symmetric; row i of A also serves as column i. */
#include "bench.h"

static void kernel_symm(int m, int n, real alpha, real beta, real C[m][n], real A[m][m], real B[m][n]) {
  for (int i = 0; i < m; i++)     /* EXPECT: sequential */
    for (int j = 0; j < n; j++) { /* EXPECT: parallel */
      real below = 0;
      for (int k = 0; k < i; k++) { /* EXPECT: reduction(+) */
        C[k][j] += alpha * B[i][j] * A[i][k];
        below += B[k][j] * A[i][k];
      }
      C[i][j] = beta * C[i][j] + alpha * B[i][j] * A[i][i] + alpha * below;
    }
}

int main(void) {
  int m = bench_size("M", 20, 60, 1000);
  int n = bench_size("N", 30, 80, 1200);
  real(*A)[m] = bench_alloc(sizeof(real[m][m]));
  real(*B)[n] = bench_alloc(sizeof(real[m][n]));
  real(*C)[n] = bench_alloc(sizeof(real[m][n]));
  bench_fill(A, (size_t)m * m, 1, -1, 1);
  bench_fill(B, (size_t)m * n, 2, -1, 1);
  bench_fill(C, (size_t)m * n, 3, -1, 1);

  double start = bench_now();
  kernel_symm(m, n, (real)1.5, (real)1.2, C, A, B);
  bench_time("symm", start);

  bench_report("C", C, (size_t)m * n);
  free(A), free(B), free(C);
  return 0;
}
