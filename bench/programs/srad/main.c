// Takes the specks out of an image by diffusion that stops at edges: program [n] [steps].
#include "filter.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static float* plane(int n, int m) {
  float* memory = malloc((size_t)n * m * sizeof *memory);
  if (!memory) exit(2);
  return memory;
}

// A bright square on a dark ground, each pixel with a random factor.
static void picture(struct filter* f) {
  unsigned seed = 11;
  for (int i = 0; i < f->n; i++)
    for (int j = 0; j < f->m; j++) {
      seed = seed * 1664525u + 1013904223u;
      float speck = 0.7f + 0.6f * ((seed >> 8) / 16777216.0f);
      int bright = i > f->n / 4 && i < 3 * f->n / 4 && j > f->m / 4 && j < 3 * f->m / 4;
      f->image[i * f->m + j] = expf((bright ? 200 : 80) * speck / 255);
    }
}

// The variance inside a part of the image that has one brightness.
static double roughness(const struct filter* f, int from) {
  double sum = 0, squares = 0;
  int side = f->n / 8;
  for (int i = from; i < from + side; i++)
    for (int j = from; j < from + side; j++) {
      sum += f->image[i * f->m + j];
      squares += (double)f->image[i * f->m + j] * f->image[i * f->m + j];
    }
  double mean = sum / side / side;
  return squares / side / side - mean * mean;
}

int main(int argc, char** argv) {
  int n = argc > 1 ? atoi(argv[1]) : 3000, steps = argc > 2 ? atoi(argv[2]) : 100;
  struct filter f = {n, n, plane(n, n), plane(n, n), plane(n, n), plane(n, n), plane(n, n), plane(n, n)};
  picture(&f);
  double dark = roughness(&f, n / 16), bright = roughness(&f, n / 2 - n / 16), variance = 0, first = statistics(&f, &variance);
  for (int t = 0; t < steps; t++) {
    double mean = statistics(&f, &variance);
    gradients(&f, (float)(variance / (mean * mean)));
    spread(&f, 0.5f);
  }
  double last = statistics(&f, &variance);
  printf("roughness dark %.2e to %.2e, bright %.2e to %.2e, mean %.5f\n", dark, roughness(&f, n / 16), bright,
         roughness(&f, n / 2 - n / 16), last);
  // Both parts are smoother, and the image is as bright as it was.
  int right = roughness(&f, n / 16) < 0.2 * dark && roughness(&f, n / 2 - n / 16) < 0.2 * bright && fabs(last / first - 1) < 0.05;
  printf("%s\n", right ? "right" : "wrong");
  return !right;
}
