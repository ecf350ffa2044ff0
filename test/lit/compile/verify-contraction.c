// Both forms round alike, whatever the C compiler would fuse: where it may make one instruction of `x * y + z` (always on arm64,
// unless it is told not to), the two forms would differ in a bit here and there, and `--tolerance 0` would find them.
// RUN: %exits 0 %warploom verify %s --target cpu --tolerance 0 -- -O2 -ffp-contract=fast | FileCheck %s
// RUN: %exits 0 %warploom verify %s --sanitize --tolerance 0 -- -O3 | FileCheck %s
// CHECK: verify: region main:{{[0-9]+}} array a max abs 0 max rel 0 ok
// CHECK: verify: region main:{{[0-9]+}} array b max abs 0 max rel 0 ok
// CHECK: verify: 2 regions compared, 2 arrays, 0 mismatches
#include <stdio.h>
double a[1000], b[1000];
int main(void) {
  for (int i = 0; i < 1000; i++) a[i] = 1.0 / (i + 3);
  printf("%.3f\n", a[1]);
  for (int i = 0; i < 1000; i++) b[i] = a[i] * a[999 - i] - 0.1 * a[(i * 7) % 1000];
  printf("%.3f\n", b[999]);
  return 0;
}
