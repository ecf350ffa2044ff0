#include <stdio.h>
int main(void) {
  int last = -1, scale = 3, a[30], at = 0;
#pragma omp parallel for firstprivate(scale) lastprivate(last) schedule(static, 4)
  for (int i = 0; i < 30; i += 2) {
    last = i * scale;
    a[i] = last, a[i + 1] = -last;
    scale = 3;
  }
#pragma omp parallel for lastprivate(at)
  for (int i = 4; i >= 0; --i)
    for (int j = 0; j < 6; ++j) {
      at = i * 6 + j;
      a[at] += at;
    }
  int sum = 0;
  for (int i = 0; i < 30; ++i) sum = sum * 3 % 10007 + a[i];
  printf("%d %d %d %d\n", last, at, scale, sum);
  return 0;
}
