// A volatile object keeps its accesses in order, however it is reached.
// RUN: %warploom analyze --json %s | %verdicts | FileCheck %s
struct port { volatile int status; int data; };
static int look(volatile int *p) { return *p; }

// CHECK: element [[# @LINE + 2]] i sequential `p[i]` is volatile (line [[# @LINE + 2]])
void element(int n, volatile int *p) {
  for (int i = 0; i < n; i++) p[i] = i;
}

// CHECK: field [[# @LINE + 2]] i sequential `p[i].status` is volatile (line [[# @LINE + 2]])
void field(int n, struct port *p) {
  for (int i = 0; i < n; i++) p[i].status = i;
}

// CHECK: other [[# @LINE + 2]] i parallel
void other(int n, struct port *p) {
  for (int i = 0; i < n; i++) p[i].data = i;
}

// CHECK: cast [[# @LINE + 2]] i sequential `*(volatile int *)(p + i)` is volatile (line [[# @LINE + 2]])
void cast(int n, int *p) {
  for (int i = 0; i < n; i++) *(volatile int *)(p + i) = 1;
}

// CHECK: called [[# @LINE + 2]] i sequential `look` is called, whose effects are not known (line [[# @LINE + 2]])
void called(int n, volatile int *p, int *a) {
  for (int i = 0; i < n; i++) a[i] = look(p + i);
}

// CHECK: bound [[# @LINE + 2]] i sequential `*m` is volatile (line [[# @LINE + 2]])
void bound(volatile int *m, int *a) {
  for (int i = 0; i < *m; i++) a[i] = 1;
}
