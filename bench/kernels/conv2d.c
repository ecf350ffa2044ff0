/* conv2d: an n x n image from a padded one by a w x w mask.
   out[i][j] += sum_kl in[i+k][j+l] mask[k][l]. */
#include "bench.h"

static void kernel_conv2d(int n, int w, real in[n + w][n + w], real mask[w][w], real out[n][n]) {
  for (int i = 0; i < n; i++)       /* EXPECT: parallel */
    for (int j = 0; j < n; j++)     /* EXPECT: parallel */
      for (int k = 0; k < w; k++)   /* EXPECT: reduction(+) */
        for (int l = 0; l < w; l++) /* EXPECT: reduction(+) */
          out[i][j] += in[i + k][j + l] * mask[k][l];
}

int main(void) {
  int n = bench_size("N", 30, 120, 4096);
  int w = bench_size("W", 5, 8, 16);
  real(*in)[n + w] = bench_alloc(sizeof(real[n + w][n + w]));
  real(*mask)[w] = bench_alloc(sizeof(real[w][w]));
  real(*out)[n] = bench_alloc(sizeof(real[n][n]));
  bench_fill(in, (size_t)(n + w) * (n + w), 1, 0, 1);
  bench_fill(mask, (size_t)w * w, 2, -1, 1);
  bench_fill(out, (size_t)n * n, 3, 0, 0);

  double start = bench_now();
  kernel_conv2d(n, w, in, mask, out);
  bench_time("conv2d", start);

  bench_report("out", out, (size_t)n * n);
  free(in), free(mask), free(out);
  return 0;
}
