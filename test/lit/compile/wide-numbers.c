// Indices of 32 bits are for loops whose numbers leave room for them: not where constants in bounds, conditions, strides or subscripts
// are large, nor where what is compared is a size many times over.
// RUN: rm -rf %t && split-file %s %t
// RUN: %warploom build %t/wide.c -o %t/made --target cpu --sanitize 2> /dev/null
// RUN: cc -O1 %t/wide.c -o %t/plain && %t/plain > %t/expected
// RUN: env WARPLOOM_DEVICE=gpu WARPLOOM_TIMING=1 %t/made 2> %t/paths > %t/out && diff %t/out %t/expected
// RUN: FileCheck --check-prefix=PATHS %s < %t/paths
// PATHS-DAG: region far:{{.*}} path gpu
// PATHS-DAG: region end:{{.*}} path gpu
// PATHS-DAG: region share:{{.*}} path gpu
// RUN: %warploom compile %t/wide.c -o %t/wide.cu 2> /dev/null && FileCheck --check-prefix=TEXT %s < %t/wide.cu
// TEXT-LABEL: int warploom_wide_far
// TEXT-NOT: fitInt
// TEXT-LABEL: int warploom_wide_end
// TEXT-NOT: fitInt
// TEXT-LABEL: int warploom_wide_share
// TEXT: if (warploom::fitInt({n}, {{.*}}, 1000)) kernels(0);
// TEXT-LABEL: int warploom_wide_near
// TEXT: if (warploom::fitInt({n}, {{[^,]*}})) kernels(0);
//
// Steps may bring such numbers, too, up to where nothing can compute with them.
// RUN: %warploom build %t/steps.c --recipe %t/scaled.lua -o %t/made --target cpu --sanitize 2> /dev/null
// RUN: cc -O1 %t/steps.c -o %t/plain && %t/plain > %t/expected
// RUN: env WARPLOOM_DEVICE=gpu %t/made > %t/out && diff %t/out %t/expected
// RUN: %exits 1 %warploom compile %t/steps.c --recipe %t/huge.lua -o %t/no.cu 2>&1 | FileCheck --check-prefix=HUGE %s
// HUGE: huge.lua:3: {{.*}}too large
// RUN: %exits 1 %warploom compile %t/steps.c --recipe %t/nan.lua -o %t/no.cu 2>&1 | FileCheck --check-prefix=NAN %s
// NAN: nan.lua:3: {{.*}}`NaN` is not affine
//
// Elements beyond what 32 bits can count.
// SHOWS: MF-68
// RUN: %warploom compile %t/extents.c -o %t/extents.cu 2> /dev/null && FileCheck --check-prefix=FAR %s < %t/extents.cu
// FAR: part_{{[0-9]+}}(Index from, Index n,
// FAR-NOT: kernels(0);
// FAR: kernels(0L);
// RUN: %warploom build %t/extents.c -o %t/made --target cpu 2> /dev/null
// RUN: cc -O1 %t/extents.c -o %t/plain && %t/plain > %t/expected
// RUN: env WARPLOOM_DEVICE=gpu WARPLOOM_TIMING=1 %t/made 2> %t/paths > %t/out && diff %t/out %t/expected
// RUN: FileCheck --check-prefix=TWICE %s < %t/paths
// TWICE: region part:{{.*}} launches 2 path gpu
//--- extents.c
#include <stdio.h>
#include <stdlib.h>
void part(long from, long n, signed char *restrict x) {
  for (long i = from; i < n; i++) x[i] += i % 7;
}
int main(void) {
  long n = 2147483648L + 1000, sum = 0;
  signed char *x = calloc(n, 1);
  part(0, 1000, x);
  part(n - 900, n, x);
  for (long i = 0; i < 1000; i++) sum = sum * 31 % 1000003 + x[i] + 2 * x[n - 1 - i] + printf("");
  printf("%ld\n", sum);
  free(x);
  return 0;
}
//--- wide.c
#include <stdio.h>
static int b[300];
static unsigned char marks[3000000];
void far(int n) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      if (i * 100000000L + j > 3000000007L) b[j] += i;
}
int end(const int* a) {
  int s = 0;
  for (int i = 2147483647 - 10; i < 2147483647; i++) s += a[i - (2147483647 - 10)];
  return s;
}
void share(int n) {
  for (int i = 0; i < n; i++)
    if ((long)i * 1000 < (long)n * 333) marks[i] = 1;
}
void near(int n) {
  for (int i = 0; i < n; i++) b[i] += 2 * i;
}
int main(void) {
  far(61);
  share(3000000);
  near(300);
  unsigned h = end(b);
  for (int i = 0; i < 300; i++) h = h * 31 + b[i];
  long s = 0;
  for (int i = 0; i < 3000000; i++) s += marks[i];
  printf("%u %ld\n", h, s);
  return 0;
}
//--- steps.c
#include <stdio.h>
static double b[6000];
void f(int n) {
  for (int i = 0; i < n; i++) b[i] = 2 * i;
}
int main(void) {
  f(6000);
  double s = 0;
  for (volatile int i = 0; i < 6000; i++) s += b[i] * (i % 7);
  printf("%g\n", s);
  return 0;
}
//--- scaled.lua
init("steps.c", "f", 0)
scale("i", 1048576)
map_to_grid({"i"})
//--- huge.lua
init("steps.c", "f", 0)

shift({"S0"}, "i", "99999999999999999999")
//--- nan.lua
init("steps.c", "f", 0)

split("i", "NaN")
