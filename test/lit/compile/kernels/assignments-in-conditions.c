// Assignments inside conditions are statements before them: loops that have them are read like others.
// RUN: %warploom build %s --target cpu --sanitize -o %t 2>&1 | FileCheck --check-prefix=SAID %s
// RUN: env WARPLOOM_DEVICE=gpu WARPLOOM_TIMING=1 %t 2>%t.paths | FileCheck %s
// RUN: FileCheck --check-prefix=PATHS %s < %t.paths
//
// What is assigned behind `&&` happens only where the left side holds, and what is on both sides of one operator has no order.
// SAID: region later:{{[0-9]+}} stays as it was: `t = a[i] + 1` assigns inside an expression
// SAID: region global:{{[0-9]+}} stays as it was: `shared = a[i]` assigns inside an expression
// PATHS-DAG: region clamp:{{.*}} path gpu
// PATHS-DAG: region largest:{{.*}} path gpu
// PATHS-DAG: region count:{{.*}} path gpu
#include <math.h>
#include <stdio.h>

static int shared;

static void clamp(int n, float *a, float x) {
  float t;
  for (int i = 0; i < n; i++)
    if ((t = a[i] * x) > 10)
      a[i] = t;
    else if ((t -= 2) < -5 && t > -9)
      a[i] = 0;
    else if (!(t += 1))
      a[i] = 100;
}

static float largest(int n, const float *a) {
  float m = 0, t;
  for (int i = 0; i < n; i++)
    if ((t = fabsf(a[i])) > m) m = t;
  return m;
}

static int count(int n, const int *a) {
  int k, found = 0;
  for (int i = 0; i < n; i++) {
    if ((k = a[i] & 7) == 3 || k == 5) found++;
    if (((k /= 2) + 1) * 2 > a[i] % 5) found += k;
  }
  return found;
}

static void later(int n, int *a) {
  int t = 0;
  for (int i = 0; i < n; i++)
    if (a[i] > 3 && (t = a[i] + 1) < 6) a[i] = t;
}

static void global(int n, int *a) {
  for (int i = 0; i < n; i++)
    if ((shared = a[i]) > 3) a[i] = shared - 1;
}

int main(void) {
  enum { N = 100 };
  float a[N], sum = 0;
  int b[N], all = 0;
  for (int i = 0; i < N; i++) a[i] = (i * 13) % 23 - 11, b[i] = (i * 7) % 31;
  clamp(N, a, 1.5f);
  for (int i = 0; i < N; i++) sum += a[i] * (i % 9 + 1);
  later(N, b);
  global(N, b);
  for (int i = 0; i < N; i++) all += b[i] * (i % 4);
  // CHECK: 658.50 16.50 166 2040 11
  printf("%.2f %.2f %d %d %d\n", sum, largest(N, a), count(N, b), all, shared);
  return 0;
}
