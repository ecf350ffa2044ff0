// Values that C converts on the way: generated programs print what the C compiler's do.
// RUN: cc -w %s -o %t.c.prog -lm && %t.c.prog > %t.expected
// RUN: %exits 0 %warploom build %s -o %t.prog --target cpu --sanitize -- -w -lm
// RUN: env WARPLOOM_DEVICE=gpu WARPLOOM_TIMING=1 %exits 0 %t.prog 2> %t.times > %t.got
// RUN: diff %t.expected %t.got
// RUN: FileCheck --input-file=%t.times %s
// CHECK-COUNT-12: path gpu
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
enum { LOW = INT_MIN };
int A[100], C[100];
unsigned U[100];
long L[100];
/* Closed forms of 64 bits over indices of 32. */
void wide(int n) { for (int i = 0; i < n; i++) { long k = i; L[i] = k * 100000000; } }
void sum(int n) { long k = 0; for (int i = 0; i < n; i++) { L[i] = k; k += 2000000000; } }
/* A narrow variable is cut off, also where its value is a product of sizes. */
void narrow(int n, int m) { for (int i = 0; i < n; i++) { unsigned char c = i * m; C[i] = c; } }
/* What is added has another type than the variable. */
void back(int n, unsigned step) { int k = n; for (int i = 0; i < n; i++) { k += step; C[k] = i; } }
void least(int n) { for (int i = 0; i < n; i++) L[i] = (U[i] + LOW) >> 1; }
/* The order of numbers depends on their type. */
int largest(int n) { int m = 0; for (int i = 0; i < n; i++) if (A[i] > (unsigned)m) m = A[i]; return m; }
/* Bounds below 0 and indices of 64 bits. */
void corner(long n, long m, double *a) { for (long i = -1; i < n; i++) for (long j = 0; j < 2; j++)
  for (long k = 0; k < m; k++) a[((i + 1) * 2 + j) * m + k] = 1; }
void rows(long n, long m, const double *a, double *y) { for (long i = 0; i < n; i++) { double s = 0;
  for (long k = -1; k < m; k++) s += a[i * (m + 1) + k + 1]; y[i] = s; } }
void subtract(int n, const int *p, const unsigned *u, double *h) { for (int i = 0; i < n; i++) h[p[i]] -= u[i]; }
/* An int with an unsigned number is one. */
void mixed(long n, unsigned u, unsigned long *o) { for (long j = 0; j < n; j++) for (int i = 0; i < 2; i++) o[j * 2 + i] = (i - 1) * u; }
void grouped(int n, const int *st, unsigned u, unsigned long *y) { for (int i = 0; i < n; i++) { unsigned long s = 0;
  for (int k = st[i]; k < st[i + 1]; k++) s += k - u; y[i] = s; } }
void upTo(int n, const unsigned *st, int *y) { for (int i = 0; i < n; i++) { int s = 0;
  for (int k = -2; k < st[i]; k++) s += k; y[i] = s; } }
/* Subscripts that wrap around. */
void hash(unsigned n, unsigned m, const int *a, int *y) { for (unsigned i = 0; i < n; i++) y[i] = a[(i * m) >> 28]; }
void around(unsigned n, const int *a, int *y) { for (unsigned i = 0; i < n; i++) y[i] = a[(i - 1) % 8]; }
void absolute(int n, const long *a, long *y) { for (int i = 0; i < n; i++) y[i] = abs(a[i]); }
int main(void) {
  A[7] = 5, A[9] = -3;
  wide(100), printf("%ld\n", L[99]);
  sum(100), printf("%ld\n", L[99]);
  narrow(100, 7), printf("%d\n", C[99]);
  back(100, -1u), printf("%d\n", C[99]);
  least(100), printf("%ld %d\n", L[0], largest(100));
  double *a = calloc(64, 8), *y = calloc(4, 8), h[1] = {0};
  corner(1, 8, a), printf("%g %g\n", a[0], a[16]);
  for (int i = 0; i < 64; i++) a[i] = 1;
  rows(4, 15, a, y), printf("%g\n", y[0]);
  int p[4] = {0}, st[5] = {0, 1, 2, 3, 4}, t[16], z[100];
  unsigned u[5] = {1, 1, 1, 1, 3};
  for (int i = 0; i < 16; i++) t[i] = i;
  subtract(4, p, u, h), printf("%g\n", *h);
  unsigned long o[4];
  mixed(2, 1, o), printf("%lu\n", o[0]);
  grouped(4, st, 5, o), printf("%lu\n", o[0]);
  upTo(5, u, z), printf("%d %d\n", z[0], z[4]);
  hash(100, 2654435761u, t, z), printf("%d\n", z[99]);
  around(100, t, z), printf("%d %d\n", z[0], z[99]);
  long x = (1L << 32) + 5, v;
  absolute(1, &x, &v), printf("%ld\n", v);
  return 0;
}
