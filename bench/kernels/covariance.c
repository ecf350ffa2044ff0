/* covariance: the covariance matrix of n observations (rows) of m variables (columns).
   cov[i][j] = sum_k (data[k][i] - mean[i]) (data[k][j] - mean[j]) / (n - 1). */
#include "bench.h"

static void kernel_covariance(int m, int n, real data[n][m], real cov[m][m], real mean[m]) {
  const real count = (real)n;

  for (int j = 0; j < m; j++) { /* EXPECT: parallel */
    mean[j] = 0;
    for (int i = 0; i < n; i++) /* EXPECT: reduction(+) */
      mean[j] += data[i][j];
    mean[j] /= count;
  }

  for (int i = 0; i < n; i++)   /* EXPECT: parallel */
    for (int j = 0; j < m; j++) /* EXPECT: parallel */
      data[i][j] -= mean[j];

  for (int i = 0; i < m; i++)     /* EXPECT: parallel */
    for (int j = i; j < m; j++) { /* EXPECT: parallel */
      cov[i][j] = 0;
      for (int k = 0; k < n; k++) /* EXPECT: reduction(+) */
        cov[i][j] += data[k][i] * data[k][j];
      cov[i][j] /= count - 1;
      cov[j][i] = cov[i][j];
    }
}

int main(void) {
  int m = bench_size("M", 28, 80, 1200);
  int n = bench_size("N", 32, 100, 1400);
  real(*data)[m] = bench_alloc(sizeof(real[n][m]));
  real(*cov)[m] = bench_alloc(sizeof(real[m][m]));
  real* mean = bench_alloc(sizeof(real[m]));
  /* Neighbouring variables are made to depend on each other, so that the result is more than noise. */
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      real own = bench_number(1, (uint64_t)i * (uint64_t)m + (uint64_t)j, 0, 10);
      data[i][j] = j == 0 ? own : own / 2 + data[i][j - 1] / 2;
    }

  double start = bench_now();
  kernel_covariance(m, n, data, cov, mean);
  bench_time("covariance", start);

  bench_report("cov", cov, (size_t)m * m);
  bench_report("data", data, (size_t)n * m);
  bench_report("mean", mean, m);
  free(data), free(cov), free(mean);
  return 0;
}
