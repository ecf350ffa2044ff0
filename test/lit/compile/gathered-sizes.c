// How much of a table is used where data choose rows, and what chooses may not be there: a null pointer, a flag
// that is not set, loops that do not run. What the program does not read, the launcher does not either.
// RUN: %warploom compile %s -o %t.cu -- -w 2>&1 | FileCheck %s
// CHECK: 10 of 10 regions
// RUN: FileCheck --check-prefix=TEXT %s < %t.cu
// TEXT-LABEL: warploom_{{.*}}_maybe_
// TEXT: table_size = warploom::elementsAt(table, double(n), [&] { return (which_given == 1 && m >= 1 ?
// TEXT-NEXT: warploom::forEach(
// TEXT-LABEL: warploom_{{.*}}_flagged_
// TEXT: table_size = warploom::elementsAt(table, double(n), [&] { return (flag >= 3 && m >= 1 ?
// TEXT-NEXT: warploom::forEach(
// TEXT-LABEL: warploom_{{.*}}_turns_
// TEXT: in_size = (t >= 1 ? warploom::Interval(
// TEXT: table_size = warploom::elementsAt(table, double(n), [&] { return (m >= 1 && t >= 1 ?
// TEXT-NEXT: warploom::forEach(
// Numbers that wrap around, that are cut, and fields of structs are not gone through.
// TEXT-LABEL: warploom_{{.*}}_unsign_
// TEXT: table_size = warploom::elementsAt(table);
// TEXT-LABEL: warploom_{{.*}}_narrow_
// TEXT: table_size = warploom::elementsAt(table);
// TEXT-LABEL: warploom_{{.*}}_structs_
// TEXT: table_size = warploom::elementsAt(table);
// RUN: gcc -w %s -o %t.ref && %t.ref > %t.expected
// RUN: %warploom build %s -o %t.made --target cpu --sanitize -- -w
// RUN: env WARPLOOM_DEVICE=gpu %t.made > %t.out && cmp %t.expected %t.out
// RUN: env WARPLOOM_DEVICE=gpu WARPLOOM_TIMING=1 %t.made 2>&1 | FileCheck --check-prefix=PATH %s
// PATH: region maybe:{{.*}} path gpu
// PATH: region flagged:{{.*}} path host
// A block of the heap that is short is used whole: 60 numbers and 5 of it, though only 3 are counted in.
// PATH: bins:{{[0-9]+ +1 +[0-9.]+ +260 }}
#include <stdio.h>
#include <stdlib.h>
/* which may be null: then nothing of table is used by it */
void maybe(int n, int m, const int *which, float *table, float *sum, const float *in) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      table[i * m + j] += in[j];
      if (which != NULL) table[which[i] * m + j] += in[i * m + j];
    }
}
void flagged(int n, int m, int flag, const int *which, float *table, const float *in) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      table[j] += in[j];
      if (flag > 2) table[which[i] * m + j] += in[i * m + j];
    }
}
void turns(int n, int m, int t, const int *which, float *table, const float *in, float *other) {
  for (int i = 0; i < n; i++) other[i] = in[i] * 2;
  for (int k = 0; k < t; k++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < m; j++) table[which[i] * m + j] += in[i * m + j] + k;
}
void unsign(unsigned n, unsigned m, const unsigned *which, float *table, const float *in) {
  for (unsigned i = 0; i < n; i++)
    for (unsigned j = 0; j < m; j++) table[which[i] * m + j] += in[i * m + j];
}
void narrow(int n, int m, const long *which, float *table, const float *in) {
  for (int i = 0; i < n; i++) {
    int row = which[i];
    for (int j = 0; j < m; j++) table[row * m + j] += in[i * m + j];
  }
}
typedef struct { float x, y; } P;
void structs(int n, int m, const int *which, P *table, const float *in) {
  for (int i = 0; i < n; i++) {
    int row = which[i];
    for (int j = 0; j < m; j++) table[row * m + j].x += in[i * m + j];
  }
}
void bins(int n, const int *which, int *count) {
  for (int i = 0; i < n; i++) count[which[i]]++;
}
int main(int argc, char **argv) {
  int n = 60, m = 32;
  int *which = malloc(n * sizeof(int)); unsigned *u = malloc(n * sizeof(int)); long *l = malloc(n * sizeof(long));
  float *table = calloc(n * m, sizeof(float)), *in = malloc(n * m * sizeof(float)), *other = calloc(n, sizeof(float));
  P *p = calloc(n * m, sizeof(P));
  for (int i = 0; i < n; i++) l[i] = which[i] = i * 7 % 20, u[i] = i == 5 ? 2147483651u : i % 20;
  for (int i = 0; i < n * m; i++) in[i] = i % 19;
  maybe(n, m, argc > 5 ? which : NULL, table, other, in);
  flagged(n, m, argc, argc > 5 ? which : NULL, table, in);
  turns(n, m, argc - 1, argc > 5 ? which : NULL, table, in, other);
  maybe(n, m, which, table, other, in);
  flagged(n, m, 3, which, table, in);
  turns(n, m, 2, which, table, in, other);
  maybe(0, m, NULL, table, other, in);
  turns(0, m, 1, NULL, table, in, other);
  turns(n, 0, 1, which, table, in, other);
  unsign(n, m, u, table, in);
  narrow(n, m, l, table, in);
  structs(n, m, which, p, in);
  for (int i = 0; i < n; i++) which[i] = i % 3;
  int *count = calloc(5, sizeof(int));
  bins(n, which, count);
  double sum = count[0] + 2 * count[1] + 3 * count[2] + 4 * count[3];
  for (int i = 0; i < n * m; i++) sum += table[i] * (i % 29) + p[i].x;
  for (int i = 0; i < n; i++) sum += other[i];
  printf("%g\n", sum);
}
