/* The game of life on a board that wraps around, with helpers that read global arrays. */
#include <stdio.h>
#include <string.h>

#define ROWS 40
#define COLUMNS 56

static int board[ROWS][COLUMNS], following[ROWS][COLUMNS];

static int wrap(int k, int n) {
  if (k < 0) return k + n;
  if (k >= n) return k - n;
  return k;
}

static int alive(int y, int x) { return board[wrap(y, ROWS)][wrap(x, COLUMNS)]; }

static int neighbours(int y, int x) {
  int count = 0;
  for (int dy = -1; dy <= 1; dy++)
    for (int dx = -1; dx <= 1; dx++)
      count += alive(y + dy, x + dx);
  return count - alive(y, x);
}

static int rule(int is_alive, int count) {
  if (is_alive) return count == 2 || count == 3;
  return count == 3;
}

static void generation(void) {
  for (int y = 0; y < ROWS; y++) /* region: generation */
    for (int x = 0; x < COLUMNS; x++)
      following[y][x] = rule(alive(y, x), neighbours(y, x));
  for (int y = 0; y < ROWS; y++)
    for (int x = 0; x < COLUMNS; x++)
      board[y][x] = following[y][x];
}

int main(void) {
  for (int y = 0; y < ROWS; y++) /* region: main */
    for (int x = 0; x < COLUMNS; x++)
      board[y][x] = (y * 5 + x * 3 + (y * x) % 7) % 4 == 0;
  for (int t = 0; t < 10; t++)
    generation();
  int living = 0;
  for (int y = 0; y < ROWS; y++)
    for (int x = 0; x < COLUMNS; x++)
      living += alive(y, x);
  printf("%d %d %d\n", living, board[3][4], board[11][50]);
  return 0;
}
