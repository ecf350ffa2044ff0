/* fdtd-2d: Maxwell's equations in the plane by finite differences in the time domain.
   e_y -= (dh/dx)/2, e_x -= (dh/dy)/2, h -= 0.7 (de_x/dy + de_y/dx), with a source on the edge x = 0. */
#include "bench.h"

static void kernel_fdtd_2d(int tmax, int nx, int ny, real ex[nx][ny], real ey[nx][ny], real hz[nx][ny],
                           real source[tmax]) {
  for (int t = 0; t < tmax; t++) { /* EXPECT: sequential */
    for (int j = 0; j < ny; j++)   /* EXPECT: parallel */
      ey[0][j] = source[t];
    for (int i = 1; i < nx; i++)   /* EXPECT: parallel */
      for (int j = 0; j < ny; j++) /* EXPECT: parallel */
        ey[i][j] = ey[i][j] - (real)0.5 * (hz[i][j] - hz[i - 1][j]);
    for (int i = 0; i < nx; i++)   /* EXPECT: parallel */
      for (int j = 1; j < ny; j++) /* EXPECT: parallel */
        ex[i][j] = ex[i][j] - (real)0.5 * (hz[i][j] - hz[i][j - 1]);
    for (int i = 0; i < nx - 1; i++)   /* EXPECT: parallel */
      for (int j = 0; j < ny - 1; j++) /* EXPECT: parallel */
        hz[i][j] = hz[i][j] - (real)0.7 * (ex[i][j + 1] - ex[i][j] + ey[i + 1][j] - ey[i][j]);
  }
}

int main(void) {
  int tmax = bench_size("TMAX", 20, 40, 500);
  int nx = bench_size("NX", 20, 60, 1000);
  int ny = bench_size("NY", 30, 80, 1200);
  real(*ex)[ny] = bench_alloc(sizeof(real[nx][ny]));
  real(*ey)[ny] = bench_alloc(sizeof(real[nx][ny]));
  real(*hz)[ny] = bench_alloc(sizeof(real[nx][ny]));
  real* source = bench_alloc(sizeof(real[tmax]));
  bench_fill(ex, (size_t)nx * ny, 1, -1, 1);
  bench_fill(ey, (size_t)nx * ny, 2, -1, 1);
  bench_fill(hz, (size_t)nx * ny, 3, -1, 1);
  for (int t = 0; t < tmax; t++)
    source[t] = (real)sin(0.1 * t);

  double start = bench_now();
  kernel_fdtd_2d(tmax, nx, ny, ex, ey, hz, source);
  bench_time("fdtd-2d", start);

  bench_report("ex", ex, (size_t)nx * ny);
  bench_report("ey", ey, (size_t)nx * ny);
  bench_report("hz", hz, (size_t)nx * ny);
  free(ex), free(ey), free(hz), free(source);
  return 0;
}
