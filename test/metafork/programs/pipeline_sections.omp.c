#include <stdio.h>
enum { N = 40 };
int main(void) {
  int x[N], y[N], sum = 0, most = 0, odd = 0, factor = 2;
  for (int i = 0; i < N; ++i) x[i] = (i * 13) % 29;
#pragma omp parallel sections firstprivate(factor)
  {
#pragma omp section
    {
      int own = 0;
      for (int i = 0; i < N; ++i) own += x[i] * factor;
      sum = own;
    }
#pragma omp section
    {
      factor += 1;
      for (int i = 0; i < N; ++i) y[i] = x[N - 1 - i] * factor;
    }
#pragma omp section
    for (int i = 0; i < N; ++i) if (x[i] > most) most = x[i];
  }
#pragma omp parallel sections reduction(+: odd)
  {
#pragma omp section
    for (int i = 0; i < N / 2; ++i) odd += y[i] % 2;
#pragma omp section
    for (int i = N / 2; i < N; ++i) odd += y[i] % 2;
  }
  printf("%d %d %d %d %d\n", sum, most, odd, y[3], factor);
  return 0;
}
