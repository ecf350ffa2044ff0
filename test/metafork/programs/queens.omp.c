#include <stdio.h>
static int count(int n, int size, const int *row);
static int fits(const int *row, int n) {
  for (int i = 0; i < n; ++i)
    if (row[i] == row[n] || row[i] - row[n] == n - i || row[n] - row[i] == n - i) return 0;
  return 1;
}
static int count(int n, int size, const int *given) {
  int row[10], results[10] = {0}, sum = 0;
  if (n == size) return 1;
  for (int i = 0; i < n; ++i) row[i] = given[i];
  for (int c = 0; c < size; ++c) {
    row[n] = c;
    if (!fits(row, n)) continue;
    /* the row is the task's own copy: the next one changes it */
    #pragma omp task shared(results)
    {
      results[c] = count(n + 1, size, row);
    }
  }
  #pragma omp taskwait
  for (int c = 0; c < size; ++c) sum += results[c];
  return sum;
}
int main(void) {
  int none[1] = {0}, found = 0;
  #pragma omp parallel
  #pragma omp master
  found = count(0, 6, none);
  printf("%d\n", found);
  return 0;
}
