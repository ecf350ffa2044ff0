/* RT-CUDA's examples (section 9 of its specification) for any numbers of rows and columns, with the edits that its users made. */
#include "examples.h"

/* 1, and 14: the temporary, and a result that is zeroed inside. */
void matrix_mul(float *restrict C, const float *restrict A, const float *restrict B, int n, int m, int p) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      float sum = 0;
      for (int k = 0; k < p; k++) {
        float b = B[k * m + j];
        sum += A[i * p + k] * b;
      }
      C[i * m + j] = sum;
    }
}

void matrix_mul_serial(float *C, const float *A, const float *B, int n, int m, int p) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      C[i * m + j] = 0;
      for (int k = 0; k < p; k++)
        C[i * m + j] += A[i * p + k] * B[k * m + j];
    }
}

/* 14: six loops, tiles of four. */
void matrix_mul_tiled(float C[64][64], float A[64][64], float B[64][64]) {
  for (int by = 0; by < 16; by++)
    for (int bx = 0; bx < 16; bx++)
      for (int ty = 0; ty < 4; ty++)
        for (int tx = 0; tx < 4; tx++) {
          C[4 * by + ty][4 * bx + tx] = 0;
          for (int bk = 0; bk < 16; bk++)
            for (int k = 0; k < 4; k++)
              C[4 * by + ty][4 * bx + tx] += A[4 * by + ty][4 * bk + k] * B[4 * bk + k][4 * bx + tx];
        }
}

/* 2 and 3; 16: a constant. */
void matrix_scale(float *C, const float *restrict A, int scale, int n, int m) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      C[i * m + j] = scale * A[i * m + j];
}
void matrix_scale_edited(float *C, const float *restrict A, int scale, int n, int m) {
  int c = 2;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      C[i * m + j] = scale * A[i * m + j] + c;
}
void matrix_add(float *C, const float *restrict A, const float *restrict B, int n, int m) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      C[i * m + j] = A[i * m + j] + B[i * m + j];
}

/* 4: shifted subscripts, and bounds that are expressions. */
void demosaic(float *out, const float *restrict in, int N) {
  for (int i = 0; i < N - 16; i++)
    for (int j = 0; j < N - 16; j++)
      out[i * (N - 16) + j] = in[(i + 15) * N + j + 15] + 0.25f * (in[(i + 14) * N + j + 15] + in[(i + 15) * N + j + 14] +
                                                                 in[(i + 15) * N + j + 16] + in[(i + 16) * N + j + 15]);
}

/* 5: indices declared outside; 16: half of the bins. */
void histogram(int *h, const int *restrict A, int n, int m) {
  int i, j, b;
  for (i = 0; i < n; i++)
    for (j = 0; j < m; j++) {
      b = A[i * m + j];
      h[b] = h[b] + 1;
    }
}
void histogram_edited(int *h, const int *restrict A, int n, int m) {
  int i, j, b;
  for (i = 0; i < n; i++)
    for (j = 0; j < m; j++) {
      b = A[i * m + j];
      b /= 2;
      h[b] = h[b] + 1;
    }
}

/* 6 and 7; 16: times 5, and divided by 5 in a second statement. */
void matrix_mv(float *restrict C, const float *restrict A, const float *restrict B, int n, int m) {
  for (int i = 0; i < n; i++) {
    float sum = 0;
    for (int k = 0; k < m; k++)
      sum += A[i * m + k] * B[k];
    C[i] = sum;
  }
}
void matrix_vv(float *restrict C, const float *restrict A, const float *restrict B, int n, int m) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      C[i * m + j] = A[i] * B[j] * 5;
      C[i * m + j] = C[i * m + j] / 5;
    }
}

/* 8; 16: another factor. */
void axpy(double *C, const double *restrict A, double alpha, int n) {
  for (int i = 0; i < n; i++)
    C[i] = C[i] + alpha * A[i];
}
void axpy_edited(double *C, const double *restrict A, double alpha, int n) {
  double f = 3;
  for (int i = 0; i < n; i++)
    C[i] = C[i] + f * alpha * A[i];
}

/* 9. */
void jacobi(double *restrict NX, const double *restrict A, const double *restrict X, const double *restrict B, int n) {
  for (int i = 0; i < n; i++) {
    double a = A[i * n + i];
    double sum = -a * X[i];
    for (int j = 0; j < n; j++)
      sum += A[i * n + j] * X[j];
    NX[i] = (B[i] - sum) / a;
  }
}

/* 10: called with one array twice, too. */
void sub(float *C, const float *A, const float *B, int n) {
  for (int i = 0; i < n; i++)
    C[i] = A[i] - B[i];
}
void copy(float *C, const float *A, int n) {
  for (int i = 0; i < n; i++)
    C[i] = A[i];
}
void scaleadd(float *C, const float *A, float alpha, int n) {
  for (int i = 0; i < n; i++)
    C[i] += alpha * A[i];
}
void scaleaddstore(float *C, const float *A, const float *B, float alpha, int n) {
  for (int i = 0; i < n; i++)
    C[i] = alpha * A[i] + B[i];
}
