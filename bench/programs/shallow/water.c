#include "water.h"
#include <math.h>

static const double gravity = 9.81;

// The greatest speed of a wave.
double fastest(const struct water* w) {
  const double *h = w->h, *hu = w->hu, *hv = w->hv;
  int n = w->n;
  double speed = 0;
#pragma omp parallel for reduction(max : speed)
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double depth = h[i * n + j], c = sqrt(gravity * depth);
      speed = fmax(speed, fmax(fabs(hu[i * n + j]), fabs(hv[i * n + j])) / depth + c);
    }
  return speed;
}

// One step of the method of Lax and Friedrichs for the inner cells; walls mirror their neighbours.
void step(struct water* w, double time) {
  int n = w->n;
  double a = time / (2 * w->cell);
  const double *restrict h = w->h, *restrict hu = w->hu, *restrict hv = w->hv;
  double *restrict next_h = w->next_h, *restrict next_hu = w->next_hu, *restrict next_hv = w->next_hv;
#pragma omp parallel for
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < n - 1; j++) {
      int up = (i - 1) * n + j, down = (i + 1) * n + j, left = i * n + j - 1, right = i * n + j + 1;
      next_h[i * n + j] = 0.25 * (h[up] + h[down] + h[left] + h[right]) - a * (hu[right] - hu[left] + hv[down] - hv[up]);
      double right_u = hu[right] * hu[right] / h[right] + 0.5 * gravity * h[right] * h[right];
      double left_u = hu[left] * hu[left] / h[left] + 0.5 * gravity * h[left] * h[left];
      double down_u = hu[down] * hv[down] / h[down], up_u = hu[up] * hv[up] / h[up];
      next_hu[i * n + j] = 0.25 * (hu[up] + hu[down] + hu[left] + hu[right]) - a * (right_u - left_u + down_u - up_u);
      double down_v = hv[down] * hv[down] / h[down] + 0.5 * gravity * h[down] * h[down];
      double up_v = hv[up] * hv[up] / h[up] + 0.5 * gravity * h[up] * h[up];
      double right_v = hu[right] * hv[right] / h[right], left_v = hu[left] * hv[left] / h[left];
      next_hv[i * n + j] = 0.25 * (hv[up] + hv[down] + hv[left] + hv[right]) - a * (right_v - left_v + down_v - up_v);
    }
  for (int k = 1; k < n - 1; k++) {
    next_h[k] = next_h[n + k], next_hu[k] = next_hu[n + k], next_hv[k] = -next_hv[n + k];
    next_h[(n - 1) * n + k] = next_h[(n - 2) * n + k];
    next_hu[(n - 1) * n + k] = next_hu[(n - 2) * n + k];
    next_hv[(n - 1) * n + k] = -next_hv[(n - 2) * n + k];
  }
  for (int k = 0; k < n; k++) {
    next_h[k * n] = next_h[k * n + 1], next_hu[k * n] = -next_hu[k * n + 1], next_hv[k * n] = next_hv[k * n + 1];
    next_h[k * n + n - 1] = next_h[k * n + n - 2];
    next_hu[k * n + n - 1] = -next_hu[k * n + n - 2];
    next_hv[k * n + n - 1] = next_hv[k * n + n - 2];
  }
}

void swap(struct water* w) {
  double *h = w->h, *hu = w->hu, *hv = w->hv;
  w->h = w->next_h, w->hu = w->next_hu, w->hv = w->next_hv;
  w->next_h = h, w->next_hu = hu, w->next_hv = hv;
}

double volume(const struct water* w) {
  const double* h = w->h;
  int n = w->n;
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < n - 1; j++) sum += h[i * n + j];
  return sum * w->cell * w->cell;
}
