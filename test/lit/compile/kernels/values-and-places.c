// A global number that loops read may be one that they write, through a pointer. It goes to kernels as a value; launchers ask
// where it lies.
// RUN: %warploom compile %s -o %t.cu 2>&1 | FileCheck --check-prefix=SAID --allow-empty %s
// RUN: FileCheck %s --input-file %t.cu
// RUN: cc -O1 %s -o %t.plain
// RUN: %t.plain > %t.expected
// RUN: %warploom build %s --target cpu --sanitize -o %t 2>/dev/null
// RUN: env WARPLOOM_DEVICE=gpu WARPLOOM_TIMING=1 %t > %t.out 2> %t.path
// RUN: cmp %t.out %t.expected
// RUN: FileCheck --check-prefix=PATH --input-file %t.path %s
// SAID-NOT: region {{(amplify|clip)}}:{{.*}} stays
#include <stdio.h>

float gain = 2;
double most = 40;

// CHECK: extern "C" int warploom_values_and_places_amplify_{{[0-9]+}}({{.*}}float gain, {{.*}}float* x, const void* place_of_gain)
// CHECK: if (warploom::overlap({{.*}}place_of_gain, sizeof(float){{.*}}return region.stayOnHost("{{gain and x|x and gain}} overlap");
// PATH: region amplify:{{.*}} path gpu
// PATH: region amplify:{{.*}} path host:{{.*}} overlap
void amplify(float *x, int n) {
  for (int i = 0; i < n; i++) x[i] = x[i] * gain + i;
}

// PATH: region clip:{{.*}} path gpu
void clip(double *x, int n) {
  for (int i = 0; i < n; i++)
    if (x[i] > most) x[i] = most;
}

int main(void) {
  enum { N = 3000 };
  static float x[N];
  static double y[N];
  for (int i = 0; i < N; i++) x[i] = i % 7, y[i] = i % 61;
  amplify(x, N);
  amplify(&gain, 1);
  double sum = gain;
  for (int i = 0; i < N; i++) sum += x[i] * (i % 5);
  printf("%.3f\n", sum);
  clip(y, N);
  sum = 0;
  for (int i = 0; i < N; i++) sum += y[i] * (i % 5);
  printf("%.3f\n", sum);
  return 0;
}
