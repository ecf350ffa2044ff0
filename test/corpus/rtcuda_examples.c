// The serial kernels of rt-cuda.md section 9, on linearised matrices as users write them.
// SHOWS: RT-2 RT-4 RT-5 RT-7 RT-24
#include <math.h>
float A[600], B[600], C[600], X[32], Y[32], NX[32];
double DA[64], DC[64];
int H[32], I2[200];

void matrix_mul(float *restrict c, const float *restrict a, const float *restrict b, int n) {
  for (int i = 0; i < n; i++) /* EXPECT: parallel */
    for (int j = 0; j < n; j++) { /* EXPECT: parallel */
      float sum = 0;
      for (int k = 0; k < n; k++) { /* EXPECT: reduction(+) */
        float e = b[k * n + j];
        sum += a[i * n + k] * e;
      }
      c[i * n + j] = sum;
    }
}

void matrix_mul_outer_sum(float *restrict c, const float *restrict a, const float *restrict b, int n) {
  float sum = 0;
  for (int i = 0; i < n; i++) /* EXPECT: sequential */
    for (int j = 0; j < n; j++) { /* EXPECT: sequential */
      for (int k = 0; k < n; k++) /* EXPECT: reduction(+) */
        sum += a[i * n + k] * b[k * n + j];
      c[i * n + j] = sum;
    }
}

void matrix_scale(float *c, const float *restrict a, int scale, int n) {
  for (int i = 0; i < n; i++) /* EXPECT: parallel */
    for (int j = 0; j < n; j++) /* EXPECT: parallel */
      c[i * n + j] = scale * a[i * n + j];
}

void matrix_add(float *restrict c, const float *restrict a, const float *restrict b, int n) {
  for (int i = 0; i < n; i++) /* EXPECT: parallel */
    for (int j = 0; j < n; j++) /* EXPECT: parallel */
      c[i * n + j] = a[i * n + j] + b[i * n + j];
}

void demosaic(float *restrict out, const float *restrict in, int n) {
  for (int i = 0; i < n - 4; i++)
    for (int j = 0; j < n - 4; j++)
      out[i * (n - 4) + j] = in[(i + 2) * n + j + 2] + 0.25f * (in[(i + 1) * n + j + 2] + in[(i + 2) * n + j + 1] + in[(i + 2) * n + j + 3] + in[(i + 3) * n + j + 2]);
}

void histogram(int *restrict h, const int *restrict a, int n) {
  for (int i = 0; i < n; i++) /* EXPECT: reduction(+) */
    for (int j = 0; j < n; j++) { /* EXPECT: reduction(+) */
      int b = a[i * n + j];
      h[b] = h[b] + 1;
    }
}

void matrix_mv(float *restrict c, const float *restrict a, const float *restrict b, int n) {
  for (int i = 0; i < n; i++) { /* EXPECT: parallel */
    float sum = 0;
    for (int k = 0; k < n; k++) /* EXPECT: reduction(+) */
      sum += a[i * n + k] * b[k];
    c[i] = sum;
  }
}

void matrix_vv(float *restrict c, const float *restrict a, const float *restrict b, int n) {
  for (int i = 0; i < n; i++) /* EXPECT: parallel */
    for (int j = 0; j < n; j++) /* EXPECT: parallel */
      c[i * n + j] = a[i] * b[j];
}

void axpy(double *c, const double *restrict a, double alpha, int n) {
  for (int i = 0; i < n; i++) /* EXPECT: parallel */
    c[i] = c[i] + alpha * a[i];
}

void jacobi_sweep(float *restrict nx, const float *restrict a, const float *restrict x, const float *restrict b, int n) {
  for (int i = 0; i < n; i++) { /* EXPECT: parallel */
    float d = a[i * n + i];
    float sum = -d * x[i];
    for (int j = 0; j < n; j++) /* EXPECT: reduction(+) */
      sum += a[i * n + j] * x[j];
    nx[i] = (b[i] - sum) / d;
  }
}

void jacobi_iterations(float *restrict nx, const float *restrict a, float *restrict x, const float *restrict b, int n) {
  for (int t = 0; t < 3; t++) { /* EXPECT: sequential */
    for (int i = 0; i < n; i++) { /* EXPECT: parallel */
      float sum = 0;
      for (int j = 0; j < n; j++) /* EXPECT: reduction(+) */
        sum += a[i * n + j] * x[j];
      nx[i] = (b[i] - sum) * 0.01f;
    }
    for (int i = 0; i < n; i++) /* EXPECT: parallel */
      x[i] = nx[i];
  }
}

void cg_sub(float *restrict c, const float *restrict a, const float *restrict b, int n) {
  for (int i = 0; i < n; i++) /* EXPECT: parallel */
    c[i] = a[i] - b[i];
}

void cg_scale_add_store(float *restrict c, const float *restrict a, const float *restrict b, float alpha, int n) {
  for (int i = 0; i < n; i++) /* EXPECT: parallel */
    c[i] = alpha * a[i] + b[i];
}

#ifdef WL_TRACE
int main(void) {
  RUN(matrix_mul(C, A, B, n));
  RUN(matrix_mul_outer_sum(C, A, B, n));
  RUN(matrix_scale(C, A, 3, n));
  RUN(matrix_add(C, A, B, n));
  RUN(demosaic(C, A, n));
  RUN(histogram(H, I2, n));
  RUN(matrix_mv(Y, A, X, n));
  RUN(matrix_vv(C, X, Y, n));
  RUN(axpy(DC, DA, 3.0, n));
  RUN(jacobi_sweep(NX, A, X, Y, n));
  RUN(jacobi_iterations(NX, A, X, Y, n));
  RUN(cg_sub(C, A, B, n));
  RUN(cg_scale_add_store(C, A, B, 2.0f, n));
}
#endif
