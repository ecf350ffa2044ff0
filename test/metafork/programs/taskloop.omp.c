#include <stdio.h>
enum { N = 60 };
static int squares[N], cubes[N];
static void fill(int *to, int power) {
#pragma omp taskloop grainsize(7)
  for (int i = 0; i < N; ++i) {
    int value = 1;
    for (int p = 0; p < power; ++p) value *= i % 10;
    to[i] = value;
  }
}
int main(void) {
#pragma omp parallel
#pragma omp single
  {
#pragma omp task
    fill(squares, 2);
#pragma omp task
    fill(cubes, 3);
#pragma omp taskwait
  }
  int sum = 0;
  for (int i = 0; i < N; ++i) sum += squares[i] * 2 - cubes[i] * (i % 3);
  printf("%d\n", sum);
  return 0;
}
