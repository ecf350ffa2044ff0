#include <cilk/cilk.h>
#include <stdio.h>
static void zero(void *view) { *(long *)view = 0; }
static void plus(void *left, void *right) { *(long *)left += *(long *)right; }
int main(void) {
  long cilk_reducer(zero, plus) sum = 3;
  int a[100];
#pragma cilk grainsize 8
  cilk_for (int i = 0; i < 100; ++i) { a[i] = i * i; sum += i; }
  cilk_for (int i = 0; i < 10; ++i)
    cilk_for (int j = 0; j < 10; ++j)
      sum += a[i * 10 + j] % 7;
  printf("%ld %d\n", sum, a[9]);
  return 0;
}
