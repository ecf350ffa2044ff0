#include "ranks.h"
#include <math.h>

// What each page gives to every page that it links to.
void shares(int pages, const int* links, const double* rank, double* share) {
  for (int i = 0; i < pages; i++) share[i] = links[i] ? rank[i] / links[i] : 0;
}

// New ranks from those shares; how much they changed.
double iterate(int pages, const int* start, const int* from, const double* share, const double* old, double* rank) {
  for (int i = 0; i < pages; i++) {
    double sum = 0;
    for (int k = start[i]; k < start[i + 1]; k++) sum += share[from[k]];
    rank[i] = 0.15 / pages + 0.85 * sum;
  }
  double change = 0;
  for (int i = 0; i < pages; i++) change += fabs(rank[i] - old[i]);
  return change;
}
