/* correlation: the correlation matrix of n observations (rows) of m variables (columns).
   corr[i][j] = sum_k z[k][i] z[k][j], where z = (data - mean) / (sqrt(n) stddev), column by column. */
#include "bench.h"

static void kernel_correlation(int m, int n, real data[n][m], real corr[m][m], real mean[m], real stddev[m]) {
  const real count = (real)n;
  const real tiny = (real)0.1;

  for (int j = 0; j < m; j++) { /* EXPECT: parallel */
    mean[j] = 0;
    for (int i = 0; i < n; i++) /* EXPECT: reduction(+) */
      mean[j] += data[i][j];
    mean[j] /= count;
  }

  for (int j = 0; j < m; j++) { /* EXPECT: parallel */
    stddev[j] = 0;
    for (int i = 0; i < n; i++) /* EXPECT: reduction(+) */
      stddev[j] += (data[i][j] - mean[j]) * (data[i][j] - mean[j]);
    stddev[j] /= count;
    stddev[j] = SQRT(stddev[j]);
    /* A column that hardly varies would be blown up by the division below. */
    stddev[j] = stddev[j] <= tiny ? 1 : stddev[j];
  }

  for (int i = 0; i < n; i++)     /* EXPECT: parallel */
    for (int j = 0; j < m; j++) { /* EXPECT: parallel */
      data[i][j] -= mean[j];
      data[i][j] /= SQRT(count) * stddev[j];
    }

  for (int i = 0; i < m - 1; i++) { /* EXPECT: parallel */
    corr[i][i] = 1;
    for (int j = i + 1; j < m; j++) { /* EXPECT: parallel */
      corr[i][j] = 0;
      for (int k = 0; k < n; k++) /* EXPECT: reduction(+) */
        corr[i][j] += data[k][i] * data[k][j];
      corr[j][i] = corr[i][j];
    }
  }
  corr[m - 1][m - 1] = 1;
}

int main(void) {
  int m = bench_size("M", 28, 80, 1200);
  int n = bench_size("N", 32, 100, 1400);
  real(*data)[m] = bench_alloc(sizeof(real[n][m]));
  real(*corr)[m] = bench_alloc(sizeof(real[m][m]));
  real* mean = bench_alloc(sizeof(real[m]));
  real* stddev = bench_alloc(sizeof(real[m]));
  /* Neighbouring variables are made to depend on each other, so that the result is more than noise. */
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      real own = bench_number(1, (uint64_t)i * (uint64_t)m + (uint64_t)j, 0, 10);
      data[i][j] = j == 0 ? own : own / 2 + data[i][j - 1] / 2;
    }

  double start = bench_now();
  kernel_correlation(m, n, data, corr, mean, stddev);
  bench_time("correlation", start);

  bench_report("corr", corr, (size_t)m * m);
  bench_report("data", data, (size_t)n * m);
  bench_report("mean", mean, m);
  bench_report("stddev", stddev, m);
  free(data), free(corr), free(mean), free(stddev);
  return 0;
}
