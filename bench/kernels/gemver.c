/* gemver: a rank-2 update of a matrix and two matrix-vector products with the result.
   A += u1 v1^T + u2 v2^T;  x += beta A^T y + z;  w += alpha A x. */
#include "bench.h"

static void kernel_gemver(int n, real alpha, real beta, real A[n][n], real u1[n], real v1[n], real u2[n],
                          real v2[n], real w[n], real x[n], real y[n], real z[n]) {
  for (int i = 0; i < n; i++)   /* EXPECT: parallel */
    for (int j = 0; j < n; j++) /* EXPECT: parallel */
      A[i][j] += u1[i] * v1[j] + u2[i] * v2[j];

  for (int i = 0; i < n; i++)   /* EXPECT: parallel */
    for (int j = 0; j < n; j++) /* EXPECT: reduction(+) */
      x[i] += beta * A[j][i] * y[j];

  for (int i = 0; i < n; i++) /* EXPECT: parallel */
    x[i] += z[i];

  for (int i = 0; i < n; i++)   /* EXPECT: parallel */
    for (int j = 0; j < n; j++) /* EXPECT: reduction(+) */
      w[i] += alpha * A[i][j] * x[j];
}

int main(void) {
  int n = bench_size("N", 40, 120, 2000);
  real(*A)[n] = bench_alloc(sizeof(real[n][n]));
  real* u1 = bench_alloc(sizeof(real[n]));
  real* v1 = bench_alloc(sizeof(real[n]));
  real* u2 = bench_alloc(sizeof(real[n]));
  real* v2 = bench_alloc(sizeof(real[n]));
  real* w = bench_alloc(sizeof(real[n]));
  real* x = bench_alloc(sizeof(real[n]));
  real* y = bench_alloc(sizeof(real[n]));
  real* z = bench_alloc(sizeof(real[n]));
  bench_fill(A, (size_t)n * n, 1, -1, 1);
  bench_fill(u1, n, 2, -1, 1);
  bench_fill(v1, n, 3, -1, 1);
  bench_fill(u2, n, 4, -1, 1);
  bench_fill(v2, n, 5, -1, 1);
  bench_fill(w, n, 6, -1, 1);
  bench_fill(x, n, 7, -1, 1);
  bench_fill(y, n, 8, -1, 1);
  bench_fill(z, n, 9, -1, 1);

  double start = bench_now();
  kernel_gemver(n, (real)1.5, (real)1.2, A, u1, v1, u2, v2, w, x, y, z);
  bench_time("gemver", start);

  bench_report("w", w, n);
  bench_report("x", x, n);
  bench_report("A", A, (size_t)n * n);
  free(A), free(u1), free(v1), free(u2), free(v2), free(w), free(x), free(y), free(z);
  return 0;
}
