/* A Fourier transform in three dimensions: numbers as structs of two parts with helper functions, a plane that is gathered into a buffer,
 * transformed row by row and put back. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#define N 16
typedef struct {
  double re, im;
} Complex;

static Complex cube[N][N][N], plane[N][N], roots[N];

static Complex sum_of(Complex a, Complex b) {
  Complex r = {a.re + b.re, a.im + b.im};
  return r;
}
static Complex product(Complex a, Complex b) {
  Complex r;
  r.re = a.re * b.re - a.im * b.im;
  r.im = a.re * b.im + a.im * b.re;
  return r;
}
static void scale(Complex *z, double by) {
  z->re *= by;
  z->im *= by;
}

static void transform_rows(Complex out[N][N], Complex in[N][N]) {
  for (int j = 0; j < N; j++) /* region: transform_rows */
    for (int k = 0; k < N; k++) {
      Complex s = {0.0, 0.0};
      for (int m = 0; m < N; m++)
        s = sum_of(s, product(in[j][m], roots[(k * m) % N]));
      out[j][k] = s;
    }
}

static void along_last(void) {
  for (int i = 0; i < N; i++) {
    transform_rows(plane, cube[i]);
    for (int j = 0; j < N; j++)
      for (int k = 0; k < N; k++)
        cube[i][j][k] = plane[j][k];
  }
}

static void turn(void) {
  static Complex turned[N][N][N];
  for (int i = 0; i < N; i++) /* region: turn */
    for (int j = 0; j < N; j++)
      for (int k = 0; k < N; k++)
        turned[k][i][j] = cube[i][j][k];
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      for (int k = 0; k < N; k++)
        cube[i][j][k] = turned[i][j][k];
}

static void scale_all(double by) {
  for (int i = 0; i < N; i++) /* region: scale_all */
    for (int j = 0; j < N; j++)
      for (int k = 0; k < N; k++)
        scale(&cube[i][j][k], by);
}

int main(void) {
  for (int k = 0; k < N; k++) {
    roots[k].re = cos(-2.0 * 3.14159265358979 * k / N);
    roots[k].im = sin(-2.0 * 3.14159265358979 * k / N);
  }
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      for (int k = 0; k < N; k++) {
        cube[i][j][k].re = (i * 3 + j * 5 + k) % 7;
        cube[i][j][k].im = (i + j * k) % 5;
      }
  for (int axis = 0; axis < 3; axis++) {
    along_last();
    turn();
  }
  scale_all(1.0 / (N * N * N));
  double s = 0.0;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      for (int k = 0; k < N; k++)
        s += cube[i][j][k].re * (i + 1) + cube[i][j][k].im * (j - k);
  printf("%.6f %.6f %.6f\n", s, cube[0][0][0].re, cube[3][2][1].im);
  return 0;
}
