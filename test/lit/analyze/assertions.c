// What is asserted of indices and sizes is taken for granted; what is asserted of data keeps the loop as it is.
// RUN: %warploom analyze %s 2>&1 | FileCheck %s
#include <assert.h>

static double get(const double *u, int i, int n) {
  assert(i >= 0 && i < n);
  return u[i];
}

// CHECK: assertions.c:[[@LINE+2]]:3: remark: loop 'i' is parallel only if
void copies(int n, int m, double *restrict a, const double *restrict b) {
  for (int i = 0; i < m; i++)
    a[i] = get(b, i, n);
}

// CHECK: assertions.c:[[@LINE+2]]:3: remark: loop 'i' is not parallel: an assertion may end the program
void data(int n, double *restrict a, const double *restrict b) {
  for (int i = 0; i < n; i++) {
    assert(b[i] > 0);
    a[i] = b[i];
  }
}
