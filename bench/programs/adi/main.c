// The heat equation by alternating directions, on global arrays: program [n] [steps].
#include "grid.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char** argv) {
  int n = argc > 1 ? atoi(argv[1]) : 2000, steps = argc > 2 ? atoi(argv[2]) : 100;
  if (n < 3 || n > most) return 2;
  heat_up(n);
  double middle = u[n / 2][n / 2], before = middle;
  int falls = 1;
  for (int t = 1; t <= steps; t++) {
    sweep_columns(n, 0.6);
    sweep_rows(n, 0.6);
    if (t % 10 == 0) {
      falls = falls && u[n / 2][n / 2] < before;
      before = u[n / 2][n / 2];
    }
  }
  // Heat only leaves, the plate stays symmetric, and no point is warmer than its middle was.
  double sum = 0, skew = 0, greatest = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      sum += u[i][j];
      skew = fmax(skew, fabs(u[i][j] - u[n - 1 - i][n - 1 - j]));
      greatest = fmax(greatest, u[i][j]);
    }
  printf("middle %.9f sum %.6e skew %.1e\n", u[n / 2][n / 2], sum, skew);
  int right = falls && sum > 0 && skew < 1e-9 && greatest <= middle + 1e-12;
  printf("%s\n", right ? "right" : "wrong");
  return !right;
}
