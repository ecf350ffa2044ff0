// A pointer to a row that data choose, a subscript by data in a row, and scalars that a directive's body sees.
// RUN: %warploom compile %s -o %t.cu -- -w -fopenmp 2>&1 | FileCheck %s
// RUN: FileCheck --check-prefix=TEXT %s < %t.cu
// RUN: %warploom verify %s --target cpu --sanitize -- -w -fopenmp 2>&1 | FileCheck --check-prefix=RIGHT %s
// RIGHT-DAG: region gather:{{[0-9]+}} array out {{.*}}ok
// RIGHT-DAG: region scatter:{{[0-9]+}} array table {{.*}}ok
// RIGHT-DAG: region chosen:{{[0-9]+}} array picked {{.*}}ok
// RIGHT-DAG: region scaled:{{[0-9]+}} array w {{.*}}ok
// RIGHT-DAG: region walking:{{[0-9]+}} array out {{.*}}ok
// RIGHT: 0 mismatches
// RUN: gcc -w %s -o %t.ref && %t.ref > %t.expected && %warploom run %s --target cpu --sanitize -- -w > %t.out && cmp %t.expected %t.out
// RUN: %warploom build %s -o %t.made --target cpu --sanitize -- -w && env WARPLOOM_DEVICE=gpu WARPLOOM_TIMING=1 %t.made 2>&1 | FileCheck --check-prefix=PATH %s
// PATH: region together:{{.*}} path gpu
// PATH: region together:{{.*}} path host:rows and columns overlap
#include <stdio.h>
#include <stdlib.h>

void gather(int n, int m, const int *restrict which, const float *restrict table, float *restrict out) {
  for (int i = 0; i < n; i++) {
    int row = which[i];
    const float *from = table + row * m + 1;
    // TEXT: out[m * i + j] = table[(long long)(row * m) + (j + 1)];
    for (int j = 0; j < m - 1; j++) out[m * i + j] = from[j];
  }
}

void scatter(int n, int m, const int *restrict which, float *restrict table, const float *restrict in) {
  for (int i = 0; i < n; i++) {
    int row = which[i];
    float *to = table + row * m;
    for (int j = 0; j < m; j++) to[j] += in[m * i + j];
  }
}

void chosen(int n, int m, const int *restrict which, const float *restrict table, float *restrict picked) {
  for (int i = 0; i < n; i++) {
    const float *row = table + i * m;
    picked[i] = row[which[i] % m];
  }
}

/* The row changes under the pointer's feet: the pointer stays where it was. */
void walking(int n, int m, const int *which, const float *restrict table, float *restrict out) {
  for (int i = 0; i < n; i++) {
    int row = which[i];
    const float *from = table + row * m;
    row = 0;
    for (int j = 0; j < m; j++) out[m * i + j] = from[j] + row;
  }
}

/* Which row it is depends on a branch, and on the turn of a loop. */
void either(int n, int m, const int *which, const float *restrict table, float *restrict out) {
  for (int i = 0; i < n; i++) {
    int row = which[i], other = which[n - 1 - i];
    const float *from;
    if (i < n / 2)
      from = table + row * m;
    else
      from = table + other * m;
    for (int j = 0; j < m; j++) out[m * i + j] = from[j];
  }
}

void late(int n, int m, const int *which, const float *restrict table, float *restrict out) {
  const float *from = table;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < m; j++) out[m * i + j] = from[j];
    int row = which[i];
    from = table + row * m;
  }
}

void scaled(int n, float *w, const float *q, float *out, int k) {
  float shrink = 1.0f / k;
#pragma omp parallel for
  for (int i = 0; i < n; i++) {
    w[i] = q[i] * shrink;
    out[i] = w[i] + 1;
  }
}

/* Two tables that lie in one block: how much of each is used tells that they do not overlap. */
void together(int n, int m, const int *which, float *rows, float *columns, const float *in) {
  // TEXT: const long rows_size = warploom::elementsAt(rows, double(n), [&] { return (m >= 1 ?
  // TEXT-NEXT: warploom::forEach(warploom::Interval(0, n - 1), [&](long i) { return long(which[i]) * m +
  for (int i = 0; i < n; i++) {
    float *row = rows + which[i] * m;
    for (int j = 0; j < m; j++) {
      row[j] += in[i * m + j];
      columns[j] += in[i * m + j];
    }
  }
}

int main(void) {
  enum { n = 60, m = 33 };
  int *which = malloc(n * sizeof(int));
  float *table = malloc(n * m * sizeof(float)), *out = calloc(n * m, sizeof(float)), *picked = malloc(n * sizeof(float));
  float *w = malloc(n * sizeof(float));
  for (int i = 0; i < n; i++) which[i] = i * 7 % 20;
  for (int i = 0; i < n * m; i++) table[i] = i % 19;
  gather(n, m, which, table, out);
  scatter(n, m, which, table, out);
  chosen(n, m, which, table, picked);
  walking(n, m, which, table, out);
  either(n, m, which, table, out);
  late(n, m, which, table, out);
  double sum = 0;
  for (int i = 0; i < n * m; i++) sum += out[i] * (i % 23);
  scaled(n, w, picked, out, 4);
  printf("%g\n", sum);
  float *both = calloc(21 * m, sizeof(float));
  together(n, m, which, both, both + 20 * m, table);
  which[3] = 20; // the row is the columns
  together(n, m, which, both, both + 20 * m, table);
  sum = 0;
  for (int i = 0; i < 21 * m; i++) sum += both[i] * (i % 29);
  printf("%g\n", sum);
  return 0;
}
// CHECK: walking:{{[0-9]+}} stays as it was: where `from` points is not known
// CHECK: either:{{[0-9]+}} stays as it was
// CHECK: late:{{[0-9]+}} stays as it was
// CHECK: 11 of 14 regions of
