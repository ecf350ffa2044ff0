#include "grid.h"

// Half a step of time: implicit along columns, explicit along rows; u to v.
void sweep_columns(int n, double r) {
#pragma omp parallel for
  for (int j = 1; j < n - 1; j++) {
    upper[0][j] = 0;
    lower[0][j] = 0;
    for (int i = 1; i < n - 1; i++) {
      double pivot = 1 + 2 * r - r * upper[i - 1][j];
      double right = r * u[i][j - 1] + (1 - 2 * r) * u[i][j] + r * u[i][j + 1];
      upper[i][j] = r / pivot;
      lower[i][j] = (right + r * lower[i - 1][j]) / pivot;
    }
    v[n - 1][j] = 0;
    for (int i = n - 2; i >= 1; i--) v[i][j] = upper[i][j] * v[i + 1][j] + lower[i][j];
  }
}

// The other half: implicit along rows, explicit along columns; v to u.
void sweep_rows(int n, double r) {
#pragma omp parallel for
  for (int i = 1; i < n - 1; i++) {
    upper[i][0] = 0;
    lower[i][0] = 0;
    for (int j = 1; j < n - 1; j++) {
      double pivot = 1 + 2 * r - r * upper[i][j - 1];
      double right = r * v[i - 1][j] + (1 - 2 * r) * v[i][j] + r * v[i + 1][j];
      upper[i][j] = r / pivot;
      lower[i][j] = (right + r * lower[i][j - 1]) / pivot;
    }
    u[i][n - 1] = 0;
    for (int j = n - 2; j >= 1; j--) u[i][j] = upper[i][j] * u[i][j + 1] + lower[i][j];
  }
}
