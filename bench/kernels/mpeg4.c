/* mpeg4: the matching step of MPEG-4 motion estimation, a w x w block at every place of the last frame.
   match[i][j] += sum_kl previous[i+k][j+l] block(k, l), element (k, l) at [k*w+l]. */
#include "bench.h"

static void kernel_mpeg4(int n, int w, real previous[n + w][n + w], real* block, real match[n][n]) {
  for (int i = 0; i < n; i++)       /* EXPECT: parallel */
    for (int j = 0; j < n; j++)     /* EXPECT: parallel */
      for (int k = 0; k < w; k++)   /* EXPECT: reduction(+) */
        for (int l = 0; l < w; l++) /* EXPECT: reduction(+) */
          match[i][j] += previous[i + k][j + l] * block[k * w + l];
}

int main(void) {
  int n = bench_size("N", 30, 120, 4096);
  int w = bench_size("W", 4, 8, 16);
  real(*previous)[n + w] = bench_alloc(sizeof(real[n + w][n + w]));
  real* block = bench_alloc(sizeof(real[w * w]));
  real(*match)[n] = bench_alloc(sizeof(real[n][n]));
  bench_fill(previous, (size_t)(n + w) * (n + w), 1, 0, 1);
  bench_fill(block, (size_t)w * w, 2, 0, 1);
  bench_fill(match, (size_t)n * n, 3, 0, 0);

  double start = bench_now();
  kernel_mpeg4(n, w, previous, block, match);
  bench_time("mpeg4", start);

  bench_report("match", match, (size_t)n * n);
  free(previous), free(block), free(match);
  return 0;
}
