// A hill of water that falls down in a basin: program [n] [steps].
#include "water.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static double* field(int n) {
  double* memory = calloc((size_t)n * n, sizeof *memory);
  if (!memory) exit(2);
  return memory;
}

int main(int argc, char** argv) {
  int n = argc > 1 ? atoi(argv[1]) : 1500, steps = argc > 2 ? atoi(argv[2]) : 300;
  struct water w = {n, 1.0 / n, field(n), field(n), field(n), field(n), field(n), field(n)};
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double x = (i + 0.5) / n - 0.5, y = (j + 0.5) / n - 0.5;
      w.h[i * n + j] = 1 + 0.5 * exp(-50 * (x * x + y * y));
    }
  double begin = volume(&w), time = 0;
  for (int t = 0; t < steps; t++) {
    double dt = 0.3 * w.cell / fastest(&w);
    step(&w, dt);
    swap(&w);
    time += dt;
  }
  double end = volume(&w), skew = 0, least = 10;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      skew = fmax(skew, fabs(w.h[i * n + j] - w.h[(n - 1 - i) * n + n - 1 - j]));
      least = fmin(least, w.h[i * n + j]);
    }
  printf("time %.5f volume %.9f to %.9f skew %.1e least depth %.5f\n", time, begin, end, skew, least);
  // Water stays, symmetric as it was, and nowhere dry.
  int right = fabs(end / begin - 1) < 1e-2 && skew < 1e-8 && least > 0.5;
  printf("%s\n", right ? "right" : "wrong");
  return !right;
}
