#include "grid.h"

double u[most][most], v[most][most];
double upper[most][most], lower[most][most]; // of the elimination

// Warm in the middle, cold at the edges.
void heat_up(int n) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      int inside = i > 0 && j > 0 && i < n - 1 && j < n - 1;
      double x = (double)i / (n - 1), y = (double)j / (n - 1);
      u[i][j] = inside ? 16 * x * (1 - x) * y * (1 - y) : 0;
      v[i][j] = 0;
    }
}
