// Pointers made of integers, loaded from memory, or kept by the function that allocated may point to the same place as
// others: the running program looks.
// RUN: %warploom build %s -o %t.prog --target cpu --sanitize -- -w > /dev/null
// RUN: env WARPLOOM_DEVICE=gpu WARPLOOM_TIMING=1 %exits 0 %t.prog 2> %t.paths | FileCheck %s
// RUN: FileCheck --check-prefix=PATHS --input-file=%t.paths %s
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int A[100], B[100];

void integer(int n) {
  int* p = (int*)((uintptr_t)A + sizeof(int));
  for (int i = 0; i < n - 1; i++) p[i] = A[i] + 1;
}
void variable(int n) {
  uintptr_t address = (uintptr_t)A;
  int* p = &((int*)address)[1];
  for (int i = 0; i < n - 1; i++) p[i] = A[i] + 1;
}
void loaded(int n) {
  int *rows[2] = {B, A}, **row = rows, *p = &row[1][1];
  for (int i = 0; i < n - 1; i++) p[i] = A[i] + 1;
}
// CHECK: 99 99 99
// PATHS-DAG: integer:{{.*}} path host:A and p overlap
// PATHS-DAG: variable:{{.*}} path host:A and p overlap
// PATHS-DAG: loaded:{{.*}} path host:A and p overlap

static int *last, *lastCopy, *lastArgument;
static int* make(int n) {
  int* p = calloc(n, sizeof(int));
  last = p;
  return p;
}
int keptIt(int n) {
  int* q = make(n);
  for (int i = 1; i < n; i++) q[i] = last[i - 1] + 1;
  return q[n - 1];
}
static int* makeCopied(int n) {
  int *p = calloc(n, sizeof(int)), *copy = p;
  lastCopy = copy;
  return p;
}
int keptCopy(int n) {
  int* q = makeCopied(n);
  for (int i = 1; i < n; i++) q[i] = lastCopy[i - 1] + 1;
  return q[n - 1];
}
static void keep(int* p) { lastArgument = p; }
static int* makePassed(int n) {
  int* p = calloc(n, sizeof(int));
  keep(p);
  return p;
}
int keptArgument(int n) {
  int* q = makePassed(n);
  for (int i = 1; i < n; i++) q[i] = lastArgument[i - 1] + 1;
  return q[n - 1];
}
static int* same(int* p) { return p; }
int returned(int n) {
  int *a = calloc(n, sizeof(int)), *b = same(a);
  for (int i = 1; i < n; i++) b[i] = a[i - 1] + 1;
  return a[n - 1];
}
// CHECK: 99 99 99 99
// PATHS-DAG: keptIt:{{.*}} path host:last and q overlap
// PATHS-DAG: keptCopy:{{.*}} path host:lastCopy and q overlap
// PATHS-DAG: keptArgument:{{.*}} path host:lastArgument and q overlap
// PATHS-DAG: returned:{{.*}} path host:a and b overlap

// What is only looked at and filled before it is returned is nobody else's: nothing is asked.
static int* makeOwn(int n) {
  int* p = malloc(n * sizeof(int));
  if (!p) exit(1);
  memset(p, 0, n * sizeof(int));
  p[0] = 1;
  return p;
}
int own(int n) {
  int *q = makeOwn(n), *r = makeOwn(n);
  for (int i = 1; i < n; i++) q[i] = r[i - 1] + 1;
  return q[1];
}
// CHECK: = 2
// PATHS-DAG: own:{{.*}} path gpu
// RUN: %warploom analyze %s -- -w | FileCheck --check-prefix=ASKS %s
// ASKS-NOT: `q` and `r` do not overlap
int main(void) {
  integer(100);
  printf("%d ", A[99]);
  memset(A, 0, sizeof A);
  variable(100);
  printf("%d ", A[99]);
  memset(A, 0, sizeof A);
  loaded(100);
  printf("%d\n", A[99]);
  printf("%d %d %d %d\n", keptIt(100), keptCopy(100), keptArgument(100), returned(100));
  printf("= %d\n", own(100));
  return 0;
}
