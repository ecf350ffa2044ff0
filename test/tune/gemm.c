/* What strategies_test.py tunes. */
#include <stdio.h>
#include <stdlib.h>

static float a[96 * 96], b[96 * 96], c[96 * 96];

void gemm(int n, float a[n][n], float b[n][n], float c[n][n]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++) c[i][j] += a[i][k] * b[k][j];
}

int main(int argc, char** argv) {
  int n = argc > 1 ? atoi(argv[1]) : 40;
  for (int i = 0; i < n * n; i++) a[i] = (float)(i % 3), b[i] = (float)(i % 5);
  gemm(n, (void*)a, (void*)b, (void*)c);
  double sum = 0;
  for (int i = 0; i < n * n; i++) sum += c[i] * (i % 7);
  printf("%g\n", sum);
  return 0;
}
