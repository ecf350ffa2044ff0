#include "bodies.h"
#include <math.h>

// Velocities after the forces between all pairs have worked for a while.
void kick(Bodies* b, double time) {
  int n = b->count;
  double *x = b->x, *y = b->y, *z = b->z, *vx = b->vx, *vy = b->vy, *vz = b->vz, *mass = b->mass;
  for (int i = 0; i < n; i++) {
    double ax = 0, ay = 0, az = 0;
    for (int j = 0; j < n; j++) {
      double dx = x[j] - x[i], dy = y[j] - y[i], dz = z[j] - z[i];
      double square = dx * dx + dy * dy + dz * dz + 1e-3;
      double force = mass[j] / (square * sqrt(square));
      ax += force * dx;
      ay += force * dy;
      az += force * dz;
    }
    vx[i] += time * ax;
    vy[i] += time * ay;
    vz[i] += time * az;
  }
}

void drift(Bodies* b, double time) {
  int n = b->count;
  double *x = b->x, *y = b->y, *z = b->z, *vx = b->vx, *vy = b->vy, *vz = b->vz;
  for (int i = 0; i < n; i++) {
    x[i] += time * vx[i];
    y[i] += time * vy[i];
    z[i] += time * vz[i];
  }
}

double kinetic(const Bodies* b) {
  int n = b->count;
  double *vx = b->vx, *vy = b->vy, *vz = b->vz, *mass = b->mass, sum = 0;
  for (int i = 0; i < n; i++) sum += 0.5 * mass[i] * (vx[i] * vx[i] + vy[i] * vy[i] + vz[i] * vz[i]);
  return sum;
}
