// Arrays of small whole numbers, and a line that tells what is in them.
#include <stdio.h>
#include <stdlib.h>

static float *filled(int n, int salt) {
  float *a = malloc(n * sizeof(float));
  for (int i = 0; i < n; i++) a[i] = (i * 7 + salt) % 11 - 5;
  return a;
}
static void show(const char *name, const float *a, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += a[i] * (i % 13);
  printf("%s %g\n", name, sum);
}
