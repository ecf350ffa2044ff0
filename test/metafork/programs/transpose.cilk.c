#include <cilk/cilk.h>
#include <stdio.h>
enum { N = 23, SMALL = 5 };
static int from[N][N], to[N][N];
/* The longer side is halved until a piece is small. */
static void turn(int row, int rows, int column, int columns) {
  if (rows <= SMALL && columns <= SMALL) {
    for (int i = row; i < row + rows; ++i)
      for (int j = column; j < column + columns; ++j) to[j][i] = from[i][j];
  } else if (rows >= columns) {
    cilk_spawn turn(row, rows / 2, column, columns);
    turn(row + rows / 2, rows - rows / 2, column, columns);
    cilk_sync;
  } else {
    cilk_spawn turn(row, rows, column, columns / 2);
    turn(row, rows, column + columns / 2, columns - columns / 2);
    cilk_sync;
  }
}
int main(void) {
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j) from[i][j] = i * 100 + j;
  turn(0, N, 0, N);
  long sum = 0;
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j) sum = (sum * 7 + to[i][j] * (i + 2 * j)) % 1000003;
  printf("%d %ld\n", to[3][N - 1], sum);
  return 0;
}
