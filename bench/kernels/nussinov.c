/* nussinov: the largest number of nested base pairs in an RNA sequence, by Nussinov's dynamic program.
   t[i][j] = max(t[i][j-1], t[i+1][j], t[i+1][j-1] + pair(i, j), max_k t[i][k] + t[k+1][j]). */
#include "bench.h"

#define MAX(a, b) ((a) >= (b) ? (a) : (b))
#define PAIR(a, b) ((a) + (b) == 3 ? 1 : 0)

static void kernel_nussinov(int n, char base[n], int table[n][n]) {
  for (int i = n - 1; i >= 0; i--)    /* EXPECT: sequential */
    for (int j = i + 1; j < n; j++) { /* EXPECT: sequential */
      if (j - 1 >= 0) table[i][j] = MAX(table[i][j], table[i][j - 1]);
      if (i + 1 < n) table[i][j] = MAX(table[i][j], table[i + 1][j]);
      if (j - 1 >= 0 && i + 1 < n) {
        /* Neighbours cannot pair. */
        if (i < j - 1)
          table[i][j] = MAX(table[i][j], table[i + 1][j - 1] + PAIR(base[i], base[j]));
        else
          table[i][j] = MAX(table[i][j], table[i + 1][j - 1]);
      }
      for (int k = i + 1; k < j; k++) /* EXPECT: reduction(max) */
        table[i][j] = MAX(table[i][j], table[i][k] + table[k + 1][j]);
    }
}

int main(void) {
  int n = bench_size("N", 60, 180, 2500);
  char* base = bench_alloc(sizeof(char[n]));
  int(*table)[n] = bench_alloc(sizeof(int[n][n]));
  for (int i = 0; i < n; i++) {
    base[i] = (char)(bench_bits(1, (uint64_t)i) % 4);
    for (int j = 0; j < n; j++)
      table[i][j] = 0;
  }

  double start = bench_now();
  kernel_nussinov(n, base, table);
  bench_time("nussinov", start);

  bench_report_int("table", &table[0][0], (size_t)n * n);
  free(base), free(table);
  return 0;
}
