/* bicg: the two matrix-vector products of a step of the biconjugate gradient method, in one pass over A.
   s = A^T r and q = A p. */
#include "bench.h"

static void kernel_bicg(int m, int n, real A[n][m], real s[m], real q[n], real p[m], real r[n]) {
  for (int j = 0; j < m; j++) /* EXPECT: parallel */
    s[j] = 0;

  for (int i = 0; i < n; i++) { /* EXPECT: reduction(+) */
    q[i] = 0;
    for (int j = 0; j < m; j++) { /* EXPECT: reduction(+) */
      s[j] += r[i] * A[i][j];
      q[i] += A[i][j] * p[j];
    }
  }
}

int main(void) {
  int m = bench_size("M", 38, 116, 1900);
  int n = bench_size("N", 42, 124, 2100);
  real(*A)[m] = bench_alloc(sizeof(real[n][m]));
  real* s = bench_alloc(sizeof(real[m]));
  real* q = bench_alloc(sizeof(real[n]));
  real* p = bench_alloc(sizeof(real[m]));
  real* r = bench_alloc(sizeof(real[n]));
  bench_fill(A, (size_t)n * m, 1, -1, 1);
  bench_fill(p, m, 2, -1, 1);
  bench_fill(r, n, 3, -1, 1);

  double start = bench_now();
  kernel_bicg(m, n, A, s, q, p, r);
  bench_time("bicg", start);

  bench_report("s", s, m);
  bench_report("q", q, n);
  free(A), free(s), free(q), free(p), free(r);
  return 0;
}
