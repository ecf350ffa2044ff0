/* jacobi-solver: a dense linear system by Jacobi's iteration, two vectors in turn.
   next[i] = (b[i] - sum_{j != i} A[i][j] x[j]) / A[i][i], then x from next; A(i, j) at [i*n+j]. */
#include "bench.h"

static void kernel_jacobi_solver(int n, int sweeps, real* restrict A, real* restrict b, real* restrict x,
                                 real* restrict next) {
  for (int sweep = 0; sweep < sweeps; sweep++) { /* EXPECT: sequential */
    for (int i = 0; i < n; i++) {                /* EXPECT: parallel */
      real diagonal = A[i * n + i];
      real sum = -diagonal * x[i];
      for (int j = 0; j < n; j++) /* EXPECT: reduction(+) */
        sum += A[i * n + j] * x[j];
      next[i] = (b[i] - sum) / diagonal;
    }
    for (int i = 0; i < n; i++) { /* EXPECT: parallel */
      real diagonal = A[i * n + i];
      real sum = -diagonal * next[i];
      for (int j = 0; j < n; j++) /* EXPECT: reduction(+) */
        sum += A[i * n + j] * next[j];
      x[i] = (b[i] - sum) / diagonal;
    }
  }
}

int main(void) {
  int n = bench_size("N", 30, 120, 4096);
  int sweeps = bench_size("SWEEPS", 5, 10, 50);
  real* A = bench_alloc(sizeof(real[n][n]));
  real* b = bench_alloc(sizeof(real[n]));
  real* x = bench_alloc(sizeof(real[n]));
  real* next = bench_alloc(sizeof(real[n]));
  bench_fill(A, (size_t)n * n, 1, -1, 1);
  for (int i = 0; i < n; i++)
    A[i * n + i] = (real)n;
  bench_fill(b, n, 2, -1, 1);
  bench_fill(x, n, 3, -1, 1);

  double start = bench_now();
  kernel_jacobi_solver(n, sweeps, A, b, x, next);
  bench_time("jacobi-solver", start);

  bench_report("x", x, n);
  bench_report("next", next, n);
  free(A), free(b), free(x), free(next);
  return 0;
}
