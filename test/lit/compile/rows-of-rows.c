// Rows that consist of shorter ones, `C` of `heads` times `size`: exact where C is their product, else the original loops run.
// RUN: %warploom compile %s -o %t.cu --explain -- -w 2>&1 | FileCheck %s
// CHECK: loop 'h' is spread over the grid of kernel mix_{{[0-9]+}}: parallel only if heads*size == C
// CHECK: 3 of 3 regions
// RUN: gcc -w %s -o %t.ref && %t.ref > %t.expected
// RUN: %warploom build %s -o %t.made --target cpu --sanitize -- -w
// RUN: env WARPLOOM_DEVICE=gpu WARPLOOM_TIMING=1 %t.made 2> %t.times > %t.out && cmp %t.expected %t.out
// RUN: FileCheck --check-prefix=PATH %s < %t.times
// PATH: region mix:{{.*}} path gpu
// PATH: region mix:{{.*}} path host:heads_size == C does not hold
#include <stdio.h>
#include <stdlib.h>

void mix(int n, int C, int heads, float *restrict out, const float *restrict in) {
  int size = C / heads;
  for (int t = 0; t < n; t++)
    for (int h = 0; h < heads; h++) {
      const float *from = in + t * 2 * C + C + h * size;
      float *to = out + t * C + h * size;
      float sum = 0;
      for (int i = 0; i < size; i++) sum += from[i];
      for (int i = 0; i < size; i++) to[i] = from[i] - sum;
    }
}

static void show(int n, int C, int heads) {
  float *out = calloc(n * C, sizeof *out), *in = malloc(2 * n * C * sizeof *in), sum = 0;
  for (int i = 0; i < 2 * n * C; i++) in[i] = i % 17;
  mix(n, C, heads, out, in);
  for (int i = 0; i < n * C; i++) sum += out[i] * (i % 5);
  printf("%g\n", sum);
  free(out);
  free(in);
}

int main(void) {
  show(40, 24, 4);
  show(40, 22, 4); // 22 is no multiple of 4: the launcher finds out
  return 0;
}
