// The best local alignment of two sequences, after Smith and Waterman: program [length] [pairs].
#include "scores.h"
#include <stdio.h>
#include <stdlib.h>

static unsigned seed = 5;
static unsigned draw(void) {
  seed = seed * 1664525u + 1013904223u;
  return seed >> 10;
}

static void* memory(size_t bytes) {
  void* block = calloc(bytes, 1);
  if (!block) exit(2);
  return block;
}

// By diagonals.
static int score(int n, int m, const char* a, const char* b, int* rows[3]) {
  for (int k = 0; k < 3; k++)
    for (int i = 0; i <= n; i++) rows[k][i] = 0;
  int best = 0;
  for (int d = 2; d <= n + m; d++) {
    int *older = rows[(d + 2) % 3], *old = rows[d % 3], *now = rows[(d + 1) % 3];
    // The table's edges are zeros.
    now[0] = 0;
    if (d <= n) now[d] = 0;
    int one = diagonal(d, n, m, a, b, older, old, now);
    best = one > best ? one : best;
  }
  return best;
}

// By rows, as the definition has it.
static int by_rows(int n, int m, const char* a, const char* b) {
  int *above = memory((m + 1) * sizeof(int)), *here = memory((m + 1) * sizeof(int)), best = 0;
  for (int i = 1; i <= n; i++) {
    here[0] = 0;
    for (int j = 1; j <= m; j++) {
      int s = above[j - 1] + (a[i - 1] == b[j - 1] ? match : mismatch);
      if (above[j] + gap > s) s = above[j] + gap;
      if (here[j - 1] + gap > s) s = here[j - 1] + gap;
      here[j] = s > 0 ? s : 0;
      if (here[j] > best) best = here[j];
    }
    int* row = above;
    above = here;
    here = row;
  }
  free(above);
  free(here);
  return best;
}

int main(int argc, char** argv) {
  int n = argc > 1 ? atoi(argv[1]) : 30000, pairs = argc > 2 ? atoi(argv[2]) : 4, m = n - n / 10;
  char *a = memory(n), *b = memory(m);
  int* rows[3] = {memory((n + 1) * sizeof(int)), memory((n + 1) * sizeof(int)), memory((n + 1) * sizeof(int))};
  long sum = 0;
  int right = 1;
  for (int p = 0; p < pairs; p++) {
    for (int i = 0; i < n; i++) a[i] = "ACGT"[draw() % 4];
    // The second is the first with every tenth letter another, and some left out.
    for (int j = 0; j < m; j++) b[j] = draw() % 10 ? a[j + j / 20] : "ACGT"[draw() % 4];
    int best = score(n, m, a, b, rows), part = n < 1000 ? n : 1000;
    sum += best;
    right = right && best > m && score(part, part - 50, a, b, rows) == by_rows(part, part - 50, a, b);
  }
  printf("sum of scores %ld\n%s\n", sum, right ? "right" : "wrong");
  return !right;
}
