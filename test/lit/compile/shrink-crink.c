// Ways of shrinking that are not for a loop: by default another is taken, and --explain says which and why; as CRINK had it there is a warning, and nothing is
// written.
// SHOWS: CR-37
// RUN: rm -rf %t && split-file %s %t
// RUN: %warploom compile %t/one.c -o %t/one.cu --shrink selective --explain 2>&1 | FileCheck --check-prefix=ONE %s
// RUN: %warploom compile %t/one.c -o %t/one.cu --shrink td --explain 2>&1 | FileCheck --check-prefix=ONE %s
// ONE: loop `i` is shrunk in another way: it is a single loop, and the way is for nests; loop `i` runs in boxes: 25 groups
// RUN: %warploom compile %t/one.c -o %t/one.cu --shrink ecs-var --explain 2>&1 | FileCheck --check-prefix=CONSTANT %s
// CONSTANT: loop `i` is shrunk in another way: its distances are constant, which is for all ways but this one; loop `i` runs in groups of 4 along `i`: 25 groups
// RUN: %warploom compile %t/grows.c -o %t/grows.cu --shrink simple --explain 2>&1 | FileCheck --check-prefix=GROWS %s
// RUN: %warploom compile %t/grows.c -o %t/grows.cu --shrink selective --explain 2>&1 | FileCheck --check-prefix=GROWS %s
// RUN: %warploom compile %t/grows.c -o %t/grows.cu --shrink td --explain 2>&1 | FileCheck --check-prefix=GROWS %s
// RUN: %warploom compile %t/grows.c -o %t/grows.cu --shrink ecs-const --explain 2>&1 | FileCheck --check-prefix=GROWS %s
// GROWS: loop `i` is shrunk in another way: its distances vary, which is for extended shrinking from peak to peak; loop `i` runs in groups along `i` that begin at 0, 2, 8, 26, 80, 242: 6 groups
// RUN: ls %t/one.cu %t/grows.cu
//
// RUN: rm -f %t/one.cu %t/one.host.c %t/grows.cu %t/grows.host.c
// RUN: %exits 1 %warploom compile %t/one.c -o %t/one.cu --crink --shrink selective 2>&1 | FileCheck --check-prefix=STOPS %s
// RUN: %exits 1 %warploom compile %t/one.c -o %t/one.cu --crink --shrink td 2>&1 | FileCheck --check-prefix=STOPS %s
// RUN: %exits 1 %warploom compile %t/one.c -o %t/one.cu --crink --shrink ecs-var 2>&1 | FileCheck --check-prefix=STOPS %s
// RUN: %exits 1 %warploom compile %t/grows.c -o %t/grows.cu --crink --shrink simple 2>&1 | FileCheck --check-prefix=STOPS %s
// RUN: %exits 1 %warploom compile %t/grows.c -o %t/grows.cu --crink --shrink selective 2>&1 | FileCheck --check-prefix=STOPS %s
// RUN: %exits 1 %warploom compile %t/grows.c -o %t/grows.cu --crink --shrink td 2>&1 | FileCheck --check-prefix=STOPS %s
// RUN: %exits 1 %warploom compile %t/grows.c -o %t/grows.cu --crink --shrink ecs-const 2>&1 | FileCheck --check-prefix=STOPS %s
// STOPS: {{(one|grows)}}.c:3:{{[0-9]+}}: warning: the region f:3 stays as it was: loop `i` cannot be shrunk in this way: it{{( is a single loop|s distances (vary|are constant))}}
// STOPS: nothing is written
// RUN: not ls %t/one.cu %t/one.host.c %t/grows.cu %t/grows.host.c 2> /dev/null
//
// What fits is done as asked.
// RUN: %warploom compile %t/one.c -o %t/one.cu --crink --shrink simple
// RUN: %warploom compile %t/one.c -o %t/one.cu --crink --shrink ecs
// RUN: %warploom compile %t/one.c -o %t/one.cu --crink --shrink ecs-const
// RUN: %warploom compile %t/grows.c -o %t/grows.cu --crink --shrink ecs
// RUN: %warploom compile %t/grows.c -o %t/grows.cu --crink --shrink ecs-var
//--- one.c
int w[2000];
void f(void) {
  for (int i = 0; i < 100; i++) w[i + 4] = w[i] % 1000 + i;
}
//--- grows.c
int w[2000];
void f(void) {
  for (int i = 0; i < 400; i++) w[3 * i + 2] = w[i] % 1000 + i;
}
