// What happens on a condition, in which order, or in the last iteration only: generated programs print what the C compiler's do.
// RUN: cc -w %s -o %t.c.prog -lm && %t.c.prog > %t.expected
// RUN: %exits 0 %warploom build %s -o %t.prog --target cpu --sanitize -- -w -lm
// RUN: env WARPLOOM_DEVICE=gpu WARPLOOM_TIMING=1 %exits 0 %t.prog 2> %t.times > %t.got
// RUN: diff %t.expected %t.got
// RUN: FileCheck --input-file=%t.times %s
// CHECK-COUNT-6: path gpu
#define _GNU_SOURCE
#include <math.h>
#include <stdio.h>
#include <sys/mman.h>
int A[100], B[100], C[100], D[100];
double E[200], F[200], M[80][80];
/* Increments in parts of an expression that may not be evaluated. */
int some(int n) { int k = 0; for (int i = 0; i < n; i++) C[i] = A[i] > 0 ? k++ : -1; return k; }
int both(int n) { int k = 0; for (int i = 0; i < n; i++) D[i] = A[i] > 0 && k++; return k; }
/* The parts of a header, one after the other. */
void first(int n) { int i = 7, k; for (i = 0, k = i; i < n; i++) C[i] = k; }
void later(int n) { int i, k = 0; for (i = 0; i < n; i++, k = i) D[i] = k; }
void before(int n) { int i, k = 5; for (i = k, k = 1; i < n; i++) C[i] = k; }
/* Where nothing is combined, a truth value stays what it was. */
int all(int n, int s) { for (int i = 0; i < n; i++) if (A[i]) s = s && B[i]; return s; }
int any(int n, int s) { for (int i = 0; i < n; i++) if (A[i]) s = s || B[i]; return s; }
int beyond(int n, int m, int s) { for (int i = 0; i < n; i++) { C[i] = i; if (i > m) s = s && B[i]; } return s; }
int every(int n) { int s = 1; for (int i = 0; i < n; i++) s = s && C[i] >= 0; return s; }
/* Nothing is where a sum of nothing would go. */
void sums(int n) { for (int i = 0; i < 5; i += 2) { M[2 * i + 9][i] = E[i];
  for (int j = 2; j < n - 2; j += 3) E[i + 1] -= fmod(5 + M[2 * i][i + 1], 31); } }
/* Data tell which iteration sets `u` last. */
double last(int n) { double u = 0; for (int t = 0; t < 3; t++) { for (int i = 0; i < n; i++) E[i] = u + i;
    for (int c = 0; c < n; c++) { F[c] = E[c] + 1; if (F[c] < 50) { u = F[c] * 2; F[c] = u + 3; } } } return u; }
/* The last of every second element is the last there is. */
void negate(int n, double *im) { for (int i = 0; i < n; i += 2) im[i] = -im[i]; }
double total(int n, const double *x) { register double s = 0; register int i; for (i = 0; i < n; i++) s += x[i]; return s; }
int main(void) {
  A[3] = A[50] = 1;
  int k = some(100);
  printf("%d %d\n", k, C[50]);
  k = both(100), printf("%d %d\n", k, D[50]);
  first(100), later(100), printf("%d %d\n", C[50], D[50]);
  before(100), printf("%d\n", C[50]);
  A[3] = A[50] = 0;
  printf("%d ", all(100, 5)), printf("%d ", any(100, 5)), printf("%d ", beyond(100, 99, 5)), printf("%d\n", every(100));
  sums(3), sums(9), printf("%g %g\n", E[1], M[9][0]);
  printf("%g %g\n", last(100), E[7]);
  char *p = mmap(0, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  mprotect(p + 4096, 4096, PROT_NONE);
  double *x = (double *)p;
  for (int i = 0; i < 512; i++) x[i] = i;
  negate(512, x + 1); /* the imaginary parts of 256 complex numbers */
  printf("%g %g\n", x[511], total(512, x));
  return 0;
}
