// Bodies that attract each other: program [bodies] [steps].
#include "bodies.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static double* array(int n) { return calloc(n, sizeof(double)); }

int main(int argc, char** argv) {
  int n = argc > 1 ? atoi(argv[1]) : 20000, steps = argc > 2 ? atoi(argv[2]) : 10;
  Bodies b = {n, array(n), array(n), array(n), array(n), array(n), array(n), array(n)};
  unsigned seed = 1;
  for (int i = 0; i < n; i++) {
    double* place[3] = {&b.x[i], &b.y[i], &b.z[i]};
    for (int k = 0; k < 3; k++) {
      seed = seed * 1664525u + 1013904223u;
      *place[k] = (seed >> 8) / 16777216.0 - 0.5;
    }
    b.mass[i] = 1.0 / n;
  }
  for (int t = 0; t < steps; t++) {
    kick(&b, 1e-3);
    drift(&b, 1e-3);
    if (t % 5 == 4) printf("step %d energy of motion %.6e\n", t + 1, kinetic(&b));
  }
  // Forces come in pairs: what moves one way moves the other way too.
  double px = 0, py = 0, pz = 0;
  for (int i = 0; i < n; i++) px += b.mass[i] * b.vx[i], py += b.mass[i] * b.vy[i], pz += b.mass[i] * b.vz[i];
  int right = fabs(px) + fabs(py) + fabs(pz) < 1e-9 && kinetic(&b) > 0;
  printf("%s\n", right ? "right" : "wrong");
  return !right;
}
