/* Four of RT-CUDA's examples. */
#include "kernels.h"

void matrix_mul(float *restrict C, const float *restrict A, const float *restrict B, int n) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      float sum = 0;
      for (int k = 0; k < n; k++)
        sum += A[i * n + k] * B[k * n + j];
      C[i * n + j] = sum;
    }
}

void matrix_scale(float *C, const float *restrict A, int scale, int n) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      C[i * n + j] = scale * A[i * n + j];
}

void matrix_mv(float *restrict C, const float *restrict A, const float *restrict B, int n) {
  for (int i = 0; i < n; i++) {
    float sum = 0;
    for (int k = 0; k < n; k++)
      sum += A[i * n + k] * B[k];
    C[i] = sum;
  }
}

void matrix_vv(float *restrict C, const float *restrict A, const float *restrict B, int n) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      C[i * n + j] = A[i] * B[j];
}
