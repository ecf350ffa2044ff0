#include "scores.h"

// now[i] is the score of the table's element (i, d - i), from those of the diagonals d - 1 and d - 2; the greatest of them.
int diagonal(int d, int n, int m, const char* a, const char* b, const int* older, const int* old, int* now) {
  int first = d - m > 1 ? d - m : 1, last = d - 1 < n ? d - 1 : n;
  int best = 0;
  for (int i = first; i <= last; i++) {
    int same = a[i - 1] == b[d - i - 1];
    int score = older[i - 1] + (same ? match : mismatch);
    int up = old[i - 1] + gap, left = old[i] + gap;
    score = score > up ? score : up;
    score = score > left ? score : left;
    score = score > 0 ? score : 0;
    now[i] = score;
    best = best > score ? best : score;
  }
  return best;
}
