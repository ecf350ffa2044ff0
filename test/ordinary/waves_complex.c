/* Waves in complex numbers, as C has them: a transform, a filter, modes that turn, a Mandelbrot set, and what helper functions make of
 * numbers by value; in double and in float. */
#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define N 48
typedef double complex cplx;
struct mode {
  cplx amplitude;
  double frequency;
};
static cplx field[N][N], next[N][N], spectrum[N], weights[8];
static float complex samples[N];

static cplx twiddle(int k, int n) { return cexp(-2.0 * I * M_PI * k / n); }
static double power(cplx z) { return creal(z) * creal(z) + cimag(z) * cimag(z); }

static void transform(int n, cplx *out, const cplx *in) {
  for (int k = 0; k < n; k++) { /* region: transform */
    cplx s = 0;
    for (int m = 0; m < n; m++)
      s += in[m] * twiddle(k * m % n, n);
    out[k] = s;
  }
}

static void mandelbrot(int h, int w, int *counts) {
  for (int y = 0; y < h; y++) /* region: mandelbrot */
    for (int x = 0; x < w; x++) {
      cplx c = CMPLX(x * 3.0 / w - 2.0, y * 2.0 / h - 1.0), z = 0;
      int n = 0;
      while (n < 50 && cabs(z) <= 2.0) {
        z = z * z + c;
        n++;
      }
      counts[y * w + x] = n;
    }
}

static cplx inner(int n, const cplx *a, const cplx *b) {
  cplx s = 0;
  for (int i = 0; i < n; i++) /* region: inner */
    s += conj(a[i]) * b[i];
  return s;
}

static void diffuse(double dt, int steps) {
  for (int t = 0; t < steps; t++) { /* region: diffuse */
    for (int i = 1; i < N - 1; i++)
      for (int j = 1; j < N - 1; j++)
        next[i][j] = field[i][j] + I * dt * (field[i - 1][j] + field[i + 1][j] - 4 * field[i][j] + field[i][j + 1] + field[i][j - 1]);
    for (int i = 1; i < N - 1; i++)
      for (int j = 1; j < N - 1; j++)
        field[i][j] = next[i][j];
  }
}

static void filter(int n, float complex *x, float gain) {
  for (int i = 0; i < n; i++) { /* region: filter */
    x[i] *= 0.1;
    x[i] = x[i] * gain + conjf(x[i]) / (1 + cabsf(x[i])) + crealf(x[i]) + 0.5f * I;
    if (x[i] == 0 || !(x[i] - 1)) x[i] = 1;
  }
}

static void roots(int n, cplx a, cplx b, cplx c, const cplx *d, cplx *r) {
  for (int i = 0; i < n; i++) { /* region: roots */
    cplx root = csqrt(b * b - 4 * a * (c + d[i]));
    double x = root;
    r[i] = (-b + root) / (2 * a) + (x > 1 ? x : root / 3);
    r[i] -= __real__ d[i];
  }
}

static double largest(int n, const cplx *a, double *re, double *im) {
  double most = 0;
  for (int i = 0; i < n; i++) { /* region: largest */
    re[i] += a[i] * a[i];
    im[i] = cimag(a[i]);
    if (power(a[i]) > most) most = power(a[i]);
  }
  return most;
}

static void turn(int n, struct mode *m, double t) {
  for (int i = 0; i < n; i++) /* region: turn */
    m[i].amplitude *= cexp(I * m[i].frequency * t);
}

static void product(int n, const cplx *a, const cplx *b, cplx *c) {
  for (int i = 0; i < n; i++) /* region: product */
    for (int j = 0; j < n; j++) {
      cplx s = 0;
      for (int k = 0; k < n; k++)
        s += a[i * n + k] * b[k * n + j];
      c[i * n + j] = s;
    }
}

static void bin(int n, const int *k, const cplx *z, cplx *bins) {
  for (int i = 0; i < n; i++) /* region: bin */
    bins[k[i]] += z[i];
}

static cplx spread(int n, cplx *z) {
  cplx last = 0;
  for (int i = 0; i < n; i++) { /* region: spread */
    cplx s = 0;
    for (int k = 0; k < 8; k++)
      s += weights[k] * z[i] * k;
    last = s * 1e-2;
    z[i] = last;
  }
  return last;
}

static cplx chain(int n, const cplx *z) {
  cplx p = 1;
  for (int i = 0; i < n; i++) /* in order: chain */
    p *= z[i] / 4;
  return p;
}

int main(void) {
  static cplx a[N * N], b[N * N], c[N * N], bins[8];
  static struct mode modes[N];
  static int counts[N * N], which[N];
  static double re[N], im[N];
  for (int i = 0; i < N * N; i++) { /* region: main */
    a[i] = (i % 13) * 0.1 + (i % 7) * I;
    b[i] = 1 - 0.3 * I * (i % 5);
  }
  for (int i = 0; i < N; i++) {
    samples[i] = sin(i) + I * cos(3 * i);
    modes[i].amplitude = 1 + i;
    modes[i].frequency = i * 0.1;
    which[i] = i * i % 8;
    for (int j = 0; j < N; j++)
      field[i][j] = (i ^ j) + (double)(i * j % 7) * I;
  }
  for (int k = 0; k < 8; k++)
    weights[k] = k - I;
  transform(N, spectrum, a);
  diffuse(0.01, 5);
  filter(N, samples, 0.3f);
  mandelbrot(N, N, counts);
  product(N, a, b, c);
  turn(N, modes, 0.5);
  cplx s = inner(N, c, spectrum);
  roots(N, 1 + I, 2, 3 - I, a, b);
  double most = largest(N, b, re, im);
  bin(N, which, c, bins);
  s += spread(N, c) + chain(9, a + 1);
  for (int i = 0; i < N; i++)
    s += samples[i] + modes[i].amplitude + field[i][N - 1 - i] + re[i] * im[i];
  for (int i = 0; i < 8; i++)
    s += bins[i] * i;
  int all = 0;
  for (int i = 0; i < N * N; i++)
    all += counts[i];
  printf("%.6f %.6f %.6f %d\n", creal(s), cimag(s), most, all);
  return 0;
}
