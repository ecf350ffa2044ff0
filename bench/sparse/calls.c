/* A sparse matrix times a vector, and what is left of a right-hand side, as people write them. */
void sspmv(int n, const int *start, const int *column, const float *value, const float *x, float *y) {
  for (int i = 0; i < n; i++) {
    float sum = 0;
    for (int k = start[i]; k < start[i + 1]; k++)
      sum += value[k] * x[column[k]];
    y[i] = sum;
  }
}

void dspmv(int n, const int *start, const int *column, const double *value, const double *x, double *y) {
  for (int i = 0; i < n; i++) {
    double sum = 0;
    for (int k = start[i]; k < start[i + 1]; k++)
      sum += value[k] * x[column[k]];
    y[i] = sum;
  }
}

void drest(int n, const int *start, const int *column, const double *value, const double *x, const double *right, double *y) {
  for (int i = 0; i < n; i++) {
    double sum = right[i];
    for (int k = start[i]; k < start[i + 1]; k++)
      sum -= value[k] * x[column[k]];
    y[i] = sum;
  }
}
