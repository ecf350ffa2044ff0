/* histogram: how often each value occurs in a square of samples.
   count[v] += 1 for every sample v = sample(i, j), stored row by row behind a plain pointer. */
#include "bench.h"

static void kernel_histogram(int n, int bins, int* restrict sample, int count[bins]) {
  for (int i = 0; i < n; i++)     /* EXPECT: reduction(+) */
    for (int j = 0; j < n; j++) { /* EXPECT: reduction(+) */
      int value = sample[i * n + j];
      count[value] = count[value] + 1;
    }
}

int main(void) {
  int n = bench_size("N", 40, 200, 8192);
  int bins = bench_size("BINS", 16, 64, 1024);
  int* sample = bench_alloc(sizeof(int[n][n]));
  int* count = bench_alloc(sizeof(int[bins]));
  bench_fill_int(sample, (size_t)n * n, 1, bins);
  bench_fill_int(count, bins, 2, 1);

  double start = bench_now();
  kernel_histogram(n, bins, sample, count);
  bench_time("histogram", start);

  bench_report_int("count", count, bins);
  free(sample), free(count);
  return 0;
}
