// Identifiers of one file. The kernels of this line's functions are called after it: like_3 and both_20_3.
#include <stdio.h>
void like(int like_3, double* a) { for (int i = 0; i < like_3; i++) a[i] += 1; } void both_20(double* b) { for (int i = 0; i < 100; i++) b[i] -= 1; }
// A parameter that is called like its kernel gives way.
// CHECK: __global__ void __launch_bounds__(BLOCK) like_3(Index like_32, double* __restrict__ a)
// CHECK: int warploom_{{.*}}_like_3(long like_32, double* a)
// CHECK: region.launch({{.*}}, like_3<Index>, Index(like_32),
// CHECK: __global__ void __launch_bounds__(BLOCK) both_20_3(double*
//
// The value of a variable before the region is one parameter, the variable that the region changes another.
int onward(int i, int n, double* a) {
  for (; i < n; i++) a[i] = i;
  return i;
}
// CHECK: __global__ void __launch_bounds__(BLOCK) onward_[[# @LINE - 3]](Index i, Index n, double* __restrict__ a)
// CHECK: int warploom_{{.*}}_onward_[[# @LINE - 4]](long i, long n, double* a, int* i2)
// CHECK: region.copyOut(i2, i_device);
//
void both(int k, double* restrict a, double* restrict b) {
  for (int i = 0; i < 100; i++) a[i] = i + k; if (k > 2) puts("apart"); for (int i = 0; i < 100; i++) b[i] = a[99 - i]; if (k > 2) puts("again"); for (int i = 0; i < 100; i++) a[i] += b[i];
}
// Each region of one line has its own kernel and launcher, whose names no other function's kernel has.
// CHECK: __global__ void __launch_bounds__(BLOCK) both_20(Index k,
// CHECK: int warploom_{{.*}}_both_20(
// CHECK: region.launch({{.*}}, both_20<Index>,
// CHECK: __global__ void __launch_bounds__(BLOCK) both_20_2(const
// CHECK: int warploom_{{.*}}_both_20_2(
// CHECK: region.launch({{.*}}, both_20_2<Index>,
// CHECK: __global__ void __launch_bounds__(BLOCK) both_20_4(
// CHECK: int warploom_{{.*}}_both_20_4(
// CHECK: region.launch({{.*}}, both_20_4<Index>,
//
int main(void) {
  double a[100], b[100];
  both(1, a, b);
  both(3, a, b);
  int end = onward(17, 90, a), none = onward(95, 90, a);
  like(30, a);
  both_20(b);
  printf("%d %d %g %g %g %g\n", end, none, a[16], a[29], a[89], b[0]);
  return 0;
}
// RUN: %warploom compile %s -o %t.cu && FileCheck --input-file=%t.cu %s
// RUN: %exits 0 %warploom verify %s --sanitize | FileCheck --check-prefix=SAME %s
// SAME: apart
// SAME: 90 95 106 30 89 101
// SAME: 0 mismatches
