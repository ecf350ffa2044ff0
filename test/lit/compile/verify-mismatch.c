// A runtime that forgets to copy results back must be found out, with status 1. (It is also one that has to be compiled.)
// SHOWS: CR-55
// RUN: rm -rf %t && mkdir %t && cp -r %source/runtime %t/runtime
// RUN: sed -i 's/copyToHost(host, device, bytes, queue, place);//' %t/runtime/warploom_region.h
// RUN: env WARPLOOM_RUNTIME=%t/runtime %exits 1 %warploom verify %s --target cpu | FileCheck %s
// CHECK: 0 1 2
// CHECK: verify: region main:[[# @LINE + 17]] array a max abs 98.5 max rel 1 MISMATCH
// CHECK-NEXT: verify: region main:{{.*}} array a element 0 is 0, and was 0.5 in the original
// CHECK: verify: 1 regions compared, 1 arrays, 1 mismatches
// CHECK-NEXT: verify: where floating-point sums cancel, {{.*}}; --strict-fp keeps the order
// RUN: env WARPLOOM_RUNTIME=%t/runtime %exits 1 %warploom verify %s --target cpu --strict-fp | FileCheck --check-prefix=STRICT %s
// STRICT: verify: 1 regions compared, 1 arrays, 1 mismatches
// STRICT-NOT: order
//
// What is not compared is said, and is no mismatch; the program's own status is mentioned.
// RUN: env WARPLOOM_DEVICE=host %exits 0 %warploom verify %s --target cpu --arg x | FileCheck --check-prefix=HOST %s
// HOST: verify: region main:[[# @LINE + 7]] was not compared: each of 1 times it stayed on the host
// HOST: verify: 0 regions compared
// HOST: verify: the program ended with status 2
#include <stdio.h>
double a[99];
int main(int argc, char** argv) {
  (void)argv;
  for (int i = 0; i < 99; i++) a[i] = i + 0.5;
  printf("%d %d %d\n", (int)a[0], (int)a[1], (int)a[2]);
  return argc == 1 ? 0 : argc;
}
