// Where three regions or more stay, the last remark says why most often, and where to read on: a section that is there.
// RUN: %exits 0 %warploom compile %s -o %t.cu 2> %t.said
// RUN: FileCheck --input-file=%t.said %s
// CHECK: 3 regions stay as they were; most often (2): functions with effects; see docs/limits.md#calls
// RUN: grep -oE '\{"[a-z-]+", "[a-z ]+"\}' %S/../../../src/driver/Limits.cpp | grep -oE '^."[a-z-]+' | tr -d '{"' | sort > %t.anchors
// RUN: grep -E '^## ' %S/../../../docs/limits.md | cut -c4- | sort > %t.sections
// RUN: diff %t.anchors %t.sections
int a[100], h(int);
void f(int n) { for (int i = 0; i < n; i++) a[i] = h(i); }
void g(int n) { for (int i = 0; i < n; i++) h(a[i]); }
void k(int n) { for (int i = 1; i < n; i++) a[i] = a[i - 1] * a[i - 1] + 1; }
