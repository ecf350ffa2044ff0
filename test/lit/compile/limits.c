// Where three regions or more stay, the last remark says how many run and why most of the others do not, and where to read on: a section that is there.
// RUN: %exits 0 %warploom compile %s -o %t.cu 2> %t.said
// RUN: FileCheck --input-file=%t.said %s
// CHECK: 1 of 4 regions run on the device; what keeps most of the others (2): functions with effects; see docs/limits.md#calls
// RUN: grep -oE '\{"[a-z-]+", "[a-z ]+"\}' %S/../../../src/driver/Limits.cpp | grep -oE '^."[a-z-]+' | tr -d '{"' | sort > %t.anchors
// RUN: grep -E '^## ' %S/../../../docs/limits.md | cut -c4- | sort > %t.sections
// RUN: diff %t.anchors %t.sections
int a[100], h(int);
void e(int n) { for (int i = 0; i < n; i++) a[i] = i; }
void f(int n) { for (int i = 0; i < n; i++) a[i] = h(i); }
void g(int n) { for (int i = 0; i < n; i++) h(a[i]); }
void k(int n) { for (int i = 1; i < n; i++) a[i] = a[i - 1] * a[i - 1] + 1; }
