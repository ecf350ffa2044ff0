#include "vectors.h"

void subtract(int n, float *c, const float *a, const float *b) {
  for (int i = 0; i < n; i++)
    c[i] = a[i] - b[i];
}

void copy(int n, float *c, const float *a) {
  for (int i = 0; i < n; i++)
    c[i] = a[i];
}

void scale_add(int n, float *c, float alpha, const float *a) {
  for (int i = 0; i < n; i++)
    c[i] += alpha * a[i];
}

void scale_subtract(int n, float *c, float alpha, const float *a) {
  for (int i = 0; i < n; i++)
    c[i] -= alpha * a[i];
}

void scale_add_store(int n, float *p, float beta, const float *r) {
  for (int i = 0; i < n; i++)
    p[i] = beta * p[i] + r[i];
}
