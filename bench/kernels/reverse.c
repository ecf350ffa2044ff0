/* reverse: an array of integers back to front.
   out[n-1-i] = in[i]. */
#include "bench.h"

static void kernel_reverse(int n, int in[n], int out[n]) {
  for (int i = 0; i < n; i++) /* EXPECT: parallel */
    out[n - 1 - i] = in[i];
}

int main(void) {
  int n = bench_size("N", 100, 5000, 1 << 25);
  int* in = bench_alloc(sizeof(int[n]));
  int* out = bench_alloc(sizeof(int[n]));
  bench_fill_int(in, n, 1, 1000000);

  double start = bench_now();
  kernel_reverse(n, in, out);
  bench_time("reverse", start);

  bench_report_int("out", out, n);
  free(in), free(out);
  return 0;
}
