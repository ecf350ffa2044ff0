// The last elements of rows, `m[k*n + n - 1]`, are in row k, not before row k + 1: the loop over rows is parallel, if rows are long enough to have them.
// RUN: %warploom analyze %s 2>&1 | FileCheck --check-prefix=PARALLEL %s
// PARALLEL: loop 'k' is parallel only if n >= 2 || n <= 0
// RUN: %warploom build --sanitize %s -o %t 2>/dev/null && env WARPLOOM_DEVICE=gpu WARPLOOM_TIMING=1 %t 2>%t.paths | FileCheck %s
// CHECK: 0 0 0 0
// CHECK: 1 -2 1 0
// CHECK: 2 2 3 3
// CHECK: 3 2 4 5
// CHECK: 4 3 5 10
// CHECK: 5 4 6 15
// CHECK: 6 5 7 21
// CHECK: 7 6 8 29
// RUN: FileCheck --check-prefix=PATHS %s < %t.paths
// PATHS-DAG: region edges:{{.*}} path gpu
// PATHS-DAG: region edges:{{.*}} path host:n >= 2
#include <stdio.h>

static double all[120], *m = all + 10;

static void edges(int n, double *m) {
  for (int k = 0; k < n; k++) {
    m[k * n] = m[k * n + 1];
    m[k * n + n - 1] = m[k * n + n - 2];
    m[(k + 1) * n - 1] += k;
  }
}

int main(void) {
  for (int n = 0; n < 8; n++) {
    for (int i = -10; i < 110; i++) m[i] = i;
    edges(n, m);
    int last = n ? n * n - 1 : 0;
    printf("%d %g %g %g\n", n, m[n ? n - 1 : 0] + m[0], m[n], m[last] - m[last / 2]);
  }
  return 0;
}
