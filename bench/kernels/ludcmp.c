/* ludcmp: a system of linear equations by LU factors, without pivoting, and two substitutions.
   A x = b, with A = L U, L y = b, U x = y. */
#include "bench.h"

static void kernel_ludcmp(int n, real A[n][n], real b[n], real x[n], real y[n]) {
  real w;

  for (int i = 0; i < n; i++) {   /* EXPECT: sequential */
    for (int j = 0; j < i; j++) { /* EXPECT: sequential */
      w = A[i][j];
      for (int k = 0; k < j; k++) /* EXPECT: reduction(+) */
        w -= A[i][k] * A[k][j];
      A[i][j] = w / A[j][j];
    }
    for (int j = i; j < n; j++) { /* EXPECT: parallel */
      w = A[i][j];
      for (int k = 0; k < i; k++) /* EXPECT: reduction(+) */
        w -= A[i][k] * A[k][j];
      A[i][j] = w;
    }
  }

  for (int i = 0; i < n; i++) { /* EXPECT: sequential */
    w = b[i];
    for (int j = 0; j < i; j++) /* EXPECT: reduction(+) */
      w -= A[i][j] * y[j];
    y[i] = w;
  }

  for (int i = n - 1; i >= 0; i--) { /* EXPECT: sequential */
    w = y[i];
    for (int j = i + 1; j < n; j++) /* EXPECT: reduction(+) */
      w -= A[i][j] * x[j];
    x[i] = w / A[i][i];
  }
}

int main(void) {
  int n = bench_size("N", 40, 120, 2000);
  real(*A)[n] = bench_alloc(sizeof(real[n][n]));
  real* b = bench_alloc(sizeof(real[n]));
  real* x = bench_alloc(sizeof(real[n]));
  real* y = bench_alloc(sizeof(real[n]));
  bench_fill_spd(n, A, 1);
  bench_fill(b, n, 2, -1, 1);

  double start = bench_now();
  kernel_ludcmp(n, A, b, x, y);
  bench_time("ludcmp", start);

  bench_report("x", x, n);
  bench_report("y", y, n);
  bench_report("A", A, (size_t)n * n);
  free(A), free(b), free(x), free(y);
  return 0;
}
