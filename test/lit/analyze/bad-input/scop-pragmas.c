// A region marker without its partner is an error at its line.
// RUN: split-file %s %t
// RUN: %exits 1 %warploom analyze %t/open.c 2>&1 | FileCheck --check-prefix=OPEN %s
// RUN: %exits 1 %warploom analyze %t/close.c 2>&1 | FileCheck --check-prefix=CLOSE %s
// OPEN: open.c:3:{{[0-9]+}}: error: {{.*}}
// OPEN-NEXT: 3 | #pragma scop
// CLOSE: close.c:5:{{[0-9]+}}: error: {{.*}}
// CLOSE-NEXT: 5 | #pragma endscop
//--- open.c
double a[10];
void f(void) {
#pragma scop
  for (int i = 0; i < 10; i++)
    a[i] = 0;
}
//--- close.c
double a[10];
void f(void) {
  for (int i = 0; i < 10; i++)
    a[i] = 0;
#pragma endscop
}
