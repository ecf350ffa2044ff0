#include <stdio.h>
static int part(int *a, int n) {
  int pivot = a[(n - 1) / 2], i = 0, j = n - 1;
  for (;; ++i, --j) {
    while (a[i] < pivot) ++i;
    while (a[j] > pivot) --j;
    if (i >= j) return j + 1;
    int t = a[i]; a[i] = a[j]; a[j] = t;
  }
}
static void quicksort(int *a, int n) {
  while (n > 1) {
    int k = part(a, n);
#pragma omp task
    quicksort(a, k);
    a += k;
    n -= k;
  }
}
int main(void) {
  int a[500], faults = 0;
  for (int i = 0; i < 500; ++i) a[i] = (i * 211 + 97) % 499;
#pragma omp parallel
#pragma omp single
  quicksort(a, 500);
  for (int i = 1; i < 500; ++i) faults += a[i - 1] > a[i];
  printf("%d %d %d\n", faults, a[0], a[499]);
  return 0;
}
