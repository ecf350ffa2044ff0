// A flow in two dimensions by the lattice Boltzmann method: program [n] [steps].
#include "flow.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char** argv) {
  int n = argc > 1 ? atoi(argv[1]) : 1000, steps = argc > 2 ? atoi(argv[2]) : 300;
  double* now = malloc(ways * (size_t)n * n * sizeof *now);
  double* next = malloc(ways * (size_t)n * n * sizeof *next);
  if (!now || !next) return 2;
  for (int k = 0; k < ways; k++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) {
        double wave = 0.01 * sin(2 * 3.14159265358979 * (i + 2 * j) / n);
        now[((size_t)k * n + i) * n + j] = (k == 0 ? 4.0 / 9 : k < 5 ? 1.0 / 9 : 1.0 / 36) * (1 + wave);
      }
  double before = mass(n, now);
  for (int t = 0; t < steps; t++) {
    collide(n, 1.2, now);
    stream(n, now, next);
    double* swap = now;
    now = next;
    next = swap;
    if (t % 100 == 99) printf("step %d mass %.9e\n", t + 1, mass(n, now));
  }
  double after = mass(n, now);
  int right = fabs(after - before) < 1e-9 * before;
  printf("%s\n", right ? "right" : "wrong");
  return !right;
}
