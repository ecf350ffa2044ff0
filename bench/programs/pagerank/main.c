// Ranks of pages by their links, which are stored by the page they lead to: program [pages] [iterations].
#include "ranks.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char** argv) {
  int n = argc > 1 ? atoi(argv[1]) : 2000000, most = argc > 2 ? atoi(argv[2]) : 60;
  int *start = malloc((n + 1) * sizeof *start), *from = malloc(8 * (size_t)n * sizeof *from), *links = calloc(n, sizeof *links);
  double *rank = malloc(n * sizeof *rank), *old = malloc(n * sizeof *old), *share = malloc(n * sizeof *share);
  unsigned seed = 7;
  int at = 0;
  for (int i = 0; i < n; i++) {
    start[i] = at;
    for (int k = 0; k < 4 + i % 5; k++) {
      seed = seed * 1664525u + 1013904223u;
      from[at] = (int)((seed >> 4) % (unsigned)n);
      links[from[at++]]++;
    }
  }
  start[n] = at;
  for (int i = 0; i < n; i++) rank[i] = 1.0 / n;
  double change = 1;
  int steps = 0;
  for (; steps < most && change > 1e-12; steps++) {
    double* swap = old;
    old = rank;
    rank = swap;
    shares(n, links, old, share);
    change = iterate(n, start, from, share, old, rank);
  }
  double sum = 0;
  int best = 0;
  for (int i = 0; i < n; i++) {
    sum += rank[i];
    if (rank[i] > rank[best]) best = i;
  }
  int right = sum > 0.5 && sum < 1 + 1e-9 && change < 1e-3 && rank[best] > 1.0 / n;
  printf("steps %d sum %.9f best %d\n%s\n", steps, sum, best, right ? "right" : "wrong");
  return !right;
}
