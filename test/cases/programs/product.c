/* The product of two polynomials, for all degrees to 8; with TILED in tiles of 1 to 6. */
#include <stdio.h>
#ifdef TILED
extern int B;
#endif
enum { MOST = 8 };
static long a[MOST + 1], b[MOST + 1], c[2 * MOST + 1];

void multiply(int n) {
  for (int i = 0; i <= n; i++)
    for (int j = 0; j <= n; j++)
      c[i + j] += a[i] * b[j];
}

int main(void) {
  for (int n = 1; n <= MOST; n++)
    for (int size = 1; size <= 6; size++) {
#ifdef TILED
      B = size;
#endif
      for (int i = 0; i <= n; i++) a[i] = i * i + n, b[i] = 3 * i - n;
      for (int i = 0; i <= 2 * MOST; i++) c[i] = i;
      multiply(n);
      for (int i = 0; i <= 2 * MOST; i++) printf("%ld ", c[i]);
      printf("\n");
    }
  return 0;
}
