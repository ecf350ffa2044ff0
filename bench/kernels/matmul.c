/* matmul: the product of two square matrices behind plain pointers, one running sum per element.
   C = A B, element (i, j) at [i*n+j]. */
#include "bench.h"

static void kernel_matmul(int n, real* restrict A, real* restrict B, real* restrict C) {
  for (int i = 0; i < n; i++)     /* EXPECT: parallel */
    for (int j = 0; j < n; j++) { /* EXPECT: parallel */
      real sum = 0;
      for (int k = 0; k < n; k++) { /* EXPECT: reduction(+) */
        real b = B[k * n + j];
        sum += A[i * n + k] * b;
      }
      C[i * n + j] = sum;
    }
}

int main(void) {
  int n = bench_size("N", 24, 100, 2048);
  real* A = bench_alloc(sizeof(real[n][n]));
  real* B = bench_alloc(sizeof(real[n][n]));
  real* C = bench_alloc(sizeof(real[n][n]));
  bench_fill(A, (size_t)n * n, 1, -1, 1);
  bench_fill(B, (size_t)n * n, 2, -1, 1);

  double start = bench_now();
  kernel_matmul(n, A, B, C);
  bench_time("matmul", start);

  bench_report("C", C, (size_t)n * n);
  free(A), free(B), free(C);
  return 0;
}
