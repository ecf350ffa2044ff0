/* Heat in a plate: a grid in a struct, a stencil in a helper, a step in a function. */
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
  int nx, ny;
  double *now, *next;
} Grid;

static inline double at(const Grid *g, int i, int j) {
  return g->now[i * g->ny + j];
}

static inline double laplacian(const double *u, int i, int j, int m) {
  return u[(i - 1) * m + j] + u[(i + 1) * m + j] + u[i * m + j - 1] + u[i * m + j + 1] - 4.0 * u[i * m + j];
}

static void put(double *where, double value) { *where = value; }

static void fill(Grid *g) {
  for (int i = 0; i < g->nx; i++) /* region: fill */
    for (int j = 0; j < g->ny; j++)
      put(&g->now[i * g->ny + j], i == 0 ? 1.0 : 0.01 * (double)((i * 7 + j * 3) % 11));
}

static void step(Grid *g, double k) {
  int m = g->ny;
  for (int i = 1; i < g->nx - 1; i++) /* region: step */
    for (int j = 1; j < g->ny - 1; j++)
      g->next[i * m + j] = at(g, i, j) + k * laplacian(g->now, i, j, m);
  for (int i = 1; i < g->nx - 1; i++)
    for (int j = 1; j < g->ny - 1; j++)
      g->now[i * m + j] = g->next[i * m + j];
}

static double total(const Grid *g) {
  double sum = 0.0;
  for (int i = 0; i < g->nx; i++) /* region: total */
    for (int j = 0; j < g->ny; j++)
      sum += at(g, i, j);
  return sum;
}

int main(void) {
  Grid g;
  g.nx = 37;
  g.ny = 29;
  g.now = malloc(sizeof(double) * g.nx * g.ny);
  g.next = calloc(g.nx * g.ny, sizeof(double));
  fill(&g);
  for (int t = 0; t < 12; t++) /* region: main */
    step(&g, 0.2);
  printf("%.9f\n", total(&g));
  for (int i = 0; i < g.nx; i += 9)
    printf("%.9f ", g.now[i * g.ny + 5]);
  printf("\n");
  free(g.now);
  free(g.next);
  return 0;
}
