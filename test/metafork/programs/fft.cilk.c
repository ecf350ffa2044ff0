#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <cilk/cilk.h>
/* cilk_spawn in a comment stays */
static void fft(double complex *x, double complex *t, int n) {
  if (n == 1) return;
  int h = n / 2;
  for (int i = 0; i < h; ++i) { t[i] = x[2 * i]; t[i + h] = x[2 * i + 1]; }
  cilk_spawn fft(t, x, h);
  fft(t + h, x + h, h);
  cilk_sync;
  cilk_for (int i = 0; i < h; ++i) {
    double complex w = cexp(-2 * 3.14159265358979323846 * I * i / n) * t[i + h];
    x[i] = t[i] + w;
    x[i + h] = t[i] - w;
  }
}

int main(void) {
  enum { N = 64 };
  double complex x[N], t[N];
  for (int i = 0; i < N; ++i) x[i] = i % 9 - 4;
  fft(x, t, N);
  double sum = 0;
  for (int i = 0; i < N; ++i) sum += cabs(x[i]) * (i + 1);
  printf("%.6f\n", sum);
  return 0;
}
