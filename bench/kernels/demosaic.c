/* demosaic: the green channel of a colour-filter image, without a border of 16.
   out(i, j) = in(i+15, j+15) + (its four neighbours) / 4; in is n x n, out (n-16) x (n-16), both linear. */
#include "bench.h"

static void kernel_demosaic(int n, real* restrict in, real* restrict out) {
  for (int i = 0; i < n - 16; i++)   /* EXPECT: parallel */
    for (int j = 0; j < n - 16; j++) /* EXPECT: parallel */
      out[i * (n - 16) + j] = in[(i + 15) * n + (j + 15)] +
                              (real)0.25 * (in[(i + 14) * n + (j + 15)] + in[(i + 15) * n + (j + 14)] +
                                            in[(i + 15) * n + (j + 16)] + in[(i + 16) * n + (j + 15)]);
}

int main(void) {
  int n = bench_size("N", 50, 200, 4096);
  size_t side = n > 16 ? n - 16 : 0;
  real* in = bench_alloc(sizeof(real[n][n]));
  real* out = bench_alloc(sizeof(real) * side * side);
  bench_fill(in, (size_t)n * n, 1, 0, 1);

  double start = bench_now();
  kernel_demosaic(n, in, out);
  bench_time("demosaic", start);

  bench_report("out", out, side * side);
  free(in), free(out);
  return 0;
}
