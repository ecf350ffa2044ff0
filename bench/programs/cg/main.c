// Conjugate gradients for Poisson's equation on a square grid, the matrix by rows: program [width] [iterations].
#include "vectors.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static Matrix poisson(int width) {
  Matrix a;
  a.rows = width * width;
  a.start = malloc((a.rows + 1) * sizeof *a.start);
  a.column = malloc(5 * (size_t)a.rows * sizeof *a.column);
  a.value = malloc(5 * (size_t)a.rows * sizeof *a.value);
  int at = 0;
  for (int i = 0; i < a.rows; i++) {
    int x = i % width, y = i / width;
    int neighbours[4] = {y > 0 ? i - width : -1, x > 0 ? i - 1 : -1, x < width - 1 ? i + 1 : -1, y < width - 1 ? i + width : -1};
    a.start[i] = at;
    a.column[at] = i;
    a.value[at++] = 4.01;
    for (int k = 0; k < 4; k++)
      if (neighbours[k] >= 0) {
        a.column[at] = neighbours[k];
        a.value[at++] = -1;
      }
  }
  a.start[a.rows] = at;
  return a;
}

int main(int argc, char** argv) {
  int width = argc > 1 ? atoi(argv[1]) : 1500, most = argc > 2 ? atoi(argv[2]) : 300;
  Matrix a = poisson(width);
  int n = a.rows;
  double *x = calloc(n, sizeof *x), *b = malloc(n * sizeof *b), *r = malloc(n * sizeof *r), *p = malloc(n * sizeof *p),
         *q = malloc(n * sizeof *q);
  for (int i = 0; i < n; i++) b[i] = r[i] = p[i] = 1 + 0.001 * (i % 101);
  double rho = dot(n, r, r), first = rho;
  int steps = 0;
  for (; steps < most && rho > 1e-28 * first; steps++) {
    spmv(n, a.start, a.column, a.value, p, q);
    double alpha = rho / dot(n, p, q);
    axpy(n, alpha, p, x);
    axpy(n, -alpha, q, r);
    double next = dot(n, r, r);
    xpay(n, r, next / rho, p);
    rho = next;
  }
  // The true residual, by the host.
  double worst = 0;
  for (int i = 0; i < n; i++) {
    double sum = b[i];
    for (int k = a.start[i]; k < a.start[i + 1]; k++) sum -= a.value[k] * x[a.column[k]];
    worst = fmax(worst, fabs(sum));
  }
  printf("steps %d residual %.1e\n%s\n", steps, worst, worst < 1e-3 ? "right" : "wrong");
  free(x), free(b), free(r), free(p), free(q), free(a.start), free(a.column), free(a.value);
  return !(worst < 1e-3);
}
