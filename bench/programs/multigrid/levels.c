#include "levels.h"
#include <math.h>

// Half of a Gauss-Seidel sweep: the points of one colour of a chessboard.
void smooth(const struct level* l, int colour) {
  int n = l->n;
  double hh = l->h * l->h, *u = l->u;
  const double* f = l->f;
#pragma omp parallel for
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < n - 1; j++)
      if ((i + j) % 2 == colour)
        u[i * n + j] = 0.25 * (u[(i - 1) * n + j] + u[(i + 1) * n + j] + u[i * n + j - 1] + u[i * n + j + 1] + hh * f[i * n + j]);
}

void residual(const struct level* l) {
  int n = l->n;
  double scale = 1 / (l->h * l->h);
  const double *u = l->u, *f = l->f;
  double* r = l->r;
#pragma omp parallel for
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < n - 1; j++)
      r[i * n + j] =
          f[i * n + j] - scale * (4 * u[i * n + j] - u[(i - 1) * n + j] - u[(i + 1) * n + j] - u[i * n + j - 1] - u[i * n + j + 1]);
}

// The residual of `fine`, weighted, is the right-hand side of `coarse`, which begins with zeros.
void restrict_to(const struct level* fine, const struct level* coarse) {
  int n = coarse->n, m = fine->n;
  const double* r = fine->r;
  double *f = coarse->f, *u = coarse->u;
#pragma omp parallel for
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < n - 1; j++) {
      int k = 2 * i * m + 2 * j;
      f[i * n + j] = 0.25 * r[k] + 0.125 * (r[k - 1] + r[k + 1] + r[k - m] + r[k + m]) +
                     0.0625 * (r[k - m - 1] + r[k - m + 1] + r[k + m - 1] + r[k + m + 1]);
      u[i * n + j] = 0;
    }
}

// Adds what `coarse` has found to `fine`, between its points by their means.
void prolong_from(const struct level* coarse, const struct level* fine) {
  int n = coarse->n, m = fine->n;
  const double* c = coarse->u;
  double* u = fine->u;
#pragma omp parallel for
  for (int i = 1; i < m - 1; i++)
    for (int j = 1; j < m - 1; j++) {
      int y = i / 2, x = j / 2, dy = i % 2, dx = j % 2;
      u[i * m + j] += 0.25 * (c[y * n + x] + c[(y + dy) * n + x] + c[y * n + x + dx] + c[(y + dy) * n + x + dx]);
    }
}

double norm(const struct level* l) {
  int n = l->n;
  const double* r = l->r;
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < n - 1; j++) sum += r[i * n + j] * r[i * n + j];
  return sqrt(sum) * l->h;
}
