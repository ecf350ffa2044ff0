#include <stdio.h>
#define N 20
static int far[N][N];
/* All shortest paths: row k and column k do not change in step k. */
static void shortest(void) {
  for (int k = 0; k < N; ++k) {
    int i, j, first;
#pragma omp parallel
    {
#pragma omp for private(j, first)
      for (i = 0; i < N; i++) {
        first = far[i][k];
        for (j = 0; j < N; ++j)
          if (i != k && j != k && first + far[k][j] < far[i][j]) far[i][j] = first + far[k][j];
      }
    }
  }
}
int main(void) {
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j) far[i][j] = i == j ? 0 : (i * 7 + j * 11) % 13 == 0 ? (i + j) % 9 + 1 : 1000;
  shortest();
  long sum = 0;
  int reached = 0;
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j)
      if (far[i][j] < 1000) sum = (sum * 17 + far[i][j]) % 99991, ++reached;
  printf("%d %ld\n", reached, sum);
  return 0;
}
