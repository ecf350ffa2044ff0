#include <cilk/cilk.h>
#include <stdio.h>

long fib(int n) {
  if (n < 2) return n;
  long x = cilk_spawn fib(n - 1);
  long y = fib(n - 2);
  cilk_sync;
  return x + y;
}

int main(void) {
  printf("%ld\n", fib(16));
  return 0;
}
