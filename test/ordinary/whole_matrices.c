/* Matrices gone over by a pointer to their first element, as much C has it, beside loops that use both subscripts. */
#include <stdio.h>

enum { N = 60, M = 80 };
static double a[N][M], b[N][M];
static int volume[7][9][11];

static void scale(double *p, int n, double by) {
  for (int k = 0; k < n; k++) /* region: scale */
    p[k] *= by;
}

static double sum(const double *p, int n, int m) {
  double s = 0;
  for (int i = 0; i < n; i++) /* region: sum */
    for (int j = 0; j < m; j++)
      s += p[i * m + j];
  return s;
}

static void set(void) {
  for (int k = 0; k < N * M; k++) /* region: set */
    (&a[0][0])[k] = (k * 7) % 23;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < M; j++)
      (&b[0][0])[i * M + j] = a[i][j] + 1;
}

static void shift(void) {
  for (int i = 1; i < N; i++) /* region: shift */
    for (int j = 0; j < M; j++)
      a[i][j] = (&b[0][0])[(i - 1) * M + j] * 2 + *(&b[i][j] - M);
}

static void walk(void) {
  double *p = a[0], *q = (double *)b;
  for (int k = 0; k < N * M; k++) /* region: walk */
    q[k] += p[k];
  scale(&a[0][0], N * M, 2);
  scale((double *)b + M, N * M - M, 3);
}

static void hand_on(void) {
  double *p = &a[0][0];
  for (int k = 1; k < N * M; k++) /* in order: hand_on */
    p[k] = p[k] * p[k - 1] > 50 ? 1 : p[k] + 1;
}

static void symbolic(int n, int m, double t[n][m]) {
  for (int i = 0; i < n; i++) /* region: symbolic */
    for (int j = 0; j < m; j++)
      (&t[0][0])[i * m + j] += i;
}

static long count(int c) {
  int *v = &volume[0][0][0];
  long s = 0;
  for (int k = 0; k < 7 * 9 * 11; k++) /* region: count */
    v[k] = k * c % 31;
  for (int i = 0; i < 7; i++)
    for (int j = 0; j < 9; j++)
      for (int k = 0; k < 11; k++)
        s += volume[i][j][k] * (i + 2 * j - k);
  return s;
}

int main(void) {
  set();
  shift();
  walk();
  hand_on();
  symbolic(N / 2, M, b);
  double s = 0;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < M; j++)
      s += a[i][j] * (i + 2 * j) + b[i][j] * (3 * i + j);
  printf("%.0f %.0f %ld\n", s, sum(&a[0][0], N, M), count(3));
  return 0;
}
