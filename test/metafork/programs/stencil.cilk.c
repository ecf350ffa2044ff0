#include <stdio.h>
#include <cilk/cilk.h>
#define N 50
#define STEPS 6
static double u[N][N], v[N][N];

int main(void) {
  int i, j;
  for (i = 0; i < N; i++)
    for (j = 0; j < N; j++) u[i][j] = v[i][j] = (i * j) % 17;
  for (int t = 0; t < STEPS; ++t) {
    cilk_for (int i = 1; i < N - 1; ++i)
      for (int j = 1; j < N - 1; ++j)
        v[i][j] = 0.25 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]);
#pragma cilk grainsize 4
    cilk_for (int i = 1; i < N - 1; ++i)
      for (int j = 1; j < N - 1; ++j) u[i][j] = v[i][j];
  }
  double sum = 0;
  for (i = 0; i < N; i++)
    for (j = 0; j < N; j++) sum += u[i][j] * (i + 2 * j);
  printf("%.6f\n", sum);
  return 0;
}
