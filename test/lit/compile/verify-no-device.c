// Where no region could be compared, nothing is verified: no device is no success.
// REQUIRES: cuda, no-gpu
// RUN: %exits 1 %warploom verify %s --target cuda | FileCheck %s
// CHECK: verify: region fill:{{[0-9]+}} was not compared
// CHECK: verify: no region was compared: there is no GPU
double a[4096];

__attribute__((noinline)) void fill(void) {
  for (int i = 0; i < 4096; i++)
    a[i] = 2 * i;
}

int main(void) {
  fill();
  return a[1] == 2 ? 0 : 3;
}
