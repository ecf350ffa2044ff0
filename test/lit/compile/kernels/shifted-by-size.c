// A loop may be shifted by a size that neither its bounds nor its guards speak of.
// RUN: echo 'region("f:14") shift({"S0"}, "i", "n") permute({"j", "i"}) map_to_grid({"j"}) print_code()' > %t.lua
// RUN: %warploom compile %s --recipe %t.lua -o %t.cu | FileCheck --check-prefix=SHOWN %s && FileCheck --input-file=%t.cu %s
// SHOWN: for (int c{{[0-9]+}} = n; c{{[0-9]+}} <= n + 49
// CHECK: // f, line {{[0-9]+}}: loop j over x.
// CHECK: for (Index i = n; i <= n + 49; ++i) {
// RUN: %exits 0 %warploom verify %s --recipe %t.lua --target cpu --sanitize | FileCheck --check-prefix=SAME %s
// SAME: , 0 mismatches
#include <stdio.h>
double a[64][64], b[64][64], c[64];

void f(int n) {
  // clang-format off
  for (int i = 0; i < 50; i++) for (int j = 0; j < 60; j++) b[i][j] = a[i][j] + 1;
  // clang-format on
  for (int i = 0; i < n; i++)
    c[i] = b[i][i] * 2;
}

int main(void) {
  f(37);
  printf("%g %g\n", b[49][59], c[36]);
  return 0;
}
