// A sum that cancels is held against the size of what went into it: 1000 terms of at most 5e7 may move by a few thousandths when
// they are added in another order, while the sum is next to nothing.
// SHOWS: CR-55
// RUN: %exits 0 %warploom verify %s --target cpu | FileCheck %s
// RUN: %exits 0 %warploom verify %s --sanitize | FileCheck %s
// CHECK: verify: region main:{{[0-9]+}} array sum max abs {{[0-9.]+e-[0-9]+}} max rel {{.*}} ok
// CHECK: verify: region main:{{[0-9]+}} array most max abs {{.*}} ok
// CHECK: 0 mismatches
//
// Equal it is not, and who wants that finds out.
// RUN: %exits 1 %warploom verify %s --target cpu --tolerance 1e-6 | FileCheck --check-prefix=GIVEN %s
// GIVEN: array sum {{.*}} MISMATCH
//
// What is really wrong is found: a runtime that does not bring results back leaves 1 where nearly 0 should be, and the largest
// of the errors, which is not a sum, must be right to a few units in the last place of what it is the difference of.
// RUN: rm -rf %t && mkdir %t && cp -r %source/runtime %t/runtime
// RUN: sed -i 's/copyToHost(host, device, bytes, queue, place);//' %t/runtime/warploom_region.h
// RUN: env WARPLOOM_RUNTIME=%t/runtime %exits 1 %warploom verify %s --target cpu | FileCheck --check-prefix=WRONG %s
// WRONG: array sum {{.*}} MISMATCH
// WRONG-NEXT: array sum element 0 is 1, and was
// WRONG-NEXT: array sum rounding alone may do 0.0{{[0-9]+}}
// WRONG: array most {{.*}} MISMATCH
// WRONG-NEXT: array most element 0 is 1e-13, and was
// WRONG-NEXT: array most rounding alone may do {{[0-9.]+}}e-1{{[5-6]}}
#include <math.h>
#include <stdio.h>
double x[4][1000], y[1000], third[1000];
double sum[4] = {1, 1, 1, 1}, most[4] = {1e-13, 1e-13, 1e-13, 1e-13};
int main(int argc, char** argv) {
  (void)argv;
  for (int i = 0; i < 1000; i++) {
    for (int j = 0; j < 4; j++) x[j][i] = i < 500 ? 1e4 : -1e4;
    y[i] = 5e3 / ((i < 500 ? i : 999 - i) + 3);
    third[i] = (i + 1) / 3.0 / (i + 1);
  }
  printf("%g\n", x[0][argc]);
  for (int j = 0; j < 4; j++) {
    sum[j] = 0;
    for (int i = 0; i < 1000; i++) sum[j] += x[j][i] * y[i];
  }
  printf("%d\n", fabs(sum[1]) < 1);
  for (int j = 0; j < 4; j++) {
    most[j] = 0;
    for (int i = 0; i < 1000; i++) most[j] = fmax(most[j], fabs(third[i] - 1 / 3.0));
  }
  printf("%d\n", most[1] < 1e-10);
  return 0;
}
