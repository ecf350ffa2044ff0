// Names that hide others, or that generated code has for itself: generated programs print what the C compiler's do.
// RUN: cc -w %s -o %t.c.prog -lm && %t.c.prog > %t.expected
// RUN: %exits 0 %warploom build %s -o %t.prog --target cpu --sanitize -- -w -lm
// RUN: env WARPLOOM_DEVICE=gpu WARPLOOM_TIMING=1 %exits 0 %t.prog 2> %t.times > %t.got
// RUN: diff %t.expected %t.got
// RUN: FileCheck --input-file=%t.times %s
// CHECK-COUNT-6: path gpu
#include <stdio.h>
int A[100], C[100], G[10][10], J[300];
float X[100], Y[100];
_Bool b[100];
void hidden(int n, int i) { for (int a = 0; a < n; a++) { int k = i + a; for (int i = 0; i < 3; i++) J[a * 3 + i] = k; } }
void twice(void) { for (int i = 0; i < 10; i++) { int k = i; for (int i = 0; i < 10; i++) G[k][i] = k + i; } }
void truth(int n) { for (int i = 0; i < n; i++) b[i] = i % 3; }
void chosen(int n, _Bool yes) { for (int i = 0; i < n; i++) C[i] = yes ? i : -i; }
void vector(int n, float VECTOR) { for (int i = 0; i < n; i++) Y[i] += VECTOR * X[i]; }
double shape(int n, double dim3, const float *atomicAdd) { double s = 0; for (int i = 0; i < n; i++) s += dim3 * atomicAdd[i]; return s; }
int main(void) {
  for (int i = 0; i < 100; i++) X[i] = i;
  hidden(100, 42), twice(), truth(100), chosen(100, 1), vector(100, 2);
  printf("%d %d %d %d %d %g %g\n", J[0], J[4], G[3][4], b[2], C[9], Y[9], shape(100, 3, X));
  return 0;
}
