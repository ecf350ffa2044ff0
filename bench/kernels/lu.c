/* lu: the triangular factors of a matrix, without pivoting, in its place.
   A = L U, L lower triangular with ones on its diagonal, U upper triangular. */
#include "bench.h"

static void kernel_lu(int n, real A[n][n]) {
  for (int i = 0; i < n; i++) {   /* EXPECT: sequential */
    for (int j = 0; j < i; j++) { /* EXPECT: sequential */
      for (int k = 0; k < j; k++) /* EXPECT: reduction(+) */
        A[i][j] -= A[i][k] * A[k][j];
      A[i][j] /= A[j][j];
    }
    for (int j = i; j < n; j++)   /* EXPECT: parallel */
      for (int k = 0; k < i; k++) /* EXPECT: reduction(+) */
        A[i][j] -= A[i][k] * A[k][j];
  }
}

int main(void) {
  int n = bench_size("N", 40, 120, 2000);
  real(*A)[n] = bench_alloc(sizeof(real[n][n]));
  bench_fill_spd(n, A, 1);

  double start = bench_now();
  kernel_lu(n, A);
  bench_time("lu", start);

  bench_report("A", A, (size_t)n * n);
  free(A);
  return 0;
}
