/* doitgen: a three-dimensional array times a matrix along its last dimension, in place (from multiresolution
   analysis). A[r][q][p] = sum_s A[r][q][s] C[s][p], each row by way of `sum`. */
#include "bench.h"

static void kernel_doitgen(int nr, int nq, int np, real A[nr][nq][np], real C[np][np], real sum[np]) {
  for (int r = 0; r < nr; r++)       /* EXPECT: parallel */
    for (int q = 0; q < nq; q++) {   /* EXPECT: parallel */
      for (int p = 0; p < np; p++) { /* EXPECT: parallel */
        sum[p] = 0;
        for (int s = 0; s < np; s++) /* EXPECT: reduction(+) */
          sum[p] += A[r][q][s] * C[s][p];
      }
      for (int p = 0; p < np; p++) /* EXPECT: parallel */
        A[r][q][p] = sum[p];
    }
}

int main(void) {
  int nq = bench_size("NQ", 8, 20, 140);
  int nr = bench_size("NR", 10, 25, 150);
  int np = bench_size("NP", 12, 30, 160);
  real(*A)[nq][np] = bench_alloc(sizeof(real[nr][nq][np]));
  real(*C)[np] = bench_alloc(sizeof(real[np][np]));
  real* sum = bench_alloc(sizeof(real[np]));
  bench_fill(A, (size_t)nr * nq * np, 1, -1, 1);
  bench_fill(C, (size_t)np * np, 2, -1, 1);

  double start = bench_now();
  kernel_doitgen(nr, nq, np, A, C, sum);
  bench_time("doitgen", start);

  bench_report("A", A, (size_t)nr * nq * np);
  bench_report("sum", sum, np);
  free(A), free(C), free(sum);
  return 0;
}
