#include <stdio.h>
enum { N = 500 };
static int a[N], b[N];
int main(void) {
  long sum = 5;
  int least = 1 << 20, most = -(1 << 20);
#pragma omp parallel
  {
#pragma omp for
    for (int i = 0; i < N; i++) a[i] = (i * 37) % 101 - 50, b[i] = (i * 53) % 97 - 40;
#pragma omp for reduction(+: sum) reduction(min: least) reduction(max: most)
    for (int i = 0; i < N; i++) {
      int product = a[i] * b[i];
      sum += product;
      if (product < least) least = product;
      if (product > most) most = product;
    }
  }
  printf("%ld %d %d\n", sum, least, most);
  return 0;
}
