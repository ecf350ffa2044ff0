#include <cilk/cilk.h>
#include <stdio.h>
static void put(int *to, int v) { *to = v; }
static int early(int n, int *a) {
  for (int i = 0; i < n; ++i) {
    if (a[i] < 0) return i;
    cilk_spawn put(&a[i], a[i] * 2);
  }
  if (n > 3) return -1;
  else
    return -2;
}
static void inner(int *a) {
  cilk_spawn put(a, 5);
  cilk_spawn put(a + 1, 6);
}
int main(void) {
  int a[6] = {1, 2, 3, -1, 5, 6}, first, second, total = 0;
  cilk_scope {
    cilk_spawn put(&first, 11);
    put(&second, 22);
  }
  total = first + second;
  int at = early(6, a);
  printf("%d %d %d %d %d\n", total, at, a[0], a[2], a[4]);
  printf("%d ", early(2, a));
  inner(a + 4);
  printf("%d %d\n", a[4], a[5]);
  cilk_spawn { total += 100; }
  cilk_sync;
  printf("%d\n", total);
  return 0;
}
