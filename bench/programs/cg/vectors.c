#include "vectors.h"

double dot(int n, const double* a, const double* b) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += a[i] * b[i];
  return sum;
}

// y = s x + y
void axpy(int n, double s, const double* x, double* y) {
  for (int i = 0; i < n; i++) y[i] += s * x[i];
}

// y = x + s y
void xpay(int n, const double* x, double s, double* y) {
  for (int i = 0; i < n; i++) y[i] = x[i] + s * y[i];
}

void spmv(int rows, const int* start, const int* column, const double* value, const double* x, double* y) {
  for (int i = 0; i < rows; i++) {
    double sum = 0;
    for (int k = start[i]; k < start[i + 1]; k++) sum += value[k] * x[column[k]];
    y[i] = sum;
  }
}
