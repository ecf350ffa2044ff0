#include <stdio.h>
static void sort(int *a, int *t, int n)
{
  if (n < 2) return;
  int h = n / 2;
  #pragma omp task
  sort(a, t, h);
  #pragma omp task
  sort(a + h, t + h, n - h);
  #pragma omp taskwait
  int i = 0, j = h, k;
  for (k = 0; k < n; ++k) t[k] = j == n || (i < h && a[i] <= a[j]) ? a[i++] : a[j++];
  for (k = 0; k < n; ++k) a[k] = t[k];
}
int main(void)
{
  int a[300], t[300];
  for (int i = 0; i < 300; ++i) a[i] = (i * 37) % 301;
  #pragma omp parallel
  {
    #pragma omp single
    sort(a, t, 300);
  }
  long s = 0;
  for (int i = 0; i < 300; ++i) s = s * 31 % 1000003 + a[i];
  printf("%ld\n", s);
  return 0;
}
