#include <cilk/cilk.h>
#include <stdio.h>
enum { N = 777 };
static int a[N], t[N];

static void sort(int from, int to) {
  if (to - from < 2)
    return;
  int middle = from + (to - from) / 2, i, j, k;
  cilk_spawn sort(from, middle);
  sort(middle, to);
  cilk_sync;
  for (i = k = from, j = middle; k < to; ++k)
    t[k] = j == to || (i < middle && a[i] <= a[j]) ? a[i++] : a[j++];
  for (k = from; k < to; ++k) a[k] = t[k];
}

int main(void) {
  for (int i = 0; i < N; ++i) a[i] = (i * 7919) % 1009;
  sort(0, N);
  long check = 0;
  for (int i = 0; i < N; ++i) check += (long)i * a[i];
  printf("%d %d %ld\n", a[0], a[N - 1], check);
  return 0;
}
