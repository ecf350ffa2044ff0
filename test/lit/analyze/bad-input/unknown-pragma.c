// A pragma nobody knows changes nothing.
// RUN: %exits 0 %warploom analyze --json %s 2>/dev/null | %verdicts | FileCheck %s
double a[100];
#pragma unheard of
void f(void) {
#pragma unroll_the_red_carpet(4)
  // CHECK: f [[#@LINE+1]] i parallel
  for (int i = 0; i < 100; i++)
#pragma nonsense
    a[i] = 0;
}
