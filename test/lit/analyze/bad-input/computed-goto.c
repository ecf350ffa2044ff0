// Jumps whose target is only known when they run. The loop with one in it is not parallel; the one beside it is.
// RUN: %exits 0 %warploom analyze --json %s | %verdicts | FileCheck %s
double a[100];
// CHECK-NOT: jump {{.*}} parallel
void jump(int n, int which) {
  static void *targets[] = {&&one, &&two};
  for (int i = 0; i < n; i++) {
    goto *targets[(which + i) % 2];
  one:
    a[i] = 1;
    continue;
  two:
    a[0] = 2;
  }
}
void loop_by_goto(int n) {
  int i = 0;
again:
  a[i] = a[i] + 1;
  if (++i < n)
    goto again;
}
// CHECK: plain [[#@LINE+2]] i parallel
void plain(void) {
  for (int i = 0; i < 100; i++)
    a[i] = 0;
}
