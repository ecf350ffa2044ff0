// Points in groups around their means: program [points] [rounds].
#include "clusters.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char** argv) {
  int n = argc > 1 ? atoi(argv[1]) : 2000000, rounds = argc > 2 ? atoi(argv[2]) : 30;
  float* points = malloc((size_t)n * dimensions * sizeof *points);
  int* group = calloc(n, sizeof *group);
  float* centres = malloc(groups * dimensions * sizeof *centres);
  double* sums = malloc(groups * dimensions * sizeof *sums);
  int* counts = malloc(groups * sizeof *counts);
  unsigned seed = 3;
  for (long k = 0; k < (long)n * dimensions; k++) {
    seed = seed * 1664525u + 1013904223u;
    points[k] = 6 * ((seed >> 8) / 16777216.0f) + (float)(k / dimensions % groups);
  }
  memcpy(centres, points, groups * dimensions * sizeof *centres);
  int changed = n;
  for (int t = 0; t < rounds && changed; t++) {
    changed = assign(n, points, centres, group);
    memset(sums, 0, groups * dimensions * sizeof *sums);
    memset(counts, 0, groups * sizeof *counts);
    sum_up(n, points, group, sums, counts);
    for (int g = 0; g < groups; g++)
      for (int d = 0; d < dimensions; d++)
        if (counts[g]) centres[g * dimensions + d] = (float)(sums[g * dimensions + d] / counts[g]);
  }
  int all = 0;
  for (int g = 0; g < groups; g++) all += counts[g];
  int right = all == n && changed < n / 2;
  printf("changed %d, first centre %.4f %.4f\n%s\n", changed, centres[0], centres[1], right ? "right" : "wrong");
  return !right;
}
