// Heat that spreads over a plate, with a row of it written every 50 steps: program [n] [steps].
#include "field.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char** argv) {
  int n = argc > 1 ? atoi(argv[1]) : 1500, steps = argc > 2 ? atoi(argv[2]) : 2000;
  double* now = calloc((size_t)n * n, sizeof *now);
  double* next = calloc((size_t)n * n, sizeof *next);
  if (!now || !next) return 2;
  for (int i = 3 * n / 8; i < 5 * n / 8; i++)
    for (int j = 3 * n / 8; j < 5 * n / 8; j++) now[i * n + j] = 100;
  double before = total(n, now);
  for (int t = 0; t < steps; t++) {
    if (t % 50 == 0) write_row("heat.out", n, t, now);
    step(n, 0.2, now, next);
    double* swap = now;
    now = next;
    next = swap;
  }
  // As long as nothing has reached the boundary, no heat is lost.
  double after = total(n, now), middle = now[(n / 2) * n + n / 2];
  int right = fabs(after - before) < 1e-6 * before && middle > 0 && middle <= 100;
  printf("heat %.6e middle %.6f\n%s\n", after, middle, right ? "right" : "wrong");
  free(now);
  free(next);
  return !right;
}
