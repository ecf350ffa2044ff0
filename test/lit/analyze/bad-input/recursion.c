// Functions that call themselves or each other: never inlined for ever, never called parallel by mistake.
// RUN: %exits 0 %warploom analyze --json %s | %verdicts | FileCheck %s
double a[100];

// CHECK-NOT: walk {{.*}} parallel
void walk(int depth) {
  for (int i = 0; i < 10; i++) {
    a[i] = a[i] + depth;
    if (depth > 0)
      walk(depth - 1);
  }
}

int odd(int n);
int even(int n) { return n == 0 ? 1 : odd(n - 1); }
int odd(int n) { return n == 0 ? 0 : even(n - 1); }

// Pure, but not to be inlined: whatever the verdict, an answer.
// CHECK: parity [[#@LINE+2]] i
void parity(void) {
  for (int i = 0; i < 100; i++)
    a[i] = even(i);
}

int down(int n) {
  a[0] = n;
  return n ? down(n - 1) : 0;
}
// CHECK-NOT: count {{.*}} parallel
void count(void) {
  for (int i = 0; i < 100; i++)
    a[i] = down(i);
}
