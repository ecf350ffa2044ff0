/* gemm: the general matrix product of BLAS.
   C = alpha A B + beta C. */
#include "bench.h"

static void kernel_gemm(int ni, int nj, int nk, real alpha, real beta, real C[ni][nj], real A[ni][nk],
                        real B[nk][nj]) {
  for (int i = 0; i < ni; i++) { /* EXPECT: parallel */
    for (int j = 0; j < nj; j++) /* EXPECT: parallel */
      C[i][j] *= beta;
    for (int k = 0; k < nk; k++)   /* EXPECT: reduction(+) */
      for (int j = 0; j < nj; j++) /* EXPECT: parallel */
        C[i][j] += alpha * A[i][k] * B[k][j];
  }
}

int main(void) {
  int ni = bench_size("NI", 20, 60, 1000);
  int nj = bench_size("NJ", 25, 70, 1100);
  int nk = bench_size("NK", 30, 80, 1200);
  real(*A)[nk] = bench_alloc(sizeof(real[ni][nk]));
  real(*B)[nj] = bench_alloc(sizeof(real[nk][nj]));
  real(*C)[nj] = bench_alloc(sizeof(real[ni][nj]));
  bench_fill(A, (size_t)ni * nk, 1, -1, 1);
  bench_fill(B, (size_t)nk * nj, 2, -1, 1);
  bench_fill(C, (size_t)ni * nj, 3, -1, 1);

  double start = bench_now();
  kernel_gemm(ni, nj, nk, (real)1.5, (real)1.2, C, A, B);
  bench_time("gemm", start);

  bench_report("C", C, (size_t)ni * nj);
  free(A), free(B), free(C);
  return 0;
}
