#include <cilk/cilk.h>
#include <stdio.h>
#include <string.h>
enum { N = 16, SMALL = 4 };
typedef int Square[N][N];
static void clear(Square c) { memset(c, 0, sizeof(Square)); }
/* c += a*b on squares of `size`, at places in each: eight products of halves, four at a time. */
static void multiply(Square a, int ai, int aj, Square b, int bi, int bj, Square c, int ci, int cj, int size) {
  if (size <= SMALL) {
    for (int i = 0; i < size; ++i)
      for (int j = 0; j < size; ++j)
        for (int k = 0; k < size; ++k) c[ci + i][cj + j] += a[ai + i][aj + k] * b[bi + k][bj + j];
    return;
  }
  int h = size / 2;
  for (int k = 0; k < size; k += h) {
    cilk_spawn multiply(a, ai + 0, aj + k, b, bi + k, bj + 0, c, ci + 0, cj + 0, h);
    cilk_spawn multiply(a, ai + 0, aj + k, b, bi + k, bj + h, c, ci + 0, cj + h, h);
    cilk_spawn multiply(a, ai + h, aj + k, b, bi + k, bj + 0, c, ci + h, cj + 0, h);
    multiply(a, ai + h, aj + k, b, bi + k, bj + h, c, ci + h, cj + h, h);
    cilk_sync;
  }
}
int main(void) {
  static Square a, b, c;
  long sum = 0;
  clear(c);
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j) a[i][j] = (i * 3 + j) % 7 - 2, b[i][j] = (i + j * 5) % 9 - 3;
  multiply(a, 0, 0, b, 0, 0, c, 0, 0, N);
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j) sum = (sum * 5 + c[i][j]) % 1000003;
  printf("%d %ld\n", c[7][9], sum);
  return 0;
}
