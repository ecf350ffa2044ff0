#include "clusters.h"

// Every point goes to the nearest centre; how many have gone to another than before.
int assign(int n, const float* points, const float* centres, int* group) {
  int changed = 0;
  for (int i = 0; i < n; i++) {
    int best = 0;
    float least = 1e30f;
    for (int g = 0; g < groups; g++) {
      float square = 0;
      for (int d = 0; d < dimensions; d++) {
        float part = points[i * dimensions + d] - centres[g * dimensions + d];
        square += part * part;
      }
      if (square < least) {
        least = square;
        best = g;
      }
    }
    changed += best != group[i];
    group[i] = best;
  }
  return changed;
}

void sum_up(int n, const float* points, const int* group, double* sums, int* counts) {
  for (int i = 0; i < n; i++) {
    counts[group[i]]++;
    for (int d = 0; d < dimensions; d++) sums[group[i] * dimensions + d] += points[i * dimensions + d];
  }
}
