// Throws two dice many times and counts how often each total comes up.
//
//   cc -O2 histogram.c -o histogram && ./histogram
#include <stdio.h>
#include <stdlib.h>

void histogram(int n, const int* values, int bins, int* counts) {
  for (int b = 0; b < bins; b++)
    counts[b] = 0;
  for (int i = 0; i < n; i++)
    counts[values[i]]++;
}

int main(int argc, char** argv) {
  int n = argc > 1 ? atoi(argv[1]) : 3600000;
  int* counts = malloc(13 * sizeof(int));
  int* totals = malloc(n * sizeof(int));
  if (n < 36 || !totals || !counts) {
    fprintf(stderr, "usage: histogram [number of throws, at least 36]\n");
    return 1;
  }
  unsigned seed = 1;
  for (int i = 0; i < n; i++) {
    seed = seed * 1664525u + 1013904223u; // a linear congruential generator; its high bits are the good ones
    int first = 1 + (int)((seed >> 16) % 6);
    seed = seed * 1664525u + 1013904223u;
    int second = 1 + (int)((seed >> 16) % 6);
    totals[i] = first + second;
  }

  histogram(n, totals, 13, counts);

  // Of the 36 outcomes, 6 - |total - 7| give each total.
  int right = counts[0] == 0 && counts[1] == 0, sum = 0;
  for (int total = 2; total <= 12; total++) {
    double expected = (6 - abs(total - 7)) * (n / 36.0);
    printf("%2d %9d ", total, counts[total]);
    for (int k = 0; k < 300.0 * counts[total] / n; k++)
      putchar('#');
    putchar('\n');
    sum += counts[total];
    // Five standard deviations, roughly, is more than chance allows.
    if ((counts[total] - expected) * (counts[total] - expected) > 25 * expected) right = 0;
  }
  right = right && sum == n;
  printf("%d throws counted: %s\n", sum, right ? "right" : "WRONG");
  free(totals);
  free(counts);
  return right ? 0 : 1;
}
