// Static variables of functions keep their values from call to call, and what fills memory byte by byte fills whole numbers.
// RUN: cc -w %s -o %t.c.prog && %t.c.prog > %t.expected
// RUN: %exits 0 %warploom build %s -o %t.prog --target cpu --sanitize
// RUN: env WARPLOOM_DEVICE=gpu WARPLOOM_TIMING=1 %exits 0 %t.prog 2> %t.times > %t.got
// RUN: diff %t.expected %t.got
// RUN: FileCheck --input-file=%t.times %s
// CHECK-DAG: region counted:{{.*}} path gpu
// CHECK-DAG: region put:{{.*}} path gpu
// CHECK-DAG: region filled:{{.*}} path gpu
#include <stdio.h>
#include <string.h>

static int counted(int k) {
  static int count = 3;
  for (int i = 0; i < k; i++) count++;
  return count;
}

static double x[500];

static void put(int n) {
  static int offset = 0;
  for (int i = 0; i < n; i++) x[i + offset] = i + 1;
  offset += n;
}

static double first[100], second[100];

static void append(int n) {
  static double *to = first;
  for (int i = 0; i < n; i++) to[i] = 3 * i;
  to = second;
}

static int d[20][30];
static short s[20][30];
static unsigned u[20][30];
static double y[60];

static void filled(int n) {
  for (int i = 0; i < n; i++) {
    memset(d[i], 0x3f, sizeof d[i]);
    memset(s[i], 0x7f, sizeof s[i]);
    memset(u[i], 256 + 1, sizeof u[i]);
    memset(y + i * 3, 256, 2 * sizeof(double));
    if (i % 2) memset(d[i] + 4, 0xff, 12);
  }
}

int main(void) {
  printf("%d %d %d\n", counted(37), counted(0), counted(100));
  put(100);
  put(100);
  put(100);
  append(50);
  append(60);
  for (int i = 0; i < 60; i++) y[i] = 1;
  filled(20);
  double sum = 0;
  for (int i = 0; i < 500; i++) sum = sum * 0.5 + x[i];
  for (int i = 0; i < 100; i++) sum += first[i] - 2 * second[i];
  for (int i = 0; i < 60; i++) sum += y[i] * i;
  printf("%g %d %d %d %u\n", sum, d[3][4], d[4][4], s[3][4], u[3][4]);
  return 0;
}
