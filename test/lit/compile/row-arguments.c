// Pointers into a row of an array of arrays, as arguments and as variables: subscripts of that row, as long as they stay in it. Where they
// go on into the next rows, as programs do, only the running program knows, and the original loops run; where they begin at the first
// element of all, they go over all rows.
// RUN: %warploom compile %s -o %t.cu --explain 2>&1 | FileCheck %s
// RUN: %exits 0 %warploom verify %s --sanitize | FileCheck %s --check-prefix=VERIFY
// VERIFY: 0 mismatches
#include <stdio.h>
#define N 12
double A[N][N], B[N][N], volume[4][4][N], wide[N][2 * N];
typedef struct {
  double v[4], w[4];
} Pair;
Pair pairs[N];

static void put(double *place, double value) { *place = value; }
static double dot(const double *a, const double *b, int n) {
  double sum = 0.0;
  for (int k = 0; k < n; k++)
    sum += a[k] * b[k];
  return sum;
}
static double around(const double *p) { return p[-1] + p[0] + p[1]; }
static void fill(double *p, int n, double value) {
  for (int k = 0; k < n; k++)
    p[k] = value + k;
}
static void plane(double (*p)[N], int n, double value) {
  for (int j = 0; j < n; j++)
    for (int k = 0; k < N; k++)
      p[j][k] = value + j * k;
}

// CHECK-DAG: region elements:[[#]] runs in
void elements(double a[N][N], int n) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      put(&a[i][j], 2.0 * i + j);
}
// CHECK-DAG: region products:[[#]] runs in
void products(void) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      B[i][j] = dot(A[i], A[j], N);
}
// CHECK-DAG: loop 'j' is spread over the grid of kernel sums_[[#]]: parallel only if n <= 13 and n <= 12 and n <= 11
void sums(int n) {
  for (int i = 0; i < N / 2; i++)
    for (int j = 1; j < n; j++)
      wide[i][j] = around(&A[i][j]);
}
// Some of these rows overlap when n is larger than they are.
// CHECK-DAG: loop 'i' is spread over the grid of kernel rows_[[#]]: parallel only if n <= 12
void rows(int n) {
  for (int i = 0; i < N / 2; i++)
    fill(A[i], n, 3.0 * i);
}
// CHECK-DAG: loop 'fill_k2' is spread over the grid of kernel everything_[[#]]
void everything(int times) {
  for (int t = 0; t < times; t++) {
    fill(A[0], N * N, t);
    A[t][3] += A[t + 1][2];
  }
}
// CHECK-DAG: loop 'i' is spread over the grid of kernel local_[[#]]: parallel only if n <= 12
void local(int n) {
  for (int i = 0; i < N / 2; i++) {
    double *row = B[i];
    for (int k = 0; k < n; k++)
      row[k] = i - k;
  }
}
// CHECK-DAG: loop 'i' is spread over the grid of kernel planes_[[#]]: parallel only if n <= 4
void planes(int n) {
  for (int i = 0; i < 2; i++)
    plane(volume[i], n, i);
}
// CHECK-DAG: loop 'i' is spread over the grid of kernel fields_[[#]]: parallel only if n <= 4
void fields(int n) {
  for (int i = 0; i < N; i++)
    fill(pairs[i].v, n, i);
}

int main(void) {
  for (int n = N - 2; n <= N + 3; n += 3) {
    elements(A, N);
    products();
    sums(n);
    rows(n);
    local(n);
    planes(n - 7);
  }
  fields(4);
  fields(5);
  everything(3);
  double sum = 0.0;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      sum += A[i][j] * (i + 1) + B[i][j] * (j + 1) + volume[i % 4][j % 4][i] + wide[i][j + 4] + pairs[i].v[j % 4] + pairs[i].w[j % 4];
  printf("%g\n", sum);
  return 0;
}
