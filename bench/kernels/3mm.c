/* 3mm: three matrix products.
   G = E F with E = A B and F = C D. */
#include "bench.h"

static void kernel_3mm(int ni, int nj, int nk, int nl, int nm, real E[ni][nj], real A[ni][nk], real B[nk][nj],
                       real F[nj][nl], real C[nj][nm], real D[nm][nl], real G[ni][nl]) {
  for (int i = 0; i < ni; i++)     /* EXPECT: parallel */
    for (int j = 0; j < nj; j++) { /* EXPECT: parallel */
      E[i][j] = 0;
      for (int k = 0; k < nk; k++) /* EXPECT: reduction(+) */
        E[i][j] += A[i][k] * B[k][j];
    }

  for (int i = 0; i < nj; i++)     /* EXPECT: parallel */
    for (int j = 0; j < nl; j++) { /* EXPECT: parallel */
      F[i][j] = 0;
      for (int k = 0; k < nm; k++) /* EXPECT: reduction(+) */
        F[i][j] += C[i][k] * D[k][j];
    }

  for (int i = 0; i < ni; i++)     /* EXPECT: parallel */
    for (int j = 0; j < nl; j++) { /* EXPECT: parallel */
      G[i][j] = 0;
      for (int k = 0; k < nj; k++) /* EXPECT: reduction(+) */
        G[i][j] += E[i][k] * F[k][j];
    }
}

int main(void) {
  int ni = bench_size("NI", 16, 40, 800);
  int nj = bench_size("NJ", 18, 50, 900);
  int nk = bench_size("NK", 20, 60, 1000);
  int nl = bench_size("NL", 22, 70, 1100);
  int nm = bench_size("NM", 24, 80, 1200);
  real(*A)[nk] = bench_alloc(sizeof(real[ni][nk]));
  real(*B)[nj] = bench_alloc(sizeof(real[nk][nj]));
  real(*C)[nm] = bench_alloc(sizeof(real[nj][nm]));
  real(*D)[nl] = bench_alloc(sizeof(real[nm][nl]));
  real(*E)[nj] = bench_alloc(sizeof(real[ni][nj]));
  real(*F)[nl] = bench_alloc(sizeof(real[nj][nl]));
  real(*G)[nl] = bench_alloc(sizeof(real[ni][nl]));
  bench_fill(A, (size_t)ni * nk, 1, -1, 1);
  bench_fill(B, (size_t)nk * nj, 2, -1, 1);
  bench_fill(C, (size_t)nj * nm, 3, -1, 1);
  bench_fill(D, (size_t)nm * nl, 4, -1, 1);

  double start = bench_now();
  kernel_3mm(ni, nj, nk, nl, nm, E, A, B, F, C, D, G);
  bench_time("3mm", start);

  bench_report("G", G, (size_t)ni * nl);
  bench_report("E", E, (size_t)ni * nj);
  bench_report("F", F, (size_t)nj * nl);
  free(A), free(B), free(C), free(D), free(E), free(F), free(G);
  return 0;
}
