// What a call of a region costs that stays on the host: short loops, again and again. program [n] [calls] prints nanoseconds a call.
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

__attribute__((noinline)) void add(int n, float* restrict y, const float* restrict x, float a) {
  for (int i = 0; i < n; i++) y[i] += a * x[i];
}

int main(int argc, char** argv) {
  int n = argc > 1 ? atoi(argv[1]) : 768;
  long calls = argc > 2 ? atol(argv[2]) : 100000;
  float *x = calloc(n, sizeof *x), *y = calloc(n, sizeof *y);
  double best = 1e9;
  for (int round = 0; round < 20; round++) {
    double begin = now();
    for (long k = 0; k < calls; k++) add(n, y, x, 0.5f);
    double each = (now() - begin) / (double)calls;
    best = each < best ? each : best;
  }
  printf("%.1f\n", 1e9 * best);
  return y[0] != 0;
}
