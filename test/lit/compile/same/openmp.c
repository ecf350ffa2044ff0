// Programs with OpenMP: what they print is what the C compiler's do, with threads and without. Loops that stay keep theirs.
// RUN: cc -w -fopenmp %s -o %t.c.prog && %t.c.prog > %t.expected
// RUN: %exits 0 %warploom build %s -o %t.prog --target cpu --sanitize -- -w -fopenmp
// RUN: env WARPLOOM_DEVICE=gpu WARPLOOM_TIMING=1 OMP_NUM_THREADS=3 %exits 0 %t.prog 2> %t.times > %t.got
// RUN: diff %t.expected %t.got
// RUN: FileCheck --input-file=%t.times %s
// CHECK-COUNT-5: path gpu
// RUN: env WARPLOOM_DEVICE=host OMP_NUM_THREADS=3 %exits 0 %t.prog > %t.got && diff %t.expected %t.got
// RUN: %exits 0 %warploom cc --target cpu -w -fopenmp %s -o %t.cc.prog
// RUN: env WARPLOOM_DEVICE=gpu %exits 0 %t.cc.prog > %t.got && diff %t.expected %t.got
// RUN: %exits 0 %warploom run %s --target cpu --flag=-fopenmp --flag=-w > %t.got 2> %t.said && diff %t.expected %t.got
// RUN: %exits 0 %warploom verify %s --target cpu -- -w -fopenmp | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verify: region main:45 array x max abs 0 max rel 0 ok
// VERIFIED: verify: region scaled:38 array to max abs 0 max rel 0 ok
// RUN: %exits 0 %warploom compile %s -o %t.cu -- -w -fopenmp 2> %t.said
// RUN: FileCheck --input-file=%t.host.c --check-prefix=HOST %s
// HOST: int omp_in_parallel(void);
// HOST: if (!(!omp_in_parallel() && warploom_{{.*}})) {
// HOST: #pragma omp parallel for private(t)
// HOST: #pragma omp parallel{{$}}
// HOST-NOT: warploom
// HOST: #pragma omp for
// Without the flag, lines of OpenMP are comments.
// RUN: cc -w -DALONE %s -o %t.c.alone && %t.c.alone > %t.expected
// RUN: %exits 0 %warploom build %s -o %t.alone --target cpu --sanitize -- -w -DALONE
// RUN: env WARPLOOM_DEVICE=gpu %exits 0 %t.alone > %t.got && diff %t.expected %t.got
#ifdef ALONE
static int omp_get_thread_num(void) { return 0; }
#else
#include <omp.h>
#endif
#include <stdio.h>
#define N 600
static double x[N], y[N], z[N], w[4][N];
static int seen[N];

static void scaled(double *restrict to, const double *restrict from, double by) {
  for (int i = 0; i < N; i++) to[i] = by * from[i];
}

int main(void) {
  int i, t = 7, l = 5;
  double s = 0;
#pragma omp parallel for private(t)
  for (i = 0; i < N; i++) {
    t = i % 10;
    x[i] = t * 0.5;
  }
#ifndef ALONE
  printf("%d\n", t); // it has kept its value
#endif
#pragma omp parallel for reduction(+ : s) schedule(static, 16) lastprivate(l)
  for (int k = 0; k < N; k++) {
    l = k * 2;
    s += x[k] + l;
  }
#pragma omp parallel for collapse(2)
  for (int a = 0; a < 20; a++)
    for (int b = 0; b < N / 20; b++) y[a * (N / 20) + b] = x[a * (N / 20) + b] + a;
#pragma omp parallel
  {
    int me = omp_get_thread_num();
#pragma omp for
    for (int k = 0; k < N; k++) seen[k] = me >= 0;
#pragma omp for
    for (int k = 0; k < N; k++) y[k] += seen[k];
  }
#pragma omp parallel for
  for (int k = 0; k < 4; k++) scaled(w[k], y, k); // several threads come there
  scaled(z, y, 3);
#pragma omp simd
  for (i = 0; i < N; i++) z[i] += x[i];
  int count = 0;
#pragma omp parallel for
  for (int k = 0; k < N; k++) {
#pragma omp atomic
    count += seen[k];
  }
  double all = 0;
  for (int k = 0; k < N; k++) all += z[k] * k + w[k % 4][k];
  printf("%d %d %.1f %.1f %d\n", i, l, s, all, count);
  return 0;
}
