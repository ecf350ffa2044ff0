// The last value of a loop along these wavefronts is half of a size where that is even, and half of the size before where it is odd: every iteration is there.
// RUN: %exits 0 %warploom verify %s --target cpu --size N=2 | FileCheck %s
// RUN: %exits 0 %warploom verify %s --target cpu --size N=9 | FileCheck %s
// RUN: %exits 0 %warploom verify %s --target cpu --size N=32 | FileCheck %s
// CHECK: verify: region back:[[# @LINE + 5]] array x max abs 0 max rel 0 ok
#ifndef N
#define N 7
#endif
void back(int n, const double *restrict a, const double *restrict b, double *restrict x) {
  for (int i = n - 1; i >= 0; i--) {
    x[n - 1 - i] = b[n - 1 - i];
    for (int j = 1; j < i; j++)
      x[n - 1 - i] -= a[(n - 1 - i) * n + j] * x[j];
    x[n - 1 - i] = x[n - 1 - i] / a[(n - 1 - i) * n + (n - 1 - i)];
  }
}
double a[N * N], b[N], x[N];
int main(void) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      a[i * N + j] = i == j ? 2 : i % 2;
  for (int i = 0; i < N; i++)
    b[i] = i % 7 - 3;
  back(N, a, b, x);
  return 0;
}
