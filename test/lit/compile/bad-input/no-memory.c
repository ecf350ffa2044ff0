// More than the device has: the program ends with a message that names region and array's line, and status 1.
// RUN: rm -rf %t && mkdir %t && %exits 0 %warploom build %s -o %t/program --target cpu
// RUN: env WARPLOOM_DEVICE=gpu %exits 1 %t/program 2>&1 | FileCheck %s
// CHECK: warploom: region scale:[[# @LINE + 5]]: {{.*}}.cu:{{[0-9]+}}: {{.*}} failed: {{.*}}memory
// CHECK-NOT: done
#include <stdio.h>
#include <stdlib.h>
void scale(long n, double* x) {
  for (long i = 0; i < n; i++) x[i] = 2 * x[i];
}
int main(void) {
  double* x = malloc(sizeof(double));
  if (!x) return 3;
  scale(1L << 50, x);  // far more than any machine has; the device is asked before x is read
  printf("done %g\n", x[0]);
  return 0;
}
