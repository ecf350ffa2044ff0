// Loops that end the program, or leave the function, when something is wrong in an iteration: a kernel finds the first of them, the
// work up to there is done, and the user's own statements leave. One check, several, with variables of the iteration, in functions.
// RUN: rm -rf %t && split-file %s %t
// RUN: %warploom compile %t/e.c -o %t/e.cu 2>&1 | FileCheck --check-prefix=SAID %s
// SAID: the region worked:{{[0-9]+}} stays as it was
// SAID: 4 of 5 regions
// RUN: FileCheck --check-prefix=HOST --input-file=%t/e.host.c %s
// HOST: void roots(
// HOST: else if (warploom_i < (n)) { int i = warploom_i; (void)i; {
// HOST: int inverses(
// HOST: else { i = [[I:warploom_i[0-9]*]]; if ([[I]] < (n)) { double d = x[i] - z[i]; if (d == 0) return -i - 1; double e = x[i] + z[i]; if (fabs(e) < 1e-9) {
//
// RUN: %warploom build %t/e.c -o %t/made --target cpu --sanitize -- -lm 2> /dev/null
// RUN: cc -O1 %t/e.c -o %t/plain -lm
// RUN: sh %t/compare %t && FileCheck --check-prefix=PATHS --input-file=%t/paths %s
// PATHS-DAG: region roots:{{.*}} path gpu
// PATHS-DAG: region inverses:{{.*}} path gpu
// PATHS-DAG: region gather:{{.*}} path gpu
// PATHS-DAG: region down:{{.*}} path gpu
// PATHS-NOT: path host: an array
//--- compare
cd $1
for what in 1 2 3 4 5 6 0; do
  ./plain $what > expected; wanted=$?
  env WARPLOOM_DEVICE=gpu WARPLOOM_TIMING=1 ./made $what > out 2> paths; got=$?
  diff out expected && [ $got = $wanted ] || { echo "case $what: $got, not $wanted"; cat paths; exit 1; }
  env WARPLOOM_DEVICE=host ./made $what > out; got=$?
  diff out expected && [ $got = $wanted ] || exit 1
done
//--- e.c
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
static void die(const char* what, int at) {
  printf("%s at %d\n", what, at);
  exit(3);
}
static void roots(int n, const double* x, double* y) {
  for (int i = 0; i < n; i++) {
    if (x[i] < 0) {
      printf("negative: %g at %d\n", x[i], i);
      exit(1);
    }
    y[i] = sqrt(x[i]);
  }
}
static int inverses(int n, const double* x, const double* z, double* y) {
  int i;
  for (i = 0; i < n; i++) {
    double d = x[i] - z[i];
    if (d == 0) return -i - 1;
    double e = x[i] + z[i];
    if (fabs(e) < 1e-9) {
      printf("sum %g\n", e);
      return i + 1;
    }
    y[i] = 1 / d + 1 / e;
  }
  return i + 1000;
}
static void gather(int n, int m, const int* index, const double* from, double* to) {
  for (int i = 0; i < n; i++) {
    to[i] = 0;
    if (index[i] < 0 || index[i] >= m) die("bad index", i);
    for (int k = 0; k < 3; k++) to[i] += from[index[i]] * k;
  }
}
static int down(int n, const double* x, double* y) {
  for (int i = n - 1; i >= 0; i--) {
    if (x[i] > 1e6) return i;
    y[i] += x[i];
  }
  return -1;
}
static void worked(int n, double* x) { // what is looked at has just been computed
  for (int i = 0; i < n; i++) {
    x[i] = x[i] * 2 - 1;
    if (x[i] < -1e9) abort();
  }
}
static double *x, *y, *z;
static int* at;
static void show(void) {
  double s = 0;
  for (volatile int i = 0; i < 5000; i++) s += y[i] * (i % 3 + 1);
  printf("%.8g\n", s);
}
int main(int argc, char** argv) {
  const int what = argc > 1 ? atoi(argv[1]) : 0;
  x = malloc(5000 * sizeof *x), y = calloc(5000, sizeof *y), z = malloc(5000 * sizeof *z);
  at = malloc(5000 * sizeof *at);
  atexit(show);
  for (volatile int i = 0; i < 5000; i++) x[i] = i % 977 + 1, z[i] = -i - 5, at[i] = i * 37 % 5000;
  if (what == 1) x[4000] = -4;
  if (what == 2) z[3000] = x[3000];
  if (what == 3) z[2000] = -x[2000], z[2001] = x[2001];
  if (what == 4) at[700] = 7000;
  if (what == 5) x[123] = 1e7;
  if (what == 6) x[0] = -1;
  roots(5000, x, y), show();
  printf("%d\n", inverses(5000, x, z, y)), show();
  gather(5000, 5000, at, x, y), show();
  printf("%d\n", down(5000, x, y)), show();
  worked(5000, x);
  return 0;
}
