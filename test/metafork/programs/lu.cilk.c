#include <stdio.h>
#include <cilk/cilk.h>
#define N 18
/* LU decomposition in place, without pivots. */
static void decompose(double a[N][N]) {
  for (int k = 0; k < N; ++k) {
    cilk_for (int i = k + 1; i < N; ++i) {
      a[i][k] /= a[k][k];
      for (int j = k + 1; j < N; ++j)
        a[i][j] -= a[i][k] * a[k][j];
    }
  }
}
int main(void) {
  double a[N][N], sum = 0;
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j) a[i][j] = i == j ? 2 * N : (i * 5 + j * 3) % 7;
  decompose(a);
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j) sum += a[i][j] * (i - j);
  printf("%.6f\n", sum);
  return 0;
}
