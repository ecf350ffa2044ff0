/* What tune_test.py tunes. */
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 5000
#endif
static float x[N], y[N];

void scale(int n, float* restrict p, float s) {
  for (int i = 0; i < n; i++) p[i] = p[i] * s + 1;
}

void mix(void) {
  for (int i = 0; i < N; i++) y[i] = x[i] - 2 * y[i];
}

/* The program below does not get here. */
void unused(int n, float* restrict p) {
  for (int i = 0; i < n; i++) p[i] = 3;
}

int main(int argc, char** argv) {
  for (int i = 0; i < N; i++) x[i] = (float)(i % 7);
  scale(argc > 1 && atoi(argv[1]) > 0 ? atoi(argv[1]) : N, x, 3);
  mix();
  if (argc > 5) unused(argc, y);
  float sum = 0;
  for (int i = 0; i < N; i++) sum += y[i];
  printf("%.1f %s\n", sum, argc > 1 ? argv[1] : "");
  return 3; /* a status of its own is no failure */
}
