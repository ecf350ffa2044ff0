#include <cilk/cilk.h>
#include <stdio.h>
#include <string.h>
static void zero(void *view) { *(int *)view = 0; }
static void plus(void *left, void *right) { *(int *)left += *(int *)right; }
enum { N = 2000 };
static char crossed[N];
/* Of each block of numbers, the multiples of small ones are crossed out. */
static void cross(int begin, int end) {
  for (int p = 2; p * p < N; ++p) {
    int first = (begin + p - 1) / p * p;
    for (int m = first < p * p ? p * p : first; m < end; m += p) crossed[m] = 1;
  }
}
int main(void) {
  int primes = 0;
  long sum = 0;
#pragma cilk grainsize 3
  cilk_for (int block = 0; block < N / 100; ++block)
    cross(block * 100, block * 100 + 100);
  int cilk_reducer(zero, plus) found = 0;
  cilk_for (int n = 2; n < N; ++n) found += !crossed[n];
  primes = found;
  for (int n = 2; n < N; ++n) if (!crossed[n]) sum += n;
  printf("%d %ld\n", primes, sum);
  return 0;
}
// PRINTS: 303 277050
