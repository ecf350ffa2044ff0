// What directives of OpenMP say is taken where the analysis does not know; what it disproves is a warning, and the loop keeps
// its threads; what is wrong all the same, `verify` finds.
// RUN: %exits 0 %warploom compile %s -o %t.cu --explain -- -fopenmp 2> %t.said
// RUN: FileCheck --input-file=%t.said %s
// RUN: %exits 0 %warploom build %s -o %t.prog --target cpu --sanitize -- -fopenmp 2> %t.said
// RUN: cc -fopenmp %s -o %t.c.prog && env OMP_NUM_THREADS=1 %t.c.prog > %t.expected
// RUN: env WARPLOOM_DEVICE=gpu OMP_NUM_THREADS=1 %exits 0 %t.prog > %t.got && diff %t.expected %t.got
// RUN: %exits 1 %warploom verify %s --target cpu --sanitize -- -fopenmp -DWRONG > %t.verified 2>&1
// RUN: FileCheck --input-file=%t.verified --check-prefix=WRONG %s
#include <stdio.h>
#define N 300
static double a[N], b[N], c[N];
static int order[N], count[16];

int main(void) {
  int i;
  double t = 3;
#pragma omp parallel for
  for (i = 0; i < N; i++) {
    a[i] = i * 0.5;
#ifdef WRONG
    order[i] = i / 2;
#else
    order[i] = (i * 7) % N;
#endif
  }
  // CHECK: [[@LINE+5]]:3: warning: the region main:{{[0-9]+}} stays as it was: `c[i - 1]` at line [[@LINE+5]] reads what line [[@LINE+5]] wrote 1 iteration earlier, so that `#pragma omp parallel for` (line [[@LINE+4]]) is a race
  // CHECK: loop 'i{{.*}}' is spread over the grid{{.*}}: `#pragma omp parallel for` (line [[@LINE+6]]) is taken at its word, though `b[order[i]]` at line
  // CHECK: combines values into `count` by `+`
  // WRONG: the sanitizer found faults
#pragma omp parallel for num_threads(1)
  for (i = 1; i < N; i++) c[i] = c[i - 1] + a[i];
  printf("%g\n", c[N - 1]);
#pragma omp parallel for
  for (i = 0; i < N; i++) b[order[i]] = a[i];
#pragma omp parallel for
  for (i = 0; i < N; i++) {
#pragma omp atomic
    count[order[i] % 16] += 1;
  }
  // The scalar is a copy, and keeps its value.
#pragma omp target teams distribute parallel for map(tofrom : a) map(to : b)
  for (int k = 0; k < N; k++) {
    t = b[k];
    a[k] += t;
  }
  double s = 0;
  for (i = 0; i < N; i++) s += a[i] * (i + 1);
  printf("%g %g %d %d\n", s, t, count[0], count[3]);
  return 0;
}
