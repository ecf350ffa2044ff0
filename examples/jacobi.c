// Jacobi's method for Laplace's equation on a square: every point becomes the mean of its four neighbours, again and again,
// in one grid after the other.
//
//   cc -O2 jacobi.c -o jacobi -lm && ./jacobi
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

void jacobi(int sweeps, int n, double a[n][n], double b[n][n]) {
  for (int t = 0; t < sweeps; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        b[i][j] = 0.25 * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        a[i][j] = 0.25 * (b[i - 1][j] + b[i + 1][j] + b[i][j - 1] + b[i][j + 1]);
  }
}

int main(int argc, char** argv) {
  int n = argc > 1 ? atoi(argv[1]) : 500, sweeps = argc > 2 ? atoi(argv[2]) : 200;
  if (n < 1 || n > 20000 || sweeps < 0) {
    fprintf(stderr, "usage: jacobi [size [sweeps]]\n");
    return 1;
  }
  double(*a)[n] = malloc(sizeof(double[n][n]));
  double(*b)[n] = malloc(sizeof(double[n][n]));
  if (!a || !b) return 1;
  const double pi = 3.14159265358979323846, wave = pi / (n > 1 ? n - 1 : 1);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      a[i][j] = b[i][j] = i + j + sin(wave * i) * sin(wave * j);

  jacobi(sweeps, n, a, b);

  // i + j solves the equation. The error began as one wave, which each of the two sweeps multiplies by the same factor.
  double left = pow(cos(wave), 2.0 * sweeps), worst = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      worst = fmax(worst, fabs(a[i][j] - (i + j + left * sin(wave * i) * sin(wave * j))));
  int right = worst < 1e-9;
  printf("%d x %d points: %.1f%% of the error is left after %d double sweeps, as it should be within %.0e: %s\n", n, n, 100 * left,
         sweeps, worst, right ? "right" : "WRONG");
  free(a);
  free(b);
  return right ? 0 : 1;
}
