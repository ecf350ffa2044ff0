/* spmv: a sparse matrix, its rows packed one after the other, times a vector.
   y = A x, where row i has the elements value[start[i]] .. value[start[i + 1] - 1], in the columns of the same
   numbers; behind plain pointers, so that only the data tells how much of them is used. */
#include "bench.h"

static void kernel_spmv(int n, const int* restrict start, const int* restrict column, const real* restrict value,
                        const real* restrict x, real* restrict y) {
  for (int i = 0; i < n; i++) { /* EXPECT: parallel */
    real sum = 0;
    for (int k = start[i]; k < start[i + 1]; k++) /* EXPECT: reduction(+) */
      sum += value[k] * x[column[k]];
    y[i] = sum;
  }
}

int main(void) {
  int n = bench_size("N", 40, 500, 1000000);
  int most = bench_size("MOST", 5, 12, 64); /* elements of a row */
  int* start = bench_alloc(sizeof(int[n + 1]));
  start[0] = 0;
  for (int i = 0; i < n; i++)
    start[i + 1] = start[i] + (int)(bench_bits(1, (uint64_t)i) % (uint64_t)(most + 1));
  int elements = start[n];
  int* column = bench_alloc(sizeof(int[elements + 1]));
  real* value = bench_alloc(sizeof(real[elements + 1]));
  real* x = bench_alloc(sizeof(real[n]));
  real* y = bench_alloc(sizeof(real[n]));
  bench_fill_int(column, elements, 2, n);
  bench_fill(value, elements, 3, -1, 1);
  bench_fill(x, n, 4, -1, 1);
  bench_fill(y, n, 5, 0, 1);

  double start_time = bench_now();
  kernel_spmv(n, start, column, value, x, y);
  bench_time("spmv", start_time);

  bench_report("y", y, n);
  free(start), free(column), free(value), free(x), free(y);
  return 0;
}
