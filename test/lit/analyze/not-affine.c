// What is not affine is not called parallel, and the message names it and its line.
// SHOWS: CH-2 RT-11
// RUN: %warploom analyze %s | FileCheck %s
void subscript(int n, double *restrict a, const int *restrict k) {
  // CHECK: not-affine.c:[[#@LINE+1]]:3: remark: loop 'i' may not be parallel: `a[k[i]]` at line [[#@LINE+2]] {{.*}} `k[i]`
  for (int i = 0; i < n; i++)
    a[k[i]] = i;
}
void product(int n, double *restrict a) {
  // CHECK: not-affine.c:[[#@LINE+1]]:3: remark: loop 'i' may not be parallel: `a[i * i % 7]` at line [[#@LINE+2]]
  for (int i = 0; i < n; i++)
    a[i * i % 7] = i;
}
void bound(int n, double *restrict a, int p) {
  // CHECK: not-affine.c:[[#@LINE+1]]:3: remark: loop 'i' may not be parallel: {{.*}} line [[#@LINE+3]] {{.*}}`j * j < i` is not affine
  for (int i = 0; i < n; i++)
    for (int j = 0; j * j < i; j++)
      a[p + j - i] = a[j] + 1;
}
