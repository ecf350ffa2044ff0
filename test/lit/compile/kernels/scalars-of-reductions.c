// A reduction of what scalars of the iteration hold is one kernel: the scalars are a thread's own, not arrays that a kernel before has filled.
// RUN: %warploom compile %s -o %t.cu && FileCheck %s < %t.cu
// CHECK: loop i over y, loop j over x; speed combined by max
// CHECK: double depth;
// CHECK: speed_part = fmax(speed_part, fabs(hu[i * n + j]) / depth + c)
// CHECK-LABEL: extern "C" int {{.*}}fastest
// CHECK: const double launches = 1;
// RUN: %warploom verify %s | FileCheck --check-prefix=SAME %s
// SAME: 0 mismatches
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static double fastest(int n, const double *h, const double *hu) {
  double speed = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double depth = h[i * n + j], c = sqrt(9.81 * depth);
      speed = fmax(speed, fabs(hu[i * n + j]) / depth + c);
    }
  return speed;
}

int main(void) {
  int n = 70;
  double *h = malloc(n * n * sizeof *h), *hu = malloc(n * n * sizeof *hu);
  for (int i = 0; i < n * n; i++) {
    h[i] = 1 + i % 13;
    hu[i] = i % 29 - 14;
  }
  printf("%.6f\n", fastest(n, h, hu));
  free(h), free(hu);
  return 0;
}
