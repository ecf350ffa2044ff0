#include "flow.h"

static const int cx[ways] = {0, 1, 0, -1, 0, 1, -1, -1, 1};
static const int cy[ways] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
static const double weight[ways] = {4.0 / 9,  1.0 / 9,  1.0 / 9,  1.0 / 9, 1.0 / 9,
                                    1.0 / 36, 1.0 / 36, 1.0 / 36, 1.0 / 36};

// Populations of a cell tend to what they are at rest.
void collide(int n, double rate, double* f) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double density = 0, u = 0, v = 0;
      for (int k = 0; k < ways; k++) {
        double one = f[(k * n + i) * n + j];
        density += one;
        u += cx[k] * one;
        v += cy[k] * one;
      }
      u /= density;
      v /= density;
      for (int k = 0; k < ways; k++) {
        double along = cx[k] * u + cy[k] * v;
        double rest = weight[k] * density * (1 + 3 * along + 4.5 * along * along - 1.5 * (u * u + v * v));
        f[(k * n + i) * n + j] += rate * (rest - f[(k * n + i) * n + j]);
      }
    }
}

// Populations move to the neighbours; the area closes on itself.
void stream(int n, const double* from, double* to) {
  for (int k = 0; k < ways; k++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) {
        int y = (i - cy[k] + n) % n, x = (j - cx[k] + n) % n;
        to[(k * n + i) * n + j] = from[(k * n + y) * n + x];
      }
}

double mass(int n, const double* f) {
  double sum = 0;
  for (int i = 0; i < ways * n * n; i++) sum += f[i];
  return sum;
}
