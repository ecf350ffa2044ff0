#include <stdio.h>
#define SIZE 40
int main(void) {
  int a[SIZE], i, b = 7, last = -1, offset = 3, own;
  int table[3] = {1, 2, 3};
#pragma omp parallel
  {
#pragma omp for private(b)
    for (i = 0; i < SIZE; i++) {
      b = i * 2;
      a[i] = b + 1;
    }
  }
#pragma omp parallel for firstprivate(offset, table) lastprivate(last)
  for (i = 0; i < SIZE; ++i) {
    last = a[i] + offset;
    table[0] = 5;
    a[i] = last + table[0] + table[1];
  }
#pragma omp parallel private(own)
  {
    int inner;
#pragma omp for schedule(static)
    for (i = SIZE - 1; i >= 0; i -= 2) {
      own = i;
      inner = own * own;
      a[i] += inner;
    }
#pragma omp barrier
#pragma omp single
    b += 1;
  }
  long sum = 0;
  for (i = 0; i < SIZE; i++) sum = sum * 7 % 100003 + a[i];
  printf("%d %d %ld\n", b, last, sum);
  return 0;
}
