// The text of a file becomes two: CUDA, and the C as it was with a guarded call.
// RUN: rm -rf %t && mkdir %t
// RUN: %exits 0 %warploom compile %s -o %t/out.cu | FileCheck --check-prefix=SAYS %s
// SAYS: 1 of 2 regions of '{{.*}}compile.c' were mapped; wrote '{{.*}}out.cu' and '{{.*}}out.host.c'
// RUN: FileCheck --check-prefix=CUDA --input-file=%t/out.cu %s
// CUDA: #include "warploom.h"
// CUDA: __global__
// CUDA: extern "C" int [[LAUNCHER:[a-z_0-9]+]](
// RUN: FileCheck --check-prefix=HOST --input-file=%t/out.host.c %s
// HOST: int [[LAUNCHER:warploom_compile_saxpy_[0-9]+]]({{.*}});
// HOST: if (![[LAUNCHER]]({{.*}})) { for (int i = 0; i < n; i++)   /* kept */
// HOST-NEXT: y[i] = a * x[i] + y[i];
// HOST-NEXT: [[LAUNCHER]]_kept(); }
//
// Same input, same text; and nothing else is left behind.
// RUN: %warploom compile %s -o %t/again.cu
// RUN: diff %t/out.cu %t/again.cu
// RUN: diff %t/out.host.c %t/again.host.c
// RUN: ls -A %t | FileCheck --check-prefix=FILES %s
// FILES: again.cu
// FILES-NEXT: again.host.c
// FILES-NEXT: out.cu
// FILES-NEXT: out.host.c
// FILES-NOT: {{.}}
//
// With a target it says how to go on, and that works.
// RUN: cd %t && %warploom compile %s -o out.cu --target cpu | grep '^  ' > build.sh
// RUN: cd %t && sh -e build.sh && ./program | FileCheck --check-prefix=RESULT %s
// RESULT: 7 201
// SHOWS: RT-111 CR-54
#include <stdio.h>

void saxpy(int n, float a, const float* x, float* y) {
  for (int i = 0; i < n; i++)   /* kept */
    y[i] = a * x[i] + y[i];  // as it was
}

int main(void) {
  static float x[100], y[100];
  for (int i = 0; i < 100; i++) { x[i] = i + 1; y[i] = printf("") + 1; }
  saxpy(100, 2, x, y);
  printf("%g %g\n", y[2], y[99]);
  return 0;
}
