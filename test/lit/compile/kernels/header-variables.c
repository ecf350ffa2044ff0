// A variable that a loop declares beside its index is the region's own: no argument of the launcher can be it.
// RUN: %warploom compile %s -o %t.cu && FileCheck --input-file=%t.host.c %s
// CHECK-NOT: {{[&]k}}
// CHECK: for (int i = 0, k = 0; i < 100; i++)
// RUN: %exits 0 %warploom verify %s --sanitize | FileCheck --check-prefix=SAME %s
// SAME: region fill:{{[0-9]+}} array x {{.*}} ok
// SAME: region nested:{{[0-9]+}} array v {{.*}} ok
// SAME: 0 mismatches
#include <stdio.h>
int start[101];
double v[600], x[100];
void fill(void) {
  for (int i = 0, k = 0; i < 100; i++) {
    x[i] = i;
    for (; k < start[i + 1]; k++) v[k] = k;
  }
}
void nested(void) {
  for (int j = 0; j < 3; j++)
    for (int i = 0, k = j; i < 100; i++) {
      x[i] += i;
      for (; k < start[i + 1]; k++) v[k] += k;
    }
}
int main(void) {
  start[0] = 0;
  for (int i = 0; i < 100; i++) start[i + 1] = start[i] + i % 5;
  fill();
  nested();
  double sum = 0;
  for (int i = 0; i < 100; i++) sum += x[i] * v[i];
  printf("%g\n", sum);
  return 0;
}
