// What C++ has besides pointers is a use, too: references, captures, a loop over a range that runs again.
// RUN: %warploom build %s -o %t.prog --target cpu --sanitize > /dev/null
// RUN: env WARPLOOM_DEVICE=gpu WARPLOOM_TIMING=1 %exits 0 %t.prog 2> %t.paths | FileCheck %s
// CHECK: 7 7 7 56
// RUN: FileCheck --check-prefix=PATHS --input-file=%t.paths %s
// PATHS-DAG: referred:{{.*}} path gpu
// PATHS-DAG: captured:{{.*}} path gpu
// PATHS-DAG: array:{{.*}} path gpu
// PATHS-DAG: again:{{.*}} path gpu
#include <stdio.h>
int A[100];
int referred(int n) {
  int sum = 0, &other = sum;
  for (int i = 0; i < n; i++) sum += A[i];
  return other;
}
int captured(int n) {
  int sum = 0;
  auto get = [&] { return sum; };
  for (int i = 0; i < n; i++) sum += A[i];
  return get();
}
int array(int n) {
  int a[100], (&other)[100] = a;
  for (int i = 0; i < n; i++) a[i] = A[i];
  return other[5];
}
int again(int n) {
  int factors[3] = {1, 2, 3}, sum = 0, all = 0;
  for (int factor : factors) {
    all += sum * factor;
    for (int i = 0; i < n; i++) sum += A[i];
  }
  return all;
}
int main() {
  A[5] = 7;
  printf("%d %d %d %d\n", referred(100), captured(100), array(100), again(100));
  return 0;
}
