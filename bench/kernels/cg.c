/* cg: a system with a symmetric positive definite matrix by the method of conjugate gradients.
   A x = b, until the squared residual r.r falls below the tolerance or `steps` steps are done. */
/* ON HOST: `break` may end the loop */
#include "bench.h"

static void kernel_cg(int n, int steps, real tolerance, real A[n][n], real b[n], real x[n], real r[n],
                      real p[n], real q[n]) {
  for (int i = 0; i < n; i++) { /* EXPECT: parallel */
    real product = 0;
    for (int j = 0; j < n; j++) /* EXPECT: reduction(+) */
      product += A[i][j] * x[j];
    r[i] = b[i] - product;
    p[i] = r[i];
  }
  real rr = 0;
  for (int i = 0; i < n; i++) /* EXPECT: reduction(+) */
    rr += r[i] * r[i];

  for (int step = 0; step < steps; step++) { /* EXPECT: sequential */
    for (int i = 0; i < n; i++) {            /* EXPECT: parallel */
      q[i] = 0;
      for (int j = 0; j < n; j++) /* EXPECT: reduction(+) */
        q[i] += A[i][j] * p[j];
    }
    real pq = 0;
    for (int i = 0; i < n; i++) /* EXPECT: reduction(+) */
      pq += p[i] * q[i];
    real alpha = rr / pq;
    for (int i = 0; i < n; i++) { /* EXPECT: parallel */
      x[i] += alpha * p[i];
      r[i] -= alpha * q[i];
    }
    real next = 0;
    for (int i = 0; i < n; i++) /* EXPECT: reduction(+) */
      next += r[i] * r[i];
    if (next < tolerance) break;
    real beta = next / rr;
    for (int i = 0; i < n; i++) /* EXPECT: parallel */
      p[i] = beta * p[i] + r[i];
    rr = next;
  }
}

int main(void) {
  int n = bench_size("N", 30, 120, 4096);
  int steps = bench_size("STEPS", 50, 50, 50);
  real(*A)[n] = bench_alloc(sizeof(real[n][n]));
  real* b = bench_alloc(sizeof(real[n]));
  real* x = bench_alloc(sizeof(real[n]));
  real* r = bench_alloc(sizeof(real[n]));
  real* p = bench_alloc(sizeof(real[n]));
  real* q = bench_alloc(sizeof(real[n]));
  bench_fill_spd(n, A, 1);
  bench_fill(b, n, 2, -1, 1);
  bench_fill(x, n, 3, 0, 0);

  double start = bench_now();
  kernel_cg(n, steps, (real)1e-10, A, b, x, r, p, q);
  bench_time("cg", start);

  bench_report("x", x, n);
  bench_report("r", r, n);
  bench_report("p", p, n);
  bench_report("q", q, n);
  free(A), free(b), free(x), free(r), free(p), free(q);
  return 0;
}
