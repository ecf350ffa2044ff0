// C that does not compile: Clang's own errors, with line and caret, and status 1. Nothing is claimed about its loops.
// RUN: %exits 1 %warploom analyze %s 2>&1 | FileCheck %s
// RUN: %exits 1 %warploom analyze --json %s 2>/dev/null | FileCheck --allow-empty --check-prefix=NONE %s
void f(int n, double *a) {
  for (int i = 0; i < n; i++)
    // CHECK: does-not-compile.c:[[#@LINE+3]]:12: error: use of undeclared identifier 'b'
    // CHECK: a[i] = b[i];
    // CHECK: ^
    a[i] = b[i];
}
// NONE-NOT: parallel
