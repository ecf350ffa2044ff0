// Convolves signals with a kernel by Fourier transforms: program [power of 4] [signals].
#include "fourier.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static double* vector(int n) {
  double* memory = calloc(n, sizeof *memory);
  if (!memory) exit(2);
  return memory;
}

int main(int argc, char** argv) {
  int power = argc > 1 ? atoi(argv[1]) : 10, signals = argc > 2 ? atoi(argv[2]) : 30;
  int n = 1 << (2 * power), taps = 33;
  const double pi = 3.14159265358979323846;
  double *cosines = vector(n), *sines = vector(n), *kre = vector(n), *kim = vector(n);
  double *re = vector(n), *im = vector(n), *re2 = vector(n), *im2 = vector(n), *signal = vector(n);
  for (int k = 0; k < n / 2; k++) {
    cosines[k] = cos(2 * pi * k / n);
    sines[k] = sin(2 * pi * k / n);
  }
  double weights[33], sum = 0;
  for (int k = 0; k < taps; k++) sum += weights[k] = exp(-0.02 * (k - taps / 2) * (k - taps / 2));
  for (int k = 0; k < taps; k++) kre[(k - taps / 2 + n) % n] = weights[k] / sum;
  transform(n, 0, cosines, sines, kre, kim, re2, im2);
  double worst = 0;
  unsigned seed = 23;
  for (int t = 0; t < signals; t++) {
    for (int k = 0; k < n; k++) {
      signal[k] = ((k * 7 + t) % 19) + 0.001 * t;
      re[k] = signal[k];
      im[k] = 0;
    }
    transform(n, 0, cosines, sines, re, im, re2, im2);
    multiply(n, kre, kim, re, im);
    transform(n, 1, cosines, sines, re, im, re2, im2);
    scale(n, 1.0 / n, re, im);
    // Some points by the definition.
    for (int s = 0; s < 20; s++) {
      seed = seed * 1664525u + 1013904223u;
      int at = (int)((seed >> 4) % (unsigned)n);
      double exact = 0;
      for (int k = 0; k < taps; k++) exact += weights[k] / sum * signal[(at - (k - taps / 2) + n) % n];
      worst = fmax(worst, fabs(exact - re[at]));
    }
  }
  printf("greatest difference %.2e\n", worst);
  int right = worst < 1e-9;
  printf("%s\n", right ? "right" : "wrong");
  return !right;
}
