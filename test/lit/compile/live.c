// Whatever is used after a region has its value there, however it is used.
// RUN: %warploom build %s -o %t.prog --target cpu --sanitize -- -w > /dev/null
// RUN: env WARPLOOM_DEVICE=gpu WARPLOOM_TIMING=1 %exits 0 %t.prog 2> %t.paths | FileCheck %s
// RUN: FileCheck --check-prefix=PATHS --input-file=%t.paths %s
#include <stdio.h>
#include <string.h>
int A[100], B[200], seen, *kept;

// An index: by the header of a later loop, before it sets it; by the loop around, which has the same one.
int later(int n) {
  int i, j, sum = 0;
  for (i = 0; i < n; i++) B[i] = i;
  puts("later");
  for (i = i; i < 150; i++) sum++;
  puts("and");
  for (j = i, i = 0; i < 10; i++) sum += j;
  return sum;
}
// CHECK: later
// CHECK-NEXT: and
// CHECK-NEXT: = 1550
// PATHS-DAG: later:{{.*}} path gpu
int around(int n) {
  int i, sum = 0;
  for (i = 0; i < n; i++) {
    for (i = i + 1; i < n / 2; i++) B[i] = 2;
    sum += i;
    puts("around");
  }
  return sum;
}
// CHECK-COUNT-26: around
// CHECK-NEXT: = 1950
int intoLoop(int n, int from) {
  int i = 40, sum = 0;
  switch (from) {
  case 0:
    for (i = 0; i < n; i++) {
      B[i] = 1;
    case 1:
      sum += i;
    }
  }
  return sum;
}
// CHECK-NEXT: = 4170

// An array: by any pointer into it.
struct Holder {
  int values[100], *other;
};
static void keep(int* p) { kept = p; }
int atFive(void) { return kept[5]; }
int pointer(int n) {
  int a[100], *p = a;
  for (int i = 0; i < n; i++) a[i] = i;
  return p[5];
}
int member(int n) {
  struct Holder holder;
  int* p = holder.values;
  for (int i = 0; i < n; i++) holder.values[i] = i;
  return p[5];
}
int rowOf(int n) {
  int a[3][100];
  struct Holder holder = {{0}, a[1]};
  for (int i = 0; i < n; i++) a[1][i] = i;
  return holder.other[5];
}
int passed(int n) {
  int a[100];
  keep(a);
  for (int i = 0; i < n; i++) a[i] = i;
  return atFive();
}
// CHECK-NEXT: 5 5 5 5
// PATHS-DAG: pointer:{{.*}} path gpu
// PATHS-DAG: member:{{.*}} path gpu
// PATHS-DAG: rowOf:{{.*}} path gpu
// PATHS-DAG: passed:{{.*}} path gpu

// What stands before, where control comes back to it.
int back(int n) {
  int sum = 0, times = 0, all = 0;
again:
  all += sum;
  if (times++ < 3) {
    for (int i = 0; i < n; i++) sum += A[i];
    goto again;
  }
  return all;
}
int computed(int n) {
  int sum = 0, times = 0, all = 0;
  void* to = &&again;
again:
  all += sum;
  if (times++ < 3) {
    for (int i = 0; i < n; i++) sum += A[i];
    goto* to;
  }
  return all;
}
// CHECK-NEXT: 42 42
// PATHS-DAG: back:{{.*}} path gpu
// PATHS-DAG: computed:{{.*}} path gpu

// What another file says, whose places have smaller numbers.
int elsewhere(int n) {
  int sum = 0, i, taken[100];
  for (i = 0; i < n; i++) taken[i] = A[i] + 1;
  for (i = 0; i < n; i++) sum += A[i];
  puts("elsewhere");
#include "Inputs/end-of-function.inc"
}
// CHECK-NEXT: elsewhere
// CHECK-NEXT: = 10
// PATHS-DAG: elsewhere:{{.*}} path gpu

// The function that cleans up.
static void report(int* p) { seen = *p; }
void cleaned(int n) {
  int sum __attribute__((cleanup(report))) = 0;
  for (int i = 0; i < n; i++) sum += A[i];
}
void cleanedBetween(int n) {
  for (int i = 0; i < n; i++) B[i] = 4;
  int sum __attribute__((cleanup(report))) = 1;
  for (int i = 0; i < n; i++) sum += A[i];
}
void cleanedInside(int n) {
  for (int i = 0; i < n; i++) {
    int one __attribute__((cleanup(report))) = A[i] + i;
    one++;
  }
}
// CHECK-NEXT: 7 8 100
// PATHS-DAG: cleaned:{{.*}} path gpu
int main(void) {
  A[5] = 7;
  printf("= %d\n", later(100));
  printf("= %d\n", around(100));
  printf("= %d\n", intoLoop(100, 1));
  printf("%d %d %d %d\n", pointer(100), member(100), rowOf(100), passed(100));
  printf("%d %d\n", back(100), computed(100));
  printf("= %d\n", elsewhere(100));
  cleaned(100);
  printf("%d ", seen);
  cleanedBetween(100);
  printf("%d ", seen);
  cleanedInside(100);
  printf("%d\n", seen);
  return 0;
}
