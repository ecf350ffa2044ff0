// Assembly may do anything, so a loop with it is never parallel; the reason says so.
// RUN: %exits 0 %warploom analyze --json %s | %verdicts | FileCheck %s
double a[100];
// CHECK: barrier [[#@LINE+2]] i {{sequential|unknown}} {{.*[Aa]ss?e?m}}
void barrier(void) {
  for (int i = 0; i < 100; i++) {
    a[i] = 0;
    __asm__ volatile("" ::: "memory");
  }
}
// CHECK: plain [[#@LINE+2]] i parallel
void plain(void) {
  for (int i = 0; i < 100; i++)
    a[i] = 0;
}
