// Numbers that do not fit are never wrapped: the subscript is not affine, the step not a constant.
// RUN: %exits 0 %warploom analyze --json %s | %verdicts | FileCheck %s
void f(long *restrict a, long *restrict b, long n) {
  // CHECK: f [[#@LINE+1]] i unknown {{.*}} numbers that are too large
  for (long i = 0; i < n; i++)
    a[i * 9223372036854775807 + i * 9223372036854775807] = b[i];
  // 2^62 * 4 is 0 in 64 bits: every iteration would write a[0].
  // CHECK-NEXT: f [[#@LINE+1]] i unknown {{.*}} numbers that are too large
  for (long i = 0; i < n; i++)
    a[i * 4611686018427387904 * 4] = b[i];
  // CHECK-NEXT: f [[#@LINE+1]] i {{parallel|unknown}}
  for (long i = 0; i < 9223372036854775807; i++)
    a[i] = b[i + 9223372036854775807];
  // CHECK-NEXT: f [[#@LINE+1]] i {{parallel|unknown}}
  for (long i = -9223372036854775807 - 1; i < 0; i -= -9223372036854775807 - 1)
    a[i] = 0;
  // A step of 2^64 - 1 counts down.
  // CHECK-NEXT: f [[#@LINE+1]] i {{parallel|unknown}}
  for (unsigned long i = 18446744073709551615ul; i > 0; i += 18446744073709551615ul)
    a[i] = 0;
  // CHECK-NEXT: f [[#@LINE+1]] i {{sequential|unknown}}
  for (long i = 0; i < n; i++)
    a[4611686018427387904 * i] = a[4611686018427387904 * i - 4611686018427387904];
}
