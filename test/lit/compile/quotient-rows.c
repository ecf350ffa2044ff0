// Rows chosen by quotients of an index by a size, as in attention whose heads share keys: pointers to them are followed, and the launcher
// finds out how much of the array is used. A pointer that outlives the iteration which set it is not.
// RUN: %warploom compile %s -o %t.cu -- -w 2>&1 | FileCheck %s
// RUN: FileCheck --check-prefix=TEXT %s < %t.cu
// RUN: gcc -w %s -o %t.ref -lm && %t.ref > %t.expected
// RUN: %warploom build %s -o %t.made --target cpu --sanitize -- -w
// RUN: env WARPLOOM_DEVICE=gpu WARPLOOM_TIMING=1 %t.made > %t.out 2> %t.log && cmp %t.expected %t.out
// RUN: FileCheck --check-prefix=PATH %s < %t.log
// PATH-DAG: region shared:{{.*}} path gpu
// PATH-DAG: region folded:{{.*}} path gpu
#include <stdio.h>
#include <stdlib.h>

// TEXT-LABEL: warploom_{{.*}}_shared_
// TEXT: keys_size = warploom::elementsAt(keys, double(heads),
// TEXT: warploom::forEach(warploom::Interval(0, heads - 1),
// TEXT: / group
void shared(int heads, int group, int size, int n, const float *query, const float *keys, float *out) {
  int width = heads / group * size;
  for (int h = 0; h < heads; h++)
    for (int t = 0; t < n; t++) {
      const float *key = keys + t * width + h / group * size;
      float dot = 0;
      for (int i = 0; i < size; i++) dot += query[h * size + i] * key[i];
      out[h * n + t] = dot;
    }
}

void folded(int n, int m, int k, const float *table, float *out) {
  for (int i = 0; i < n; i++) {
    const float *row = table + i % k * m;
    for (int j = 0; j < m; j++) out[i * m + j] = row[j] * 2;
  }
}

/* The row of the iteration before. */
// CHECK: late:{{[0-9]+}} stays as it was
void late(int n, int m, int k, const float *table, float *out) {
  const float *row = table;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < m; j++) out[i * m + j] = row[j];
    row = table + i / k * m;
  }
}

/* The row of the last iteration. */
void after(int n, int m, int k, const float *table, float *out) {
  const float *row = table;
  for (int i = 0; i < n; i++) {
    row = table + i / k * m;
    out[i] = row[0];
  }
  for (int j = 0; j < m; j++) out[n + j] = row[j];
}

/* The size changes under the pointer's feet. */
void changed(int n, int m, int k, const float *table, float *out) {
  for (int i = 0; i < n; i++) {
    const float *row = table + i / k * m;
    k = 1 + i % 3;
    for (int j = 0; j < m; j++) out[i * m + j] = row[j] + k;
  }
}

static void show(const float *a, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += a[i] * (i % 13);
  printf("%g\n", sum);
}

int main(void) {
  enum { n = 60, m = 33 };
  float *a = malloc(n * m * sizeof(float)), *b = malloc(8000 * sizeof(float)), *out = calloc(2 * n * m, sizeof(float));
  for (int i = 0; i < n * m; i++) a[i] = i % 11 - 5;
  for (int i = 0; i < 8000; i++) b[i] = i % 7 - 3;
  shared(12, 3, 32, n, a, b + 17, out);
  show(out, 12 * n);
  folded(n, m, 7, b + 5, out);
  show(out, n * m);
  late(n, m, 4, a, out);
  show(out, n * m);
  after(n, m, 4, a, out);
  show(out, n + m);
  changed(n, m, 2, a, out);
  show(out, n * m);
  return 0;
}
