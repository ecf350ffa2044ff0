/* jacobi-3d-linear: a six-point mean over a box, many times, two arrays in turn; plain pointers.
   b(i, j, k) = (the six neighbours of a(i, j, k)) / 6, then a from b; (i, j, k) is at [(i*ny+j)*nz+k]. */
#include "bench.h"

static void kernel_jacobi_3d_linear(int steps, int nx, int ny, int nz, real* a, real* b) {
  for (int t = 0; t < steps; t++) {      /* EXPECT: sequential */
    for (int i = 1; i < nx - 1; i++)     /* EXPECT: parallel */
      for (int j = 1; j < ny - 1; j++)   /* EXPECT: parallel */
        for (int k = 1; k < nz - 1; k++) /* EXPECT: parallel */
          b[(i * ny + j) * nz + k] = (a[((i - 1) * ny + j) * nz + k] + a[((i + 1) * ny + j) * nz + k] +
                                      a[(i * ny + j - 1) * nz + k] + a[(i * ny + j + 1) * nz + k] +
                                      a[(i * ny + j) * nz + k - 1] + a[(i * ny + j) * nz + k + 1]) /
                                     6;
    for (int i = 1; i < nx - 1; i++)     /* EXPECT: parallel */
      for (int j = 1; j < ny - 1; j++)   /* EXPECT: parallel */
        for (int k = 1; k < nz - 1; k++) /* EXPECT: parallel */
          a[(i * ny + j) * nz + k] = (b[((i - 1) * ny + j) * nz + k] + b[((i + 1) * ny + j) * nz + k] +
                                      b[(i * ny + j - 1) * nz + k] + b[(i * ny + j + 1) * nz + k] +
                                      b[(i * ny + j) * nz + k - 1] + b[(i * ny + j) * nz + k + 1]) /
                                     6;
  }
}

int main(void) {
  int steps = bench_size("STEPS", 4, 10, 20);
  int nx = bench_size("NX", 10, 20, 256);
  int ny = bench_size("NY", 12, 24, 256);
  int nz = bench_size("NZ", 14, 28, 256);
  real* a = bench_alloc(sizeof(real[nx][ny][nz]));
  real* b = bench_alloc(sizeof(real[nx][ny][nz]));
  bench_fill(a, (size_t)nx * ny * nz, 1, 0, 1);
  bench_fill(b, (size_t)nx * ny * nz, 1, 0, 1);

  double start = bench_now();
  kernel_jacobi_3d_linear(steps, nx, ny, nz, a, b);
  bench_time("jacobi-3d-linear", start);

  bench_report("a", a, (size_t)nx * ny * nz);
  bench_report("b", b, (size_t)nx * ny * nz);
  free(a), free(b);
  return 0;
}
