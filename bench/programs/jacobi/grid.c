#include "grid.h"
#include <math.h>

// One sweep of Jacobi's method over the inner points; the greatest change.
double sweep(int n, const double* from, double* to) {
  double change = 0;
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < n - 1; j++) {
      to[i * n + j] = 0.25 * (from[(i - 1) * n + j] + from[(i + 1) * n + j] + from[i * n + j - 1] + from[i * n + j + 1]);
      change = fmax(change, fabs(to[i * n + j] - from[i * n + j]));
    }
  return change;
}

void copy_grid(int n, const double* from, double* to) {
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < n - 1; j++) to[i * n + j] = from[i * n + j];
}
