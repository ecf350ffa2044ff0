/* Finite volumes on an unstructured mesh: faces with two cells, cells with their faces, small structs by value. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
  double x, y;
} Point;

typedef struct {
  int cells, sides;
  int *neighbour; /* of side s of cell c: neighbour[c * sides + s], -1 outside */
  double *area, *volume;
  Point *centre;
} Mesh;

static double distance(Point a, Point b) {
  double dx = a.x - b.x, dy = a.y - b.y;
  return sqrt(dx * dx + dy * dy);
}

static double exchange(const Mesh *m, const double *u, int c, int s) {
  int other = m->neighbour[c * m->sides + s];
  if (other < 0) return 0.0;
  return m->area[c * m->sides + s] * (u[other] - u[c]) / distance(m->centre[c], m->centre[other]);
}

static void advance(const Mesh *m, const double *u, double *v, double dt) {
  for (int c = 0; c < m->cells; c++) { /* region: advance */
    double balance = 0.0;
    for (int s = 0; s < m->sides; s++)
      balance += exchange(m, u, c, s);
    v[c] = u[c] + dt * balance / m->volume[c];
  }
}

int main(void) {
  const int side = 24, n = side * side;
  Mesh m;
  m.cells = n;
  m.sides = 4;
  m.neighbour = malloc(sizeof(int) * n * 4);
  m.area = malloc(sizeof(double) * n * 4);
  m.volume = malloc(sizeof(double) * n);
  m.centre = malloc(sizeof(Point) * n);
  double *u = malloc(sizeof(double) * n), *v = malloc(sizeof(double) * n);
  for (int c = 0; c < n; c++) {
    int i = c / side, j = c % side;
    m.neighbour[c * 4] = i > 0 ? c - side : -1;
    m.neighbour[c * 4 + 1] = i < side - 1 ? c + side : -1;
    m.neighbour[c * 4 + 2] = j > 0 ? c - 1 : -1;
    m.neighbour[c * 4 + 3] = j < side - 1 ? c + 1 : -1;
    for (int s = 0; s < 4; s++)
      m.area[c * 4 + s] = 1.0 + 0.01 * s;
    m.volume[c] = 1.0 + 0.001 * (c % 17);
    m.centre[c].x = i + 0.01 * (c % 3);
    m.centre[c].y = j + 0.01 * (c % 5);
    u[c] = c % 29 == 0 ? 10.0 : 0.1 * (c % 7);
  }
  for (int t = 0; t < 6; t++) {
    advance(&m, u, v, 0.1);
    advance(&m, v, u, 0.1);
  }
  double sum = 0.0;
  for (int c = 0; c < n; c++)
    sum += u[c] * (c % 3 + 1);
  printf("%.8f %.8f\n", sum, u[n / 2]);
  return 0;
}
