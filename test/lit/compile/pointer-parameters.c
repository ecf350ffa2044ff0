// Pointer parameters may point to the same memory: that they do not is what the loops' verdict takes for granted, and says; the launcher looks, and where they
// overlap the loops run as they are written.
// SHOWS: CH-95 RT-28
// RUN: %exits 0 %warploom analyze %s | FileCheck %s --check-prefix=STATED
// RUN: %warploom compile %s -o %t.cu && FileCheck %s --check-prefix=ASKED < %t.cu
// RUN: %warploom build %s -o %t.prog --target cpu --sanitize > /dev/null
// RUN: env WARPLOOM_DEVICE=gpu WARPLOOM_TIMING=1 %exits 0 %t.prog 2> %t.paths | FileCheck %s
// RUN: FileCheck --check-prefix=PATHS --input-file=%t.paths %s
#include <stdio.h>

// STATED: loop 'i' is parallel only if `x` and `y` do not overlap
// What is only read is const, and nobody else's.
// ASKED: __global__ {{.*}} add_{{[0-9]+}}({{.*}}const float* __restrict__ x
// ASKED: if (warploom::overlap(x, {{.*}}, y, {{.*}})) return region.stayOnHost("x and y overlap");
void add(int n, float* y, const float* x) {
  for (int i = 0; i < n; i++) y[i] += x[i];
}

int main(void) {
  static float a[1000], b[1000];
  for (int i = 0; i < 1000; i++) a[i] = 1, b[i] = 2;
  add(1000, a, b);
  printf("%g\n", a[999]);
  add(999, a + 1, a); // each is the sum of all before it
  printf("%g %g\n", a[1], a[500]);
}
// CHECK: 3
// CHECK-NEXT: 6 1503
// PATHS-DAG: region add:{{.*}} path gpu
// PATHS-DAG: region add:{{.*}} path host:x and y overlap
