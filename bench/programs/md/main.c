// Molecules with short forces, found by lists of cells: program [particles along an edge] [steps].
#include "cells.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static double* vector(int n) {
  double* memory = calloc(n, sizeof *memory);
  if (!memory) exit(2);
  return memory;
}

int main(int argc, char** argv) {
  int edge = argc > 1 ? atoi(argv[1]) : 40, steps = argc > 2 ? atoi(argv[2]) : 50;
  struct particles p = {edge * edge * edge};
  int n = p.count;
  const double distance = 1.2, dt = 0.002;
  p.box = edge * distance;
  p.x = vector(n), p.y = vector(n), p.z = vector(n), p.vx = vector(n), p.vy = vector(n), p.vz = vector(n);
  p.fx = vector(n), p.fy = vector(n), p.fz = vector(n);
  struct cells c = {(int)(p.box / reach)};
  if (c.side < 3) return 2;
  int all = c.side * c.side * c.side;
  c.start = malloc((all + 1) * sizeof(int)), c.member = malloc(n * sizeof(int)), c.of = malloc(n * sizeof(int));
  unsigned seed = 7;
  for (int i = 0; i < n; i++) {
    p.x[i] = (i % edge + 0.5) * distance;
    p.y[i] = (i / edge % edge + 0.5) * distance;
    p.z[i] = (i / edge / edge + 0.5) * distance;
    double* v[3] = {&p.vx[i], &p.vy[i], &p.vz[i]};
    for (int d = 0; d < 3; d++) {
      seed = seed * 1664525u + 1013904223u;
      *v[d] = (seed >> 8) / 16777216.0 - 0.5;
    }
  }
  sort_in(&p, &c);
  double potential = forces(&p, &c), first = potential + kinetic(&p), last = first;
  for (int t = 0; t < steps; t++) {
    move(&p, dt);
    sort_in(&p, &c);
    potential = forces(&p, &c);
    push(&p, dt);
    last = potential + kinetic(&p);
  }
  double momentum = 0;
  for (int i = 0; i < n; i++) momentum += p.fx[i] + p.fy[i] + p.fz[i];
  printf("energy %.6f to %.6f a particle, sum of forces %.1e\n", first / n, last / n, momentum);
  // Energy is kept, and every force has its opposite.
  int right = fabs(last - first) < 2e-3 * fabs(first) && fabs(momentum) < 1e-6 * n;
  printf("%s\n", right ? "right" : "wrong");
  return !right;
}
