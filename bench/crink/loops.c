// The five loops on which CRINK was measured, at N elements: what is left of each, and how long all of its calls took on the host's clock.
//
//     loops N [CALLS]
#include <stdio.h>
#include <stdlib.h>
#include <math.h>
#include <time.h>

/* a solver of nonlinear equations: anti dependences, distance 2 */
void zero_rc(int n, int q[restrict n]) {
  for (int i = n - 1; i >= 2; i--)
    q[i] = q[i - 2];
}

/* vectorisable loops: anti dependences, distance (3, 4) */
void higbie(int m, int x[restrict m + 3][m + 4], const int s[restrict m]) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < m; j++)
      x[i][j] = x[i + 3][j + 4] + s[i];
}

/* trees: anti dependences, distance 2 */
void treepack(int n, int a[restrict n]) {
  for (int i = n - 2; i >= 1; i--)
    a[i + 1] = a[i - 1];
}

/* quadrature rules: a mirror, no dependences */
void sandia(int n, int x[restrict n], int w[restrict n]) {
  for (int i = 1; i <= n / 2; i++) {
    x[i - 1] = -x[n - i];
    w[i - 1] = w[n - i];
  }
}

/* a compressor's blocks: flow dependences, distance 500 */
void spec(int n, int block[restrict n + 500], int quadrant[restrict n + 500]) {
  for (int i = 0; i < n; i++) {
    block[500 + i] = block[i];
    quadrant[500 + i] = 0;
  }
}

static int *made(long count, int seed) {
  int *all = malloc((size_t)count * sizeof *all);
  unsigned state = (unsigned)seed;
  for (long i = 0; i < count; i++) all[i] = (int)((state = state * 1664525u + 1013904223u) >> 20);
  return all;
}

static void told(const char *name, const int *data, long count, double seconds) {
  unsigned long sum = 0;
  for (long i = 0; i < count; i++) sum = sum * 31 + (unsigned)data[i];
  printf("%s sum %lu milliseconds %.4f\n", name, sum, seconds * 1e3);
}

static double now(void) {
  struct timespec time;
  timespec_get(&time, TIME_UTC);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

int main(int argc, char **argv) {
  const int n = argc > 1 ? atoi(argv[1]) : 1740, m = (int)sqrt(2.0 * n), calls = argc > 2 ? atoi(argv[2]) : 1;
  const long side = (long)(m + 3) * (m + 4);
  int *q = made(n, 1), *s = made(m, 2), *x = made(side, 3), *a = made(n, 4), *points = made(n, 5), *weights = made(n, 6);
  int *block = made(n + 500L, 7), *quadrant = made(n + 500L, 8);
  double begin = now();
  for (volatile int k = 0; k < calls; k++) zero_rc(n, q);
  told("zero_rc", q, n, now() - begin);
  begin = now();
  for (volatile int k = 0; k < calls; k++) higbie(m, (int(*)[m + 4])x, s);
  told("higbie", x, side, now() - begin);
  begin = now();
  for (volatile int k = 0; k < calls; k++) treepack(n, a);
  told("treepack", a, n, now() - begin);
  begin = now();
  for (volatile int k = 0; k < calls; k++) sandia(n, points, weights);
  told("sandia", points, n, now() - begin);
  told("sandia_weights", weights, n, 0);
  begin = now();
  for (volatile int k = 0; k < calls; k++) spec(n, block, quadrant);
  told("spec", block, n + 500L, now() - begin);
  told("spec_quadrant", quadrant, n + 500L, 0);
  return 0;
}
