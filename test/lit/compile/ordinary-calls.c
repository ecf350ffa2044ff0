// The launcher's arguments are named in the caller's words, whatever the functions call them.
// RUN: %warploom compile %s -o %t.cu | FileCheck %s --check-prefix=SUMMARY
// RUN: FileCheck %s --check-prefix=HOST < %t.host.c
// RUN: FileCheck %s < %t.cu
#include <stddef.h>
typedef struct {
  int rows, columns;
  double *data;
} Matrix;

static double *at(const Matrix *self, int i, int j) { return self->data + i * self->columns + j; }

static void scale(Matrix *target, int i, int j, double by) { *at(target, i, j) *= by; }

// HOST: if (!(m && warploom_ordinary_calls_halve_{{[0-9]+}}(m->rows, m->columns, (double*)m->data))) { for
// HOST: scale(m, i, j, 0.5);
void halve(Matrix *m) {
  for (int i = 0; i < m->rows; i++)
    for (int j = 0; j < m->columns; j++)
      scale(m, i, j, 0.5);
}

// CHECK: with_bias
// HOST: if (!warploom_ordinary_calls_with_bias_{{[0-9]+}}(n, (bias != 0), (const float*)bias, (float*)out)) { for
void with_bias(int n, float *restrict out, const float *restrict bias) {
  for (int i = 0; i < n; i++)
    out[i] += (bias != NULL) ? bias[i] : 0.5f;
}

// SUMMARY: 2 of 2 regions
