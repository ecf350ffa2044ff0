#include <stdio.h>
enum { N = 24, STEPS = 9 };
static char grid[2][N][N];
/* The game of life on a torus, from one grid into the other. */
static int around(const char (*g)[N], int i, int j) {
  int sum = 0;
  for (int di = N - 1; di <= N + 1; ++di)
    for (int dj = N - 1; dj <= N + 1; ++dj)
      if (di != N || dj != N) sum += g[(i + di) % N][(j + dj) % N];
  return sum;
}
int main(void) {
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j) grid[0][i][j] = (i * i + 3 * j) % 7 < 2;
  for (int t = 0; t < STEPS; ++t) {
#pragma omp parallel for collapse(2)
    for (int i = 0; i < N; ++i)
      for (int j = 0; j < N; ++j) {
      int alive = around(grid[t % 2], i, j);
      grid[(t + 1) % 2][i][j] = alive == 3 || (alive == 2 && grid[t % 2][i][j]);
    }
  }
  int living = 0, place = 0;
  for (int i = 0; i < N * N; ++i)
    if (grid[STEPS % 2][i / N][i % N]) ++living, place = (place * 3 + i) % 9973;
  printf("%d %d\n", living, place);
  return 0;
}
