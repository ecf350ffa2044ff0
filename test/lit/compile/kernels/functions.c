// Functions that only compute with their arguments go to the device with the kernels that call them.
// RUN: %warploom compile %s -o %t.cu && FileCheck --input-file=%t.cu %s
//
// What is called comes first; macros, typedefs and constants of the source are gone.
// CHECK: namespace source {
// CHECK: __device__ double square(double v) {
// CHECK-NEXT: return v * v;
// CHECK-NEXT: }
// CHECK: __device__ double length(source::point p) {
// CHECK-NEXT: return sqrt(source::square(p.x) + source::square(p.y));
// CHECK-NEXT: }
// A parameter of an enumeration, a constant, inner variables of the same name as one around them.
// CHECK: __device__ float weight(unsigned which) {
// CHECK: float parts[3] = {static_cast<float>(0.5f), static_cast<float>(1), static_cast<float>(which)};
// CHECK-NEXT: float sum = 0;
// CHECK-NEXT: for (int i = 0; i < 3; ++i) {
// CHECK-NEXT: float [[OUTER:i[0-9_]+]] = 0;
// CHECK-NEXT: {
// CHECK-NEXT: float [[INNER:i[0-9_]+]] = parts[i] * (float)0x1.8p+1;
// CHECK-NEXT: sum += [[INNER]];
// CHECK-NEXT: }
// CHECK-NEXT: sum += [[OUTER]];
// Names of C++ and of CUDA's own functions do no harm.
// CHECK: __device__ int min(int a, int b) {
// CHECK-NEXT: return a < b ? a : b;
// CHECK: __device__ int steps(int n) {
// CHECK-NEXT: int count = 0;
// CHECK-NEXT: for (int k = n; k != 1;) {
// CHECK-NEXT: if (k % 2) {
// CHECK-NEXT: k = 3 * k + 1;
// CHECK-NEXT: ++count;
// CHECK-NEXT: } else {
// CHECK-NEXT: k /= 2;
// CHECK-NEXT: ++count;
// CHECK-NEXT: if (count > 500) {
// CHECK: __device__ source::point middle(source::point a, source::point b) {
// CHECK-NEXT: source::point m = source::point{static_cast<double>((a.x + b.x) / 2), static_cast<double>((a.y + b.y) / 2)};
// CHECK-NEXT: return m;
//
// CHECK: all_{{[0-9]+}}
// CHECK: source::length(p[i]) + source::weight(i % 2 ? 4 : 1);
// CHECK: source::min(i, 7) + source::steps(i + 1);
// CHECK: source::middle(p[i], p[n - 1 - i]);
//
// A function in a subscript is looked into: this is a transposition, parallel, and goes through shared memory.
// CHECK: transpose_{{[0-9]+}}{{.*}}
// CHECK: = A[i * m + j];
// CHECK: B[source::at(j, i, n)] = A_tile[i - i0][j - j0];
//
// A function that returns the larger of two is known for what it does, not by its name.
// CHECK: // peak, line {{[0-9]+}}: loop i over x; top combined by max.
//
// RUN: %exits 0 %warploom verify %s --target cpu -o %t.prog --arg 1 | FileCheck --check-prefix=SAME %s
// RUN: %exits 0 %t.prog 37 | FileCheck --check-prefix=SAME %s
// RUN: %exits 0 %warploom verify %s --sanitize --arg 40 | FileCheck --check-prefix=SAME %s
// SAME: verify: region all:{{[0-9]+}} array d
// SAME: verify: region transpose:{{[0-9]+}} array B max abs 0 max rel 0 ok
// SAME: verify: region peak:{{[0-9]+}} array top max abs 0 max rel 0 ok
// SAME: , 0 mismatches
// SHOWS: RT-8
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#define SQUARED(v) ((v) * (v))
typedef double number;
struct point { number x, y; };
enum kind { PLAIN = 1, HEAVY = 4 };
static const float factor = 3;

static number square(number v) { return SQUARED(v); }
static number length(struct point p) { return sqrt(square(p.x) + square(p.y)); }
static int min(int a, int b) { return a < b ? a : b; }
static int steps(int n) {
  int count = 0;
  for (int k = n; k != 1;) {
    if (k % 2) {
      k = 3 * k + 1;
      count++;
      continue;
    }
    k /= 2;
    count += 1;
    if (count > 500) break;
  }
  return count;
}
static struct point middle(struct point a, struct point b) {
  struct point m = {(a.x + b.x) / 2, (a.y + b.y) / 2};
  return m;
}
static float weight(enum kind which) {
  float parts[3] = {0.5f, 1, which}, sum = 0;
  for (int i = 0; i < 3; i++) {
    float i_ = 0;
    { float i_ = parts[i] * factor; sum += i_; }
    sum += i_;
  }
  return sum;
}
static inline int at(int i, int j, int width) { return i * width + j; }
static double greater(double a, double b) { return a < b ? b : a; }

void all(int n, const struct point* restrict p, double* restrict d, int* restrict k, struct point* restrict q) {
  for (int i = 0; i < n; i++) {
    d[i] = length(p[i]) + weight(i % 2 ? HEAVY : PLAIN);
    k[i] = min(i, 7) + steps(i + 1);
    q[i] = middle(p[i], p[n - 1 - i]);
  }
}
void transpose(int n, int m, const double* restrict A, double* restrict B) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) B[at(j, i, n)] = A[at(i, j, m)];
}
double peak(int n, const double* d) {
  double top = -1;
  for (int i = 0; i < n; i++) top = greater(top, d[i]);
  return top;
}
int main(int argc, char** argv) {
  int n = argc > 1 ? atoi(argv[1]) : 20, m = 19;
  struct point *p = calloc(n, sizeof *p), *q = calloc(n, sizeof *q);
  double *d = calloc(n, sizeof *d), *A = calloc(n * m, sizeof *A), *B = calloc(n * m, sizeof *B);
  int* k = calloc(n, sizeof *k);
  for (int i = 0; i < n; i++) p[i].x = i, p[i].y = 2 * i;
  for (int i = 0; i < n * m; i++) A[i] = i;
  all(n, p, d, k, q);
  transpose(n, m, A, B);
  printf("%g %g %d %g\n", peak(n, d), B[n * m - 1], k[n - 1], q[0].x);
  return 0;
}
