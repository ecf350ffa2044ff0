/* The loops of which Warploom's generated kernels are measured. */
float prefix_float(int n, const float *restrict a, float *restrict b) {
  float s = 0;
  for (int i = 0; i < n; i++) {
    s += a[i];
    b[i] = s;
  }
  return s;
}
double prefix_double(int n, const double *restrict a, double *restrict b) {
  double s = 0;
  for (int i = 0; i < n; i++) {
    s += a[i];
    b[i] = s;
  }
  return s;
}
int compact_float(int n, const float *restrict a, float *restrict b) {
  int j = 0;
  for (int i = 0; i < n; i++)
    if (a[i] > 0) b[j++] = a[i];
  return j;
}
int compact_double(int n, const double *restrict a, double *restrict b) {
  int j = 0;
  for (int i = 0; i < n; i++)
    if (a[i] > 0) b[j++] = a[i];
  return j;
}
float linear_float(int n, const float *restrict a, const float *restrict c, float *restrict b) {
  float s = 0;
  for (int i = 0; i < n; i++) {
    s = c[i] * s + a[i];
    b[i] = s;
  }
  return s;
}
double linear_double(int n, const double *restrict a, const double *restrict c, double *restrict b) {
  double s = 0;
  for (int i = 0; i < n; i++) {
    s = c[i] * s + a[i];
    b[i] = s;
  }
  return s;
}
