/* RT-CUDA's programs that call its API, examples 12 and 13, for rows, columns and terms that differ: dense products, and sparse ones of two files and of a
   dense matrix, in every format. Each result is compared with that of plain loops, which Warploom translates; all numbers are whole and small, so sums are exact.

     api M N K A.mtx B.mtx      A.mtx is M x K, B.mtx is K x N */
#include "warploom_la.h"

#include <stdio.h>
#include <stdlib.h>

static int count_wrong(const float *a, const float *b, int count) {
  int wrong = 0;
  for (int i = 0; i < count; i++)
    if (a[i] != b[i]) wrong++;
  return wrong;
}
static void show(const char *name, RTstatus status, const float *got, const float *wanted, int count) {
  printf("%s: %s, %d wrong\n", name, RTStatusText(status), count_wrong(got, wanted, count));
}

static void product(int m, int n, int k, const float *a, const float *b, float *c) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      float s = 0;
      for (int p = 0; p < k; p++)
        s += a[i * k + p] * b[p * n + j];
      c[i * n + j] = s;
    }
}
static void transpose(int m, int n, const float *a, float *c) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++)
      c[i * n + j] = a[j * m + i];
}
static void outer(int m, int n, const float *x, const float *y, float *c) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++)
      c[i * n + j] = x[i] * y[j];
}

static float *dense(const RTspSArray *s) {
  float *a = calloc((size_t)s->m * s->n, sizeof *a);
  for (int k = 0; k < s->nnz; k++)
    a[s->row_indices[k] * s->n + s->column_indices[k]] = s->values[k];
  return a;
}

int main(int argc, char **argv) {
  if (argc != 6) return 2;
  int m = atoi(argv[1]), n = atoi(argv[2]), k = atoi(argv[3]), most = m > n ? m : n;
  most = most > k ? most : k;
  float *A = malloc(most * most * sizeof *A), *B = malloc(most * most * sizeof *B), *C = malloc(most * most * sizeof *C),
        *W = malloc(most * most * sizeof *W), *X = malloc(most * sizeof *X), *Y = malloc(most * sizeof *Y), dot = 0, sum = 0;
  for (int i = 0; i < most * most; i++) {
    A[i] = i * 7 % 5 - 2;
    B[i] = i * 3 % 7 - 3;
  }
  for (int i = 0; i < most; i++) {
    X[i] = i % 4 - 1;
    Y[i] = i % 3 - 1;
  }
  if (RTAPIInit() != RT_OK) return 1;
  /* 12, and D9: arguments that are right for squares alone, an outer product transposed. */
  RTstatus status = RTdSMM(C, A, B, m, n, k);
  product(m, n, k, A, B, W), show("MM", status, C, W, m * n);
  status = RTdSMV(C, A, X, m, k);
  product(m, 1, k, A, X, W), show("MV", status, C, W, m);
  status = RTdSMT(C, A, m, n);
  transpose(m, n, A, W), show("MT", status, C, W, m * n);
  status = RTdSVV(C, X, m, Y, n);
  outer(m, n, X, Y, W), show("VV", status, C, W, m * n);
  status = RTdSDOT(X, Y, most, &dot);
  for (int i = 0; i < most; i++)
    sum += X[i] * Y[i];
  show("DOT", status, &dot, &sum, 1);
  /* 13 */
  RTspSArray SA, SB, SC, SP;
  if (RTspSArrayLoadFromFile(argv[4], &SA) != RT_OK || RTspSArrayLoadFromFile(argv[5], &SB) != RT_OK) return 1;
  if (SA.m != m || SA.n != k || SB.m != k || SB.n != n) return 1;
  float *a = dense(&SA), *b = dense(&SB);
  status = RTspSArrayCreate(A, &SC, m, k);
  float *made = dense(&SC);
  show("Create", status, made, A, m * k);
  status = RTspSMM(&SP, &SA, &SB, m, n, k, RTCSR);
  float *p = dense(&SP);
  product(m, n, k, a, b, W), show("spMM", status, p, W, m * n);
  product(m, n, k, a, B, W);
  show("spdMM CSR", RTspdSMM(C, &SA, B, m, n, k, RTCSR), C, W, m * n);
  show("spdMM BSR", RTspdSMM(C, &SA, B, m, n, k, RTBSR), C, W, m * n);
  product(m, 1, k, a, X, W);
  show("spMV HYB", RTspSMV(C, &SA, X, m, k, RTHYB), C, W, m);
  show("spMV BSR", RTspSMV(C, &SA, X, m, k, RTBSR), C, W, m);
  show("spMV CSR", RTspSMV(C, &SA, X, m, k, RTCSR), C, W, m);
  RTspSArrayDestroy(&SA), RTspSArrayDestroy(&SB), RTspSArrayDestroy(&SC), RTspSArrayDestroy(&SP);
  RTAPIFinalize();
  free(A), free(B), free(C), free(W), free(X), free(Y), free(a), free(b), free(made), free(p);
  return 0;
}
