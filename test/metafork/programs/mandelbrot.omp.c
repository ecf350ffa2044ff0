#include <stdio.h>
enum { W = 48, H = 32, LIMIT = 60 };
static unsigned char image[H][W];
/* Fixed point with 12 bits behind the point, so that every compiler gets the same picture. */
static int steps(int cx, int cy) {
  long x = 0, y = 0;
  int n = 0;
  while (n < LIMIT && x * x + y * y < (4L << 24)) {
    long next = (x * x - y * y) / 4096 + cx;
    y = 2 * x * y / 4096 + cy;
    x = next;
    ++n;
  }
  return n;
}
int main(void) {
  int row, column;
#pragma omp parallel for private(column) schedule(dynamic, 2)
  for (row = 0; row < H; ++row)
    for (column = 0; column < W; ++column)
      image[row][column] = (unsigned char)steps(-8192 + column * 12288 / W, -5000 + row * 10000 / H);
  unsigned sum = 0, inside = 0;
  for (int i = 0; i < H * W; ++i) {
    sum = sum * 31 + image[i / W][i % W];
    inside += image[i / W][i % W] == LIMIT;
  }
  printf("%u %u\n", inside, sum);
  return 0;
}
