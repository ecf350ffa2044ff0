#include "cells.h"

// Which particle is in which cell: counts, their sums, then places.
void sort_in(const struct particles* p, struct cells* c) {
  int side = c->side, all = side * side * side;
  double scale = side / p->box;
  for (int k = 0; k <= all; k++) c->start[k] = 0;
  for (int i = 0; i < p->count; i++) {
    int cx = (int)(p->x[i] * scale), cy = (int)(p->y[i] * scale), cz = (int)(p->z[i] * scale);
    cx = cx < side ? cx : side - 1;
    cy = cy < side ? cy : side - 1;
    cz = cz < side ? cz : side - 1;
    c->of[i] = (cz * side + cy) * side + cx;
    c->start[c->of[i] + 1]++;
  }
  for (int k = 0; k < all; k++) c->start[k + 1] += c->start[k];
  for (int i = p->count - 1; i >= 0; i--) c->member[--c->start[c->of[i] + 1]] = i;
  // Every start has moved down by the length of its cell: shift them back to their own places.
  for (int k = 0; k < all; k++) c->start[k] = c->start[k + 1];
  c->start[all] = p->count;
}
