#include "fourier.h"

// One pass of Stockham's method: butterflies of `half` apart, from one pair of arrays to the other.
static void pass(int n, int half, int inverse, const double* restrict cosines, const double* restrict sines,
                 const double* restrict re, const double* restrict im, double* restrict tore, double* restrict toim) {
  int groups = n / (2 * half);
  for (int g = 0; g < groups; g++)
    for (int k = 0; k < half; k++) {
      double c = cosines[g * half], s = inverse ? -sines[g * half] : sines[g * half];
      int a = g * half + k, b = a + n / 2;
      double xr = re[a], xi = im[a], yr = re[b], yi = im[b];
      double dr = xr - yr, di = xi - yi;
      tore[2 * g * half + k] = xr + yr;
      toim[2 * g * half + k] = xi + yi;
      tore[(2 * g + 1) * half + k] = dr * c + di * s;
      toim[(2 * g + 1) * half + k] = di * c - dr * s;
    }
}

// The transform of re + i im, or its inverse but for the factor 1/n, in place; the other pair is for work. Lengths are 4^k.
void transform(int n, int inverse, const double* cosines, const double* sines, double* re, double* im, double* re2,
               double* im2) {
  for (int half = 1; half < n; half *= 4) {
    pass(n, half, inverse, cosines, sines, re, im, re2, im2);
    pass(n, 2 * half, inverse, cosines, sines, re2, im2, re, im);
  }
}

// b = a b
void multiply(int n, const double* are, const double* aim, double* bre, double* bim) {
  for (int k = 0; k < n; k++) {
    double r = are[k] * bre[k] - aim[k] * bim[k], i = are[k] * bim[k] + aim[k] * bre[k];
    bre[k] = r;
    bim[k] = i;
  }
}

void scale(int n, double factor, double* re, double* im) {
  for (int k = 0; k < n; k++) {
    re[k] *= factor;
    im[k] *= factor;
  }
}
