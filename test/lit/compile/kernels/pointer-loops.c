// Loops that end where a pointer does: its place in its array is their index.
// RUN: %warploom build %s --target cpu --sanitize -o %t 2>&1 | FileCheck --check-prefix=SAID %s
// RUN: env WARPLOOM_DEVICE=gpu WARPLOOM_TIMING=1 %t 2>%t.paths | FileCheck %s
// RUN: FileCheck --check-prefix=PATHS %s < %t.paths
//
// SAID: region used:{{[0-9]+}} stays as it was: `p` may be used after its loop
// SAID-NOT: region {{first|down|pairs|rows|until}}:{{[0-9]+}} stays
// PATHS-DAG: region first:{{.*}} path gpu
// PATHS-DAG: region down:{{.*}} path gpu
// PATHS-DAG: region pairs:{{.*}} path gpu
// PATHS-DAG: region rows:{{.*}} path gpu
// PATHS-DAG: region until:{{.*}} path gpu
#include <stdio.h>

enum { N = 90 };

static void first(const float *a, float *o, int n) {
  const float *p;
  for (p = a; p < a + n; p++) o[p - a] = *p * 2;
}

static void down(float *a, int n) {
  for (float *p = a + n - 1; p >= a; p--) *p += p - a;
}

static void pairs(const float *a, float *o, int n) {
  const float *end = a + n;
  for (; a < end; a += 2, o++) *o = a[0] - a[1];
}

static void rows(float (*m)[N], int n) {
  for (int i = 0; i < n; i++) {
    float *end = m[i] + n;
    for (float *p = m[i]; p != end; ++p) *p = *p * i + (end - p);
  }
}

static void until(const float *a, float *o, int n) {
  const float *end = a + n;
  while (a < end) {
    *o = *a * 3;
    o++;
    a++;
  }
}

static float *used(float *p, int n) {
  float *end = p + n;
  for (; p < end; p++) *p = -*p;
  return p;
}

int main(void) {
  float a[N], o[N], m[N][N], sum = 0;
  for (int n = 0; n <= N; n += 30) {
    for (int i = 0; i < N; i++) a[i] = i % 17, o[i] = i;
    for (int i = 0; i < N * N; i++) m[i / N][i % N] = i % 7;
    first(a, o, n);
    down(a, n);
    pairs(a, o, n);
    rows(m, n);
    until(o, a, n);
    sum = 0;
    for (int i = 0; i < N; i++) sum += a[i] * (i % 5) + o[i] * (i % 3) + m[i][i % 11] + m[0][i];
    // CHECK: 5959 0
    // CHECK: 9243 30
    // CHECK: 17138 60
    // CHECK: 26690 90
    printf("%.0f %d\n", sum, (int)(used(o, n) - o));
  }
  return 0;
}
