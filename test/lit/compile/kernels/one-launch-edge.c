// The size of a launch of all iterations of a loop of the host is made of arguments alone: not of the values that loops
// on the grid have, even where there is one value, that of an argument.
// RUN: echo 'region("f:13") map_to_grid({"i", "j", "l"}) map_to_grid({"j_2", "l_2"})' > %t.lua
// RUN: %warploom compile %s --recipe %t.lua -o %t.cu && FileCheck --input-file=%t.cu %s
// CHECK: region.resident({{.*}}warploom::blocks(n - 1, n,
// CHECK-NEXT: warploom::blocks(4 * n - 4, 4 * n, BLOCK_Y)
// RUN: %exits 0 %warploom verify %s --recipe %t.lua --target cpu --sanitize | FileCheck --check-prefix=SAME %s
// SAME: verify: {{[0-9]+}} regions compared, {{[0-9]+}} arrays, 0 mismatches
#include <stdio.h>
double a[64][64], b[64][64];

void f(int t, int n, int m) {
  for (int k = 0; k < t; k++) {
    for (int i = n - 1; i < n; i++)
      for (int j = 4 * i; j < 4 * i + 4; j++)
        for (int l = 0; l < m; l++)
          b[j][l] = a[j][l] + k;
    for (int j = 0; j < n; j++)
      for (int l = 0; l < m; l++)
        a[j][l] = b[j][l] * 2;
  }
}

int main(void) {
  f(5, 7, 60);
  printf("%g\n", a[3][4] + b[25][6]);
  return 0;
}
