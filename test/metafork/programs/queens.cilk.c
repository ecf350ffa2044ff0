#include <stdio.h>
#include <cilk/cilk.h>

/* The board is a set of bits for each direction. */
static int queens(int all, int columns, int left, int right) {
  if (columns == all) return 1;
  int open = all & ~(columns | left | right), n = 0, found[16];
  while (open) {
    int bit = open & -open;
    open ^= bit;
    found[n++] = cilk_spawn queens(all, columns | bit, (left | bit) << 1, (right | bit) >> 1);
  }
  cilk_sync;
  int sum = 0;
  while (n) sum += found[--n];
  return sum;
}

int main(void) { printf("%d\n", queens((1 << 7) - 1, 0, 0, 0)); return 0; }
