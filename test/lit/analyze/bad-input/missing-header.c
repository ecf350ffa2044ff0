// RUN: %exits 1 %warploom analyze %s 2>&1 | FileCheck %s
// CHECK: missing-header.c:[[#@LINE+1]]:10: {{(fatal )?}}error: 'no-such-header.h' file not found
#include "no-such-header.h"
void f(int n, double *a) {
  for (int i = 0; i < n; i++)
    a[i] = 0;
}
