// Directives that change what variables are, and those that macros make: loops keep them.
// RUN: cc -w -fopenmp %s -o %t.c.prog && %t.c.prog > %t.expected
// RUN: %exits 0 %warploom build %s -o %t.prog --target cpu --sanitize -- -w -fopenmp 2> %t.said
// RUN: env WARPLOOM_DEVICE=gpu OMP_NUM_THREADS=2 %exits 0 %t.prog > %t.got
// RUN: diff %t.expected %t.got
// RUN: FileCheck --input-file=%t.said %s
// CHECK: region given:{{.*}} is not looked into
// CHECK: region own:{{.*}} is not looked into
// CHECK: region made:{{.*}} a macro before it makes a pragma
#include <stdio.h>
#define PARALLEL _Pragma("omp parallel for")
#define UNROLLED(n) _Pragma("GCC unroll 4")

static int a[300], g = 5, t[4] = {1, 2, 3, 4};

static void given(int n) {
#pragma omp parallel for firstprivate(t, g)
  for (int i = 0; i < n; i++) {
    t[i & 3] = i;
    g = i + 1;
    a[i] = t[i & 3] + g;
  }
}

static void own(int n) {
  static int mine;
#pragma omp threadprivate(mine)
#pragma omp parallel for
  for (int i = 0; i < n; i++) {
    mine = i;
    a[i] += mine;
  }
}

static void made(int n) {
  PARALLEL /* with threads */
  for (int i = 0; i < n; i++) a[i] = a[i] * 2 + 1;
  UNROLLED(4)
  for (int i = 0; i < n; i++) a[i] += i;
}

int main(void) {
  given(300);
  own(300);
  made(300);
  long sum = 0;
  for (int i = 0; i < 300; i++) sum = sum * 3 % 1000003 + a[i];
  printf("%ld %d %d\n", sum, g, t[3]);
  return 0;
}
