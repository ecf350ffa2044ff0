// A 3-D FFT: three passes of radix-2 butterflies through a plane buffer, strides from a table.
// %warploom ends what takes longer than 100 seconds, so this also shows that it is compiled in time.
// RUN: %exits 0 %warploom run %s --target cpu | FileCheck %s
// CHECK: right
#include <math.h>
#include <stdio.h>
#ifndef L
#define L 4
#endif
#define N (1 << L)
typedef struct { double re, im; } cplx;
static cplx u[N][N][N], plane[N][N], other[N][N], root[N];
static int stride[L + 1];

static void butterflies(int sign) {
  for (int step = 0; step < L; step++) {
    int half = stride[step], groups = N / 2 / half;
    for (int g = 0; g < groups; g++) {
      cplx w = root[g * half];
      w.im *= sign;
      for (int k = 0; k < half; k++)
        for (int row = 0; row < N; row++) {
          cplx a = plane[g * half + k][row], b = plane[g * half + k + N / 2][row];
          cplx d = {a.re - b.re, a.im - b.im};
          other[2 * g * half + k][row].re = a.re + b.re;
          other[2 * g * half + k][row].im = a.im + b.im;
          other[(2 * g + 1) * half + k][row].re = w.re * d.re - w.im * d.im;
          other[(2 * g + 1) * half + k][row].im = w.re * d.im + w.im * d.re;
        }
    }
    for (int k = 0; k < N; k++)
      for (int row = 0; row < N; row++) plane[k][row] = other[k][row];
  }
}

static void transform(int sign) {
  for (int z = 0; z < N; z++) {
    for (int y = 0; y < N; y++)
      for (int x = 0; x < N; x++) plane[x][y] = u[z][y][x];
    butterflies(sign);
    for (int y = 0; y < N; y++)
      for (int x = 0; x < N; x++) u[z][y][x] = plane[x][y];
  }
  for (int z = 0; z < N; z++) {
    for (int y = 0; y < N; y++)
      for (int x = 0; x < N; x++) plane[y][x] = u[z][y][x];
    butterflies(sign);
    for (int y = 0; y < N; y++)
      for (int x = 0; x < N; x++) u[z][y][x] = plane[y][x];
  }
  for (int y = 0; y < N; y++) {
    for (int z = 0; z < N; z++)
      for (int x = 0; x < N; x++) plane[z][x] = u[z][y][x];
    butterflies(sign);
    for (int z = 0; z < N; z++)
      for (int x = 0; x < N; x++) u[z][y][x] = plane[z][x];
  }
}

int main(void) {
  for (int s = 0; s <= L; s++) stride[s] = 1 << s;
  for (int k = 0; k < N; k++) {
    root[k].re = cos(6.283185307179586 * k / N);
    root[k].im = sin(6.283185307179586 * k / N);
  }
  for (int z = 0; z < N; z++)
    for (int y = 0; y < N; y++)
      for (int x = 0; x < N; x++) {
        u[z][y][x].re = (x * 3 + y * 5 + z * 7) % 11;
        u[z][y][x].im = (x * 2 + y + z) % 5;
      }
  transform(1);
  double first = u[0][0][0].re;
  transform(-1);
  double worst = 0;
  for (int z = 0; z < N; z++)
    for (int y = 0; y < N; y++)
      for (int x = 0; x < N; x++)
        worst = fmax(worst, fabs(u[z][y][x].re / (N * N * N) - (x * 3 + y * 5 + z * 7) % 11));
  printf("%.0f %s\n", first, worst < 1e-9 ? "right" : "WRONG");
  return 0;
}
