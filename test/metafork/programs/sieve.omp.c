#include <stdio.h>
#include <string.h>
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
#pragma omp parallel for schedule(dynamic, 3)
  for (int block = 0; block < N / 100; ++block)
    cross(block * 100, block * 100 + 100);
#pragma omp parallel for reduction(+: primes)
  for (int n = 2; n < N; ++n) primes += !crossed[n];
  for (int n = 2; n < N; ++n) if (!crossed[n]) sum += n;
  printf("%d %ld\n", primes, sum);
  return 0;
}
// PRINTS: 303 277050
