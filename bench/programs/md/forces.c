#include "cells.h"

// Forces of Lennard and Jones between particles in neighbouring cells; the potential energy.
double forces(struct particles* p, const struct cells* c) {
  int count = p->count, side = c->side;
  double box = p->box, energy = 0;
  const double *restrict x = p->x, *restrict y = p->y, *restrict z = p->z;
  double *restrict fx = p->fx, *restrict fy = p->fy, *restrict fz = p->fz;
  const int *restrict start = c->start, *restrict member = c->member, *restrict of = c->of;
#pragma omp parallel for reduction(+ : energy)
  for (int i = 0; i < count; i++) {
    double xi = x[i], yi = y[i], zi = z[i], sx = 0, sy = 0, sz = 0, e = 0;
    int cell = of[i], cx = cell % side, cy = cell / side % side, cz = cell / side / side;
    for (int d = 0; d < 27; d++) {
      int nx = (cx + d % 3 - 1 + side) % side, ny = (cy + d / 3 % 3 - 1 + side) % side, nz = (cz + d / 9 - 1 + side) % side;
      int other = (nz * side + ny) * side + nx;
      for (int k = start[other]; k < start[other + 1]; k++) {
        int j = member[k];
        double dx = xi - x[j], dy = yi - y[j], dz = zi - z[j];
        dx -= dx > 0.5 * box ? box : dx < -0.5 * box ? -box : 0;
        dy -= dy > 0.5 * box ? box : dy < -0.5 * box ? -box : 0;
        dz -= dz > 0.5 * box ? box : dz < -0.5 * box ? -box : 0;
        double square = dx * dx + dy * dy + dz * dz;
        if (j != i && square < reach * reach) {
          double inverse = 1 / square, six = inverse * inverse * inverse;
          double force = 24 * inverse * six * (2 * six - 1);
          sx += force * dx;
          sy += force * dy;
          sz += force * dz;
          e += 2 * six * (six - 1);
        }
      }
    }
    fx[i] = sx;
    fy[i] = sy;
    fz[i] = sz;
    energy += e;
  }
  return energy;
}

// Half a step of velocities, a step of places, inside the box.
void move(struct particles* p, double dt) {
  double *x = p->x, *y = p->y, *z = p->z, box = p->box;
  push(p, dt);
  for (int i = 0; i < p->count; i++) {
    x[i] += dt * p->vx[i];
    y[i] += dt * p->vy[i];
    z[i] += dt * p->vz[i];
    x[i] += x[i] < 0 ? box : x[i] >= box ? -box : 0;
    y[i] += y[i] < 0 ? box : y[i] >= box ? -box : 0;
    z[i] += z[i] < 0 ? box : z[i] >= box ? -box : 0;
  }
}

// Half a step of velocities.
void push(struct particles* p, double dt) {
  for (int i = 0; i < p->count; i++) {
    p->vx[i] += 0.5 * dt * p->fx[i];
    p->vy[i] += 0.5 * dt * p->fy[i];
    p->vz[i] += 0.5 * dt * p->fz[i];
  }
}

double kinetic(const struct particles* p) {
  double sum = 0;
  for (int i = 0; i < p->count; i++) sum += p->vx[i] * p->vx[i] + p->vy[i] * p->vy[i] + p->vz[i] * p->vz[i];
  return 0.5 * sum;
}
