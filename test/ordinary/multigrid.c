/* A multigrid cycle in global arrays, in the style of benchmark suites: helpers that take a row or an element, boundaries by wrapping. */
#include <math.h>
#include <stdio.h>

#define N 18
static double u[N][N][N], v[N][N][N], r[N][N][N], coarse[N / 2 + 1][N / 2 + 1][N / 2 + 1];
static double a[4] = {-8.0 / 3.0, 0.0, 1.0 / 6.0, 1.0 / 12.0};

static double faces(const double *at) {
  return at[-1] + at[1] + at[-N] + at[N];
}
static void combine(double *to, const double *from, double by, int n) {
  for (int k = 1; k < n - 1; k++)
    to[k] += by * from[k];
}
static void copy_edge(double *row, int n) {
  row[0] = row[n - 2];
  row[n - 1] = row[1];
}

static void residual(void) {
  for (int i = 1; i < N - 1; i++) /* region: residual */
    for (int j = 1; j < N - 1; j++)
      for (int k = 1; k < N - 1; k++)
        r[i][j][k] = v[i][j][k] - a[0] * u[i][j][k] -
                     a[2] * (u[i - 1][j][k] + u[i + 1][j][k] + u[i][j - 1][k] + u[i][j + 1][k]) -
                     a[3] * (u[i][j][k - 1] + u[i][j][k + 1]);
}
static void wrap(double x[N][N][N]) {
  for (int i = 1; i < N - 1; i++) /* region: wrap */
    for (int j = 1; j < N - 1; j++)
      copy_edge(x[i][j], N);
}
static void smooth(void) {
  for (int i = 1; i < N - 1; i++) /* region: smooth */
    for (int j = 1; j < N - 1; j++)
      combine(u[i][j], r[i][j], -0.375, N);
}
static void restrict_to(void) {
  for (int i = 1; i < N / 2; i++) /* region: restrict_to */
    for (int j = 1; j < N / 2; j++)
      for (int k = 1; k < N / 2; k++)
        coarse[i][j][k] = 0.5 * r[2 * i][2 * j][2 * k] + 0.125 * faces(&r[2 * i][2 * j][2 * k]);
}
static double norm(double x[N][N][N]) {
  double sum = 0.0;
  for (int i = 1; i < N - 1; i++) /* region: norm */
    for (int j = 1; j < N - 1; j++)
      for (int k = 1; k < N - 1; k++)
        sum += x[i][j][k] * x[i][j][k];
  return sqrt(sum);
}

int main(void) {
  for (int i = 0; i < N; i++) /* region: main */
    for (int j = 0; j < N; j++)
      for (int k = 0; k < N; k++)
        v[i][j][k] = (i * 7 + j * 5 + k * 3) % 11 - 5;
  for (int step = 0; step < 3; step++) {
    residual();
    wrap(r);
    smooth();
    wrap(u);
  }
  restrict_to();
  double sum = 0.0;
  for (int i = 0; i <= N / 2; i++)
    for (int j = 0; j <= N / 2; j++)
      for (int k = 0; k <= N / 2; k++)
        sum += coarse[i][j][k] * (i + j - k);
  printf("%.5f %.5f %.5f\n", norm(u), norm(r), sum);
  return 0;
}
