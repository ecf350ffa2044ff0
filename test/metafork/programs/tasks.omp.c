#include <stdio.h>
#include <string.h>
static int global, out[8];
static int weigh(const int *v, int n, int factor) {
  int s = 0;
  for (int i = 0; i < n; ++i) s += v[i] * factor;
  return s;
}
int main(void) {
  int local[4] = {1, 2, 3, 4}, x = 1, y = 0, z = 5, deep[3] = {0};
  static int still = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task                     /* a local array is the task's own */
    out[0] = weigh(local, 4, 10);
#pragma omp taskwait
    for (int k = 1; k < 4; ++k) {
      local[0] = k;
#pragma omp task firstprivate(local)
      { local[1] = 0; out[k] = weigh(local, 4, k); }
    }
#pragma omp task
    global = weigh(out, 0, 1) + 9;
#pragma omp task shared(y)
    y = weigh(&still, 1, 0) + 6;
#pragma omp task firstprivate(x)
    x = weigh(&still, 1, 0);
#pragma omp task private(z)
    { z = 1; still += z; }
#pragma omp task shared(deep) if(x > 0)
    {
#pragma omp task shared(deep)
      deep[0] = 1;
#pragma omp task shared(deep)
      {
        deep[1] = 2;
#pragma omp task shared(deep)
        deep[2] = 3;
      }
    }
  }
  printf("%d %d %d %d %d %d %d %d %d\n", out[0], out[1], out[2], out[3], global, y, z, still, deep[0] + 10 * deep[1] + 100 * deep[2]);
  return 0;
}
