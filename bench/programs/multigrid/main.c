// Poisson's equation by V-cycles of a multigrid method: program [levels] [cycles].
#include "levels.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static double* zeros(int n) {
  double* memory = calloc((size_t)n * n, sizeof *memory);
  if (!memory) exit(2);
  return memory;
}

static void cycle(struct level* levels, int count, int k) {
  struct level* l = &levels[k];
  int sweeps = k + 1 == count ? 20 : 2;
  for (int s = 0; s < sweeps; s++) smooth(l, 0), smooth(l, 1);
  if (k + 1 == count) return;
  residual(l);
  restrict_to(l, l + 1);
  cycle(levels, count, k + 1);
  prolong_from(l + 1, l);
  for (int s = 0; s < 2; s++) smooth(l, 0), smooth(l, 1);
}

int main(int argc, char** argv) {
  int count = argc > 1 ? atoi(argv[1]) : 11, cycles = argc > 2 ? atoi(argv[2]) : 20;
  if (count < 2 || count > most_levels) return 2;
  struct level levels[most_levels];
  for (int k = 0; k < count; k++) {
    int n = (1 << (count - k)) + 1;
    levels[k] = (struct level){n, 1.0 / (n - 1), zeros(n), zeros(n), zeros(n)};
  }
  // The solution is sin(pi x) sin(pi y).
  const double pi = 3.14159265358979323846;
  int n = levels[0].n;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      levels[0].f[(size_t)i * n + j] = 2 * pi * pi * sin(pi * i * levels[0].h) * sin(pi * j * levels[0].h);
  residual(&levels[0]);
  double first = norm(&levels[0]), last = first;
  for (int t = 0; t < cycles; t++) {
    cycle(levels, count, 0);
    residual(&levels[0]);
    last = norm(&levels[0]);
  }
  double error = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      error = fmax(error, fabs(levels[0].u[(size_t)i * n + j] - sin(pi * i * levels[0].h) * sin(pi * j * levels[0].h)));
  printf("residual %.3e to %.3e, error %.3e\n", first, last, error);
  int right = last < 1e-6 * first && error < 2 * levels[0].h * levels[0].h + 1e-6;
  printf("%s\n", right ? "right" : "wrong");
  return !right;
}
