#include <cilk/cilk.h>
#include <stdio.h>
enum { SIZE = 16 };
/* c += a b, by halves, down to single elements */
static void product(int n, int *c, const int *a, const int *b) {
  if (n == 1) {
    *c += *a * *b;
    return;
  }
  int h = n / 2;
#define AT(m, i, j) (m + (i) * h * SIZE + (j) * h)
  cilk_spawn product(h, AT(c, 0, 0), AT(a, 0, 0), AT(b, 0, 0));
  cilk_spawn product(h, AT(c, 0, 1), AT(a, 0, 0), AT(b, 0, 1));
  cilk_spawn product(h, AT(c, 1, 0), AT(a, 1, 0), AT(b, 0, 0));
  product(h, AT(c, 1, 1), AT(a, 1, 0), AT(b, 0, 1));
  cilk_sync;
  cilk_spawn product(h, AT(c, 0, 0), AT(a, 0, 1), AT(b, 1, 0));
  cilk_spawn product(h, AT(c, 0, 1), AT(a, 0, 1), AT(b, 1, 1));
  cilk_spawn product(h, AT(c, 1, 0), AT(a, 1, 1), AT(b, 1, 0));
  product(h, AT(c, 1, 1), AT(a, 1, 1), AT(b, 1, 1));
}
int main(void) {
  static int a[SIZE * SIZE], b[SIZE * SIZE], c[SIZE * SIZE];
  for (int i = 0; i < SIZE * SIZE; ++i) a[i] = i % 7, b[i] = i % 5 - 2;
  product(SIZE, c, a, b);
  long sum = 0;
  for (int i = 0; i < SIZE * SIZE; ++i) sum += (long)(i % 13) * c[i];
  printf("%ld\n", sum);
  return 0;
}
