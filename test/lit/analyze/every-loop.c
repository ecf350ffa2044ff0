// Every loop has one verdict, also those that the model cannot hold and those inside them.
// RUN: %warploom analyze --json %s | %verdicts | FileCheck %s
// RUN: %warploom analyze %s 2>&1 | FileCheck --check-prefix=TEXT %s
// RUN: %warploom analyze %s 2>&1 | FileCheck --check-prefix=NONE %s
// NONE-NOT: no loop here
struct node { struct node *next; double value; };
int getchar(void);

// CHECK: count [[# @LINE + 5]] {{.*}}sequential only its condition says, while it runs, when it ends (line [[# @LINE + 5]])
// TEXT: every-loop.c:[[# @LINE + 4]]:3: remark: this loop is not parallel: only its condition says, while it runs, when it ends (line [[# @LINE + 4]])
// TEXT-NEXT: [[# @LINE + 3]] |   while (getchar() >= 0)
// TEXT-NEXT: |   ^~~~~~~~~~~~~~~~~~~~~~
void count(int *n) { *n = 0;
  while (getchar() >= 0)
    ++*n;
}

// CHECK-NEXT: halve [[# @LINE + 2]] {{.*}}sequential only its condition says
void halve(double *x) {
  do *x /= 2; while (*x > 1);
}

// CHECK-NEXT: list [[# @LINE + 2]] {{.*}}sequential the loop index `p` is not an integer (line [[# @LINE + 2]])
void list(struct node *p) {
  for (; p; p = p->next) p->value *= 2;
}

// CHECK-NEXT: real [[# @LINE + 2]] x sequential the loop index `x` is not an integer (line [[# @LINE + 2]])
void real(double *a) {
  for (double x = 0; x < 9; x += 1) a[(int)x] = x;
}

// CHECK-NEXT: skips [[# @LINE + 2]] i sequential the loop changes its index `i` in its body (line [[# @LINE + 2]])
void skips(int n, double *a) {
  for (int i = 0; i < n; i++) if (a[i] > 0) i++;
}

// An inner loop of one that is not held is looked at on its own; one inside a held loop is named as well.
// CHECK-NEXT: mixed [[# @LINE + 7]] {{.*}}sequential only its condition says
// CHECK-NEXT: mixed [[# @LINE + 7]] i parallel
// CHECK-NEXT: mixed [[# @LINE + 8]] i
// CHECK-NEXT: mixed [[# @LINE + 8]] {{.*}}sequential only its condition says
// CHECK-NOT: mixed
void mixed(int n, double *restrict a) {
  int k = n;
  while (a[k] > 0)
    for (int i = 0; i < n; i++)
      a[i] = k;
  for (int i = 0; i < n; i++)
    while (a[i] > 1) a[i] /= 2;
}

// CHECK: hidden [[# @LINE + 2]] i unknown {{.*}}: it is not looked into (line [[# @LINE + 2]])
int hidden(int n, int *a) {
  return ({ int s = 0; for (int i = 0; i < n; i++) s += a[i]; s; });
}
