#include <stdio.h>
#include <omp.h>
int main(void) {
  enum { N = 20 };
  int a[N][N], b[N][N], c[N][N], i, j, k, t;
  for (i = 0; i < N; i++) for (j = 0; j < N; j++) { a[i][j] = i * j; b[i][j] = i + 2 * j; }
#pragma omp parallel for private(k, t) collapse(2) schedule(dynamic, 4)
  for (i = 0; i < N; i++)
    for (j = 0; j < N; j++) {
      t = 0;
      for (k = 0; k < N; k++)
        t += a[i][k] * b[k][j];
      c[i][j] = t;
    }
  printf("%d %d\n", c[1][2], c[N - 1][N - 1]);
  return 0;
}
