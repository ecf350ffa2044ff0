// `do ... while (0)` is how macros of several statements are written, and no loop.
// RUN: %warploom analyze %s | FileCheck %s
#define CLEAR(row, n) do { for (int k = 0; k < (n); k++) (row)[k] = 0; } while (0)

// CHECK-NOT: `do` loop
// CHECK: [[#@LINE+2]]:3: remark: loop 'i' is parallel
void clear(int n, int m, double a[n][m]) {
  for (int i = 0; i < n; i++)
    // CHECK: [[#@LINE+1]]:5: remark: loop 'k' is parallel
    CLEAR(a[i], m);
}

// CHECK: [[#@LINE+4]]:5: remark: loop 'i' is a reduction
double sum(int n, const double *x) {
  double s = 0;
  do {
    for (int i = 0; i < n; i++) s += x[i];
  } while (0);
  return s;
}
