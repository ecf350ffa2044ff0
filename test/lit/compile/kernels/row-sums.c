// Two loops that the lanes of a warp share and that sum into one variable: each has a part of its own.
// RUN: %warploom compile %s -o %t.cu && FileCheck --input-file=%t.cu %s
// CHECK: // sums, line [[# @LINE + 20]]: loop i over warps, loop j by the lanes of a warp, loop k by the lanes of a warp;
// CHECK-SAME: s combined
// CHECK-NEXT: // by +.
// CHECK: double s;
// CHECK-NEXT: s = 1;
// CHECK-NEXT: double s_part = warploom::Sum::identity<double>();
// CHECK: s_part += A[
// CHECK: s_part = warploom::warpReduceAll(s_part, warploom::Sum());
// CHECK-NEXT: s = warploom::Sum()(s, s_part);
// CHECK-NEXT: double s_part2 = warploom::Sum::identity<double>();
// CHECK: s_part2 += B[
// CHECK: s_part2 = warploom::warpReduceAll(s_part2, warploom::Sum());
// CHECK-NEXT: s = warploom::Sum()(s, s_part2);
//
// RUN: %exits 0 %warploom verify %s --sanitize | FileCheck --check-prefix=SAME %s
// SAME: 268 1829
// SAME: 2 regions compared, 3 arrays, 0 mismatches
#include <stdio.h>
double A[70][90], B[70][130], y[70];
void sums(void) {
  for (int i = 0; i < 70; i++) {
    double s = 1;
    for (int j = 0; j < 90; j++) s += A[i][j];
    for (int k = 0; k < 130; k++) s += B[i][k] * A[i][0];
    y[i] = s;
  }
}
int main(void) {
  for (int i = 0; i < 70; i++) {
    for (int j = 0; j < 90; j++) A[i][j] = (i + j) % 7;
    for (int j = 0; j < 130; j++) B[i][j] = (3 * i + j) % 5;
  }
  sums();
  printf("%g %g\n", y[0], y[69]);
  return 0;
}
