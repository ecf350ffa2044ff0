#include <cilk/cilk.h>
#include <stdio.h>
enum { ITEMS = 12 };
static const int weight[ITEMS] = {4, 7, 2, 9, 5, 3, 8, 6, 1, 10, 12, 11};
static const int worth[ITEMS] = {8, 13, 3, 17, 9, 4, 16, 10, 1, 21, 23, 22};
/* The best of taking the item and leaving it, both tried at the same time. */
static int best(int item, int room) {
  int with = 0, without;
  if (item == ITEMS) return 0;
  if (weight[item] <= room) with = cilk_spawn best(item + 1, room - weight[item]);
  without = best(item + 1, room);
  cilk_sync;
  if (weight[item] <= room) with += worth[item];
  return with > without ? with : without;
}
int main(void) {
  int found = 0;
  found = best(0, 30);
  printf("%d\n", found);
  return 0;
}
