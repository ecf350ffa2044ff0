// Laplace's equation on a square, by Jacobi's method with a test of convergence: program [n] [most iterations].
#include "grid.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char** argv) {
  int n = argc > 1 ? atoi(argv[1]) : 2000, most = argc > 2 ? atoi(argv[2]) : 500;
  double* now = malloc((size_t)n * n * sizeof *now);
  double* next = malloc((size_t)n * n * sizeof *next);
  if (!now || !next) return 2;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double boundary = (double)i / (n - 1) + (double)j / (n - 1);
      int inside = i > 0 && j > 0 && i < n - 1 && j < n - 1;
      now[(size_t)i * n + j] = next[(size_t)i * n + j] = inside ? 0 : boundary;
    }
  double change = 1;
  int steps = 0;
  while (change > 1e-9 && steps < most) {
    change = sweep(n, now, next);
    copy_grid(n, next, now);
    steps++;
  }
  // The solution is i + j; values rise from the zeros inside, and none leaves the range of the boundary.
  double sum = 0, least = 0, greatest = 0;
  for (int k = 0; k < n * n; k++) {
    sum += now[k];
    least = fmin(least, now[k]);
    greatest = fmax(greatest, now[k]);
  }
  printf("steps %d change %.6e sum %.9e\n", steps, change, sum);
  int right = least >= 0 && greatest <= 2 && change < 1 && sum > 0 && sum < (double)n * n;
  printf("%s\n", right ? "right" : "wrong");
  free(now);
  free(next);
  return !right;
}
