#include <stdio.h>
int main(void) {
  int x[5], y[5], sum_x = 0, sum_y = 0, i, j, common = 4, kept = 0, total = 1;
  for (i = 0; i < 5; i++) x[i] = y[i] = i;
#pragma omp parallel sections private(i, j)
  {
#pragma omp section
    {
      for (i = 0; i < 5; i++) sum_x += x[i];
    }
#pragma omp section
    for (j = 0; j < 5; j++) sum_y += y[j];
  }
  printf("%d %d\n", sum_x, sum_y);
#pragma omp parallel
  {
#pragma omp sections firstprivate(common) lastprivate(kept) reduction(+: total)
    {
      { int c = common + 1; total += c; kept = 1; }
#pragma omp section
      { int c = common + 2; total += c; kept = c; }
    }
#pragma omp sections nowait
    {
#pragma omp section
      sum_x = 100;
#pragma omp section
      sum_y = 200;
    }
  }
  printf("%d %d %d %d %d\n", common, kept, total, sum_x, sum_y);
  return 0;
}
