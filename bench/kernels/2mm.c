/* 2mm: two matrix products in a row.
   D = alpha A B C + beta D, by way of tmp = alpha A B. */
#include "bench.h"

static void kernel_2mm(int ni, int nj, int nk, int nl, real alpha, real beta, real tmp[ni][nj],
                       real A[ni][nk], real B[nk][nj], real C[nj][nl], real D[ni][nl]) {
  for (int i = 0; i < ni; i++)     /* EXPECT: parallel */
    for (int j = 0; j < nj; j++) { /* EXPECT: parallel */
      tmp[i][j] = 0;
      for (int k = 0; k < nk; k++) /* EXPECT: reduction(+) */
        tmp[i][j] += alpha * A[i][k] * B[k][j];
    }

  for (int i = 0; i < ni; i++)     /* EXPECT: parallel */
    for (int j = 0; j < nl; j++) { /* EXPECT: parallel */
      D[i][j] *= beta;
      for (int k = 0; k < nj; k++) /* EXPECT: reduction(+) */
        D[i][j] += tmp[i][k] * C[k][j];
    }
}

int main(void) {
  int ni = bench_size("NI", 16, 40, 800);
  int nj = bench_size("NJ", 18, 50, 900);
  int nk = bench_size("NK", 22, 70, 1100);
  int nl = bench_size("NL", 24, 80, 1200);
  real(*tmp)[nj] = bench_alloc(sizeof(real[ni][nj]));
  real(*A)[nk] = bench_alloc(sizeof(real[ni][nk]));
  real(*B)[nj] = bench_alloc(sizeof(real[nk][nj]));
  real(*C)[nl] = bench_alloc(sizeof(real[nj][nl]));
  real(*D)[nl] = bench_alloc(sizeof(real[ni][nl]));
  bench_fill(A, (size_t)ni * nk, 1, -1, 1);
  bench_fill(B, (size_t)nk * nj, 2, -1, 1);
  bench_fill(C, (size_t)nj * nl, 3, -1, 1);
  bench_fill(D, (size_t)ni * nl, 4, -1, 1);

  double start = bench_now();
  kernel_2mm(ni, nj, nk, nl, (real)1.5, (real)1.2, tmp, A, B, C, D);
  bench_time("2mm", start);

  bench_report("D", D, (size_t)ni * nl);
  bench_report("tmp", tmp, (size_t)ni * nj);
  free(tmp), free(A), free(B), free(C), free(D);
  return 0;
}
