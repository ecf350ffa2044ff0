// The steps that made a kernel, and the code after each.
// RUN: %warploom compile %s -o %t.cu --explain-steps 2>&1 | FileCheck %s
// CHECK: instances
// CHECK-NEXT: S0, line 19: [n] -> { S0[i, j] : 0 <= i < n and 0 <= j < n }
// CHECK-NEXT: in this order
// CHECK-NEXT: the program
// CHECK-NEXT: for (int c0 = 0; c0 < n; c0 += 1)
// CHECK: S0(c0, c1);
// CHECK: permute({"j", "i"})
// CHECK-NEXT: for (int c0 = 0; c0 < n; c0 += 1)
// CHECK: S0(c1, c0);
// CHECK: map_to_grid({{.*}})
// CHECK-NEXT: // loop j: by
// CHECK-NEXT: // loop i: bx
// SHOWS: CH-11
void transposed(int n, double a[restrict n][n], double b[restrict n][n]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      b[j][i] = 2 * b[j][i];
}
