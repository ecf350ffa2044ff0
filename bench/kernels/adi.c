/* adi: heat conduction on a square by alternating directions, each time step two sets of tridiagonal systems.
   (1 + a_x) v = (1 - d_y) u along columns, then (1 + d_y) u = (1 - a_x) v along rows; boundary value 1. */
#include "bench.h"

static void kernel_adi(int tsteps, int n, real u[n][n], real v[n][n], real p[n][n], real q[n][n]) {
  real dx = (real)1 / (real)n;
  real dt = (real)1 / (real)tsteps;
  real mul1 = 2 * dt / (dx * dx);
  real mul2 = 1 * dt / (dx * dx);
  real a = -mul1 / 2, b = 1 + mul1, c = a;
  real d = -mul2 / 2, e = 1 + mul2, f = d;

  for (int t = 1; t <= tsteps; t++) { /* EXPECT: sequential */
    /* Column by column: eliminate downwards, substitute upwards. */
    for (int i = 1; i < n - 1; i++) { /* EXPECT: parallel */
      v[0][i] = 1;
      p[i][0] = 0;
      q[i][0] = v[0][i];
      for (int j = 1; j < n - 1; j++) { /* EXPECT: sequential */
        p[i][j] = -c / (a * p[i][j - 1] + b);
        q[i][j] = (-d * u[j][i - 1] + (1 + 2 * d) * u[j][i] - f * u[j][i + 1] - a * q[i][j - 1]) /
                  (a * p[i][j - 1] + b);
      }
      v[n - 1][i] = 1;
      for (int j = n - 2; j >= 1; j--) /* EXPECT: sequential */
        v[j][i] = p[i][j] * v[j + 1][i] + q[i][j];
    }
    /* Row by row. */
    for (int i = 1; i < n - 1; i++) { /* EXPECT: parallel */
      u[i][0] = 1;
      p[i][0] = 0;
      q[i][0] = u[i][0];
      for (int j = 1; j < n - 1; j++) { /* EXPECT: sequential */
        p[i][j] = -f / (d * p[i][j - 1] + e);
        q[i][j] = (-a * v[i - 1][j] + (1 + 2 * a) * v[i][j] - c * v[i + 1][j] - d * q[i][j - 1]) /
                  (d * p[i][j - 1] + e);
      }
      u[i][n - 1] = 1;
      for (int j = n - 2; j >= 1; j--) /* EXPECT: sequential */
        u[i][j] = p[i][j] * u[i][j + 1] + q[i][j];
    }
  }
}

int main(void) {
  int tsteps = bench_size("TSTEPS", 20, 40, 500);
  int n = bench_size("N", 20, 60, 1000);
  real(*u)[n] = bench_alloc(sizeof(real[n][n]));
  real(*v)[n] = bench_alloc(sizeof(real[n][n]));
  real(*p)[n] = bench_alloc(sizeof(real[n][n]));
  real(*q)[n] = bench_alloc(sizeof(real[n][n]));
  bench_fill(u, (size_t)n * n, 1, 0, 1);
  bench_fill(v, (size_t)n * n, 2, 0, 0);
  bench_fill(p, (size_t)n * n, 3, 0, 0);
  bench_fill(q, (size_t)n * n, 4, 0, 0);

  double start = bench_now();
  kernel_adi(tsteps, n, u, v, p, q);
  bench_time("adi", start);

  bench_report("u", u, (size_t)n * n);
  bench_report("v", v, (size_t)n * n);
  bench_report("p", p, (size_t)n * n);
  bench_report("q", q, (size_t)n * n);
  free(u), free(v), free(p), free(q);
  return 0;
}
