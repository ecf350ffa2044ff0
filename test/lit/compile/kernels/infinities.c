// INFINITY, HUGE_VAL and NAN are calls of builtins in the headers of compilers, and so is what asks for them; they are constants and math
// functions like others, also where a function is taken into the loop that calls it.
// RUN: %warploom compile %s -o %t.cu -- -w 2>&1 | FileCheck --check-prefix=SAID %s
// SAID-NOT: stays as it was
// SAID: were mapped
// RUN: FileCheck %s < %t.cu
// RUN: gcc -w %s -o %t.ref -lm && %t.ref > %t.expected
// RUN: %warploom run %s --target cpu --sanitize -- -w > %t.out && cmp %t.expected %t.out
// CHECK: ? INFINITY : i
// CHECK: ? HUGE_VAL : NAN
// CHECK: warploom::isinf_sign(
#include <math.h>
#include <stdio.h>
#define N 1000
float a[N];
double b[N];
int first[N];

static double bounded(float x) {
  return isfinite(x) ? x : -INFINITY;
}

int main(void) {
  for (int i = 0; i < N; i++) {
    a[i] = i % 7 == 0 ? INFINITY : i;
    if (i % 11 == 5) a[i] = -a[i];
    b[i] = i % 5 ? HUGE_VAL : NAN;
  }
  float least = INFINITY;
  for (int i = 0; i < N; i++)
    if (a[i] < least) least = a[i];
  double most = -HUGE_VAL;
  for (int i = 0; i < N; i++) most = fmax(most, bounded(a[i]));
  int nans = 0, signs = 0, sum = 0;
  for (int i = 0; i < N; i++) {
    if (isnan(b[i])) nans++;
    first[i] = isinf(a[i]);
    signs += signbit(a[i]) != 0;
  }
  for (int i = 0; i < N; i++) sum += (i % 3 + 1) * first[i];
  printf("%g %g %d %d %d\n", least, most, nans, signs, sum);
}
