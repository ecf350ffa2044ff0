#include <stdio.h>
int main(void) {
  int n = 200, i;
  long sum = 5;
  double product = 1;
  int low = 9999, high = -1, count = 0;
#pragma omp parallel for reduction(+: sum) reduction(*: product)
  for (i = 0; i < n; i++) { sum += i; product *= i % 50 == 0 ? 2 : 1; }
#pragma omp parallel
  {
#pragma omp for reduction(min: low) reduction(max: high)
    for (i = 0; i < n; i = i + 3) { int v = (i * 17) % 101; if (v < low) low = v; if (v > high) high = v; }
#pragma omp for reduction(-: count)
    for (i = 0; i < n; i++) count -= i % 2;
  }
  printf("%ld %g %d %d %d\n", sum, product, low, high, count);
  return 0;
}
