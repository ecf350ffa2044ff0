/* mvt: a matrix times one vector and its transpose times another.
   x1 += A y1 and x2 += A^T y2. */
#include "bench.h"

static void kernel_mvt(int n, real x1[n], real x2[n], real y1[n], real y2[n], real A[n][n]) {
  for (int i = 0; i < n; i++)   /* EXPECT: parallel */
    for (int j = 0; j < n; j++) /* EXPECT: reduction(+) */
      x1[i] += A[i][j] * y1[j];

  for (int i = 0; i < n; i++)   /* EXPECT: parallel */
    for (int j = 0; j < n; j++) /* EXPECT: reduction(+) */
      x2[i] += A[j][i] * y2[j];
}

int main(void) {
  int n = bench_size("N", 40, 120, 2000);
  real(*A)[n] = bench_alloc(sizeof(real[n][n]));
  real* x1 = bench_alloc(sizeof(real[n]));
  real* x2 = bench_alloc(sizeof(real[n]));
  real* y1 = bench_alloc(sizeof(real[n]));
  real* y2 = bench_alloc(sizeof(real[n]));
  bench_fill(A, (size_t)n * n, 1, -1, 1);
  bench_fill(x1, n, 2, -1, 1);
  bench_fill(x2, n, 3, -1, 1);
  bench_fill(y1, n, 4, -1, 1);
  bench_fill(y2, n, 5, -1, 1);

  double start = bench_now();
  kernel_mvt(n, x1, x2, y1, y2, A);
  bench_time("mvt", start);

  bench_report("x1", x1, n);
  bench_report("x2", x2, n);
  free(A), free(x1), free(x2), free(y1), free(y2);
  return 0;
}
