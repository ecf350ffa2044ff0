/* Particles in a box: vectors as small arrays in structs, functions that take them by pointer and work on them by loops. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define DIM 3
typedef struct {
  double at[DIM], speed[DIM], force[DIM], mass;
} Particle;

static double squared(const double *a, const double *b) {
  double s = 0.0;
  for (int d = 0; d < DIM; d++)
    s += (a[d] - b[d]) * (a[d] - b[d]);
  return s;
}
static void clear(double *x) {
  for (int d = 0; d < DIM; d++)
    x[d] = 0.0;
}
static void axpy(double *to, double by, const double *x) {
  for (int d = 0; d < DIM; d++)
    to[d] += by * x[d];
}

static void place(Particle *p, int n) {
  for (int i = 0; i < n; i++) { /* region: place */
    p[i].mass = 1.0 + i % 3;
    for (int d = 0; d < DIM; d++) {
      p[i].at[d] = (i * 7 + d * 5) % 23;
      p[i].speed[d] = 0.1 * (d - 1);
    }
  }
}
static void forces(Particle *p, int n) {
  for (int i = 0; i < n; i++) { /* region: forces */
    clear(p[i].force);
    for (int j = 0; j < n; j++) {
      double w = p[j].mass / (squared(p[i].at, p[j].at) + 0.5);
      for (int d = 0; d < DIM; d++)
        p[i].force[d] += w * (p[j].at[d] - p[i].at[d]);
    }
  }
}
static void advance(Particle *p, int n, double dt) {
  for (int i = 0; i < n; i++) { /* region: advance */
    axpy(p[i].speed, dt / p[i].mass, p[i].force);
    axpy(p[i].at, dt, p[i].speed);
  }
}
static double energy(const Particle *p, int n) {
  double sum = 0.0;
  for (int i = 0; i < n; i++) /* region: energy */
    sum += 0.5 * p[i].mass * (p[i].speed[0] * p[i].speed[0] + p[i].speed[1] * p[i].speed[1] + p[i].speed[2] * p[i].speed[2]);
  return sum;
}

int main(void) {
  int n = 60;
  Particle *p = calloc(n, sizeof *p);
  place(p, n);
  for (int step = 0; step < 4; step++) {
    forces(p, n);
    advance(p, n, 0.01);
  }
  printf("%.6f %.6f %.6f\n", energy(p, n), p[7].at[1], p[31].speed[2]);
  return 0;
}
