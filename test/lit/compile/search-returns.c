// Searches that leave the function where they have found something: a kernel finds where, and the user's own statement leaves. Its text stands a second time,
// behind the loop; where it cannot, the search stays as it was.
// RUN: rm -rf %t && split-file %s %t
// RUN: %warploom compile %t/s.c -o %t/s.cu 2>&1 | FileCheck --check-prefix=SAID %s
// SAID-DAG: the region comment:{{[0-9]+}} stays as it was
// SAID-DAG: the region label:{{[0-9]+}} stays as it was
// RUN: FileCheck --check-prefix=HOST --input-file=%t/s.host.c %s
// HOST: int find(
// HOST: for (int i = 0; i < n; i++)
// HOST-NEXT: if (p[i] == key) return i; } else if (warploom_i < (n)) { int i = warploom_i; (void)i; return i; } }
// HOST: int outer(
// HOST: } else if (i < (n)) { { say(i); return i * 2; } } }
//
// RUN: %warploom build %t/s.c -o %t/prog --target cpu --sanitize -- -w 2> /dev/null
// RUN: cc -O1 -w %t/s.c -o %t/plain && %t/plain > %t/expected
// RUN: env WARPLOOM_DEVICE=gpu WARPLOOM_TIMING=1 %t/prog > %t/out 2> %t/paths && diff %t/out %t/expected && FileCheck --check-prefix=PATHS --input-file=%t/paths %s
// PATHS-DAG: region find:{{.*}} path gpu
// PATHS-DAG: region outer:{{.*}} path gpu
// PATHS-DAG: region last:{{.*}} path gpu
// PATHS-DAG: region below:{{.*}} path gpu
// PATHS-DAG: region upTo:{{.*}} path gpu
// PATHS-DAG: region own:{{.*}} path gpu
// RUN: env WARPLOOM_DEVICE=host %t/prog > %t/out && diff %t/out %t/expected
//--- s.c
#include <stdio.h>
static void say(int i) { fprintf(stdout, "at %d\n", i); }
int find(int n, const int* p, int key) {
  for (int i = 0; i < n; i++)
    if (p[i] == key) return i;
  return -1;
}
int outer(int n, const int* p, int key) {
  int i;
  for (i = 0; i < n; i++)
    if (p[i] == key) {
      say(i);
      return i * 2;
    }
  return i + 100000;
}
int last(int n, const int* p, int key) {
  for (int i = n - 1; i >= 0; --i)
    if (p[i] == key) return i;
  return -1;
}
int below(long n, const double* x, double most) {
  for (long k = 0; k < n; k++)
    if (!(x[k] < most)) return 0;
  return 1;
}
void upTo(unsigned n, const int* p, int* out) {
  for (unsigned i = 3; i <= n; i++)
    if (p[i] < 0) {
      *out = (int)i;
      return;
    }
  *out = -7;
}
int own(int n, const int* p) {
  for (int i = 0; i < n; i++) {
    int twice = p[i] * 2;
    if (twice > 1000) return twice;
  }
  return 0;
}
int comment(int n, const int* p) {
  for (int i = 0; i < n; i++)
    if (p[i] == 3) {
      return 3; // as wanted
    }
  return 0;
}
int label(int n, const int* p) {
  for (int i = 0; i < n; i++)
    if (p[i] == 3) {
      if (n == 77) goto end;
      say(5);
    end:
      return 3;
    }
  return 0;
}
static int p[5000];
static double x[5000];
int main(void) {
  int out;
  for (volatile int i = 0; i < 5000; i++) p[i] = i % 977, x[i] = i;
  for (volatile int key = 5; key < 3000; key += 970) printf("%d %d %d\n", find(5000, p, key), outer(5000, p, key), last(5000, p, key));
  printf("%d %d %d\n", find(0, p, 1), outer(0, p, 1), last(1, p, 0));
  upTo(4000, p, &out), printf("%d\n", out);
  p[4000] = -5, upTo(4000, p, &out), printf("%d\n", out);
  printf("%d %d %d\n", below(5000, x, 1e9), below(5000, x, 777), below(5000, x, 0));
  printf("%d %d %d\n", own(5000, p), comment(5000, p), label(5000, p));
  return 0;
}
