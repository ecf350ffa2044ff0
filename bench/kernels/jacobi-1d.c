/* jacobi-1d: a three-point mean over a line, many times, two arrays in turn.
   B[i] = (A[i-1] + A[i] + A[i+1]) / 3, then A from B. */
#include "bench.h"

static void kernel_jacobi_1d(int tsteps, int n, real A[n], real B[n]) {
  const real third = (real)0.33333;

  for (int t = 0; t < tsteps; t++) { /* EXPECT: sequential */
    for (int i = 1; i < n - 1; i++)  /* EXPECT: parallel */
      B[i] = third * (A[i - 1] + A[i] + A[i + 1]);
    for (int i = 1; i < n - 1; i++) /* EXPECT: parallel */
      A[i] = third * (B[i - 1] + B[i] + B[i + 1]);
  }
}

int main(void) {
  int tsteps = bench_size("TSTEPS", 20, 40, 500);
  int n = bench_size("N", 30, 120, 2000);
  real* A = bench_alloc(sizeof(real[n]));
  real* B = bench_alloc(sizeof(real[n]));
  bench_fill(A, n, 1, 0, 1);
  bench_fill(B, n, 1, 0, 1);

  double start = bench_now();
  kernel_jacobi_1d(tsteps, n, A, B);
  bench_time("jacobi-1d", start);

  bench_report("A", A, n);
  bench_report("B", B, n);
  free(A), free(B);
  return 0;
}
