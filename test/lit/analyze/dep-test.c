// What the classical tests say of pairs of references, beside the exact one, which decides.
// SHOWS: CR-11 CR-12
// RUN: %warploom analyze %s --dep-test gcd | FileCheck %s --check-prefix=GCD
// RUN: %warploom analyze %s --dep-test banerjee | FileCheck %s --check-prefix=BANERJEE
// RUN: %warploom analyze %s --dep-test exact | FileCheck %s --check-prefix=EXACT
// RUN: %warploom analyze %s | FileCheck %s --check-prefix=DEFAULT
// RUN: %warploom analyze %s --dep-test banerjee --json | FileCheck %s --check-prefix=JSON
// RUN: %exits 2 %warploom analyze %s --dep-test omega 2>&1 | FileCheck %s --check-prefix=WRONG
double a[256], x[128][128];

void offset_beyond_range(void) {
  for (int j = 1; j <= 10; j++)
    a[j] = a[j + 10] + 10;
}
// GCD: remark: loop 'j' is parallel
// GCD: dep-test.c:[[#@LINE-3]]:5: remark: gcd: `a[j]` and `a[j + 10]` at line [[#@LINE-3]] may meet: subscript 1: 1 divides 10
// BANERJEE: banerjee: `a[j]` and `a[j + 10]` at line [[#]] never meet: subscript 1: 10; j: < -9..-1, = 0..0, > 1..9
// EXACT: exact: `a[j]` and `a[j + 10]` at line [[#]] never meet{{$}}
// DEFAULT: remark: loop 'j' is parallel
// DEFAULT-NOT: {{exact:|gcd:|banerjee:}}
// JSON: "first": "a[j]",
// JSON: "answer": "none",
// JSON: "10; j: < -9..-1, = 0..0, > 1..9"
// WRONG: --dep-test

void even_from_odd(void) {
  for (int j = 1; j <= 10; j++)
    a[2 * j] = a[4 * j + 3];
}
// GCD: gcd: {{.*}} never meet: subscript 1: 2 does not divide 5
// BANERJEE: banerjee: {{.*}} may meet
// EXACT: exact: {{.*}} never meet

void lower_from_upper(void) {
  for (int i = 2; i <= 100; i++)
    for (int j = 1; j <= i - 1; j++)
      x[i][j] = x[j][i];
}
// GCD: gcd: {{.*}} may meet
// BANERJEE: banerjee: {{.*}} may meet
// EXACT: exact: {{.*}} never meet

void downwards(void) {
  for (int i = 20; i > 2; i -= 3)
    a[i] = a[i - 1] + 1;
}
// GCD: gcd: `a[i]` and `a[i - 1]` at line [[#]] never meet: subscript 1: 3 does not divide -1
// BANERJEE: banerjee: {{.*}} never meet: subscript 1: -1; i: < 3..15, = 0..0, > -15..-3
// EXACT: exact: {{.*}} never meet
