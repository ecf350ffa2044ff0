// Where all bounds are numbers a strategy of the generator is taken if it is expected to be much faster than what
// compile has of its own, with the sizes that the model likes. It is a recipe like any other.
// RUN: %warploom compile %s -o %t.cu --emit-recipe %t.lua --explain 2>&1 | FileCheck --check-prefix=SAID %s
// SAID: region bodies:{{.*}}; nest 'i' as line_[[NAME:[a-z_0-9-]+]], of what is expected to take flat {{.*}}s, common {{.*}}s, line_[[NAME]] {{.*}}s
// RUN: FileCheck --check-prefix=STEPS --input-file=%t.lua %s
// STEPS: tile_by_index({"i"}, {{{[0-9]+}}}, {l1_control="ii"}, {"ii", "i"})
// STEPS: copy_to_shared("jj", "source", 1, 2)
// STEPS: copy_to_registers("ii", "force")
// RUN: %warploom compile %s -o %t.2.cu --recipe %t.lua && cmp %t.cu %t.2.cu
// RUN: %exits 0 %warploom verify %s --target cpu --sanitize -- -lm | FileCheck --check-prefix=SAME %s
// SAME: verify: region bodies:{{.*}} array force max abs {{.*}} ok
// SAME: , 0 mismatches
#include <math.h>
#include <stdio.h>
#define N 3000
float source[4 * N], body[4 * N], force[4 * N];

void bodies(void) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      float dx = source[4 * j] - body[4 * i], dy = source[4 * j + 1] - body[4 * i + 1];
      float dz = source[4 * j + 2] - body[4 * i + 2];
      float inverse = 1 / sqrtf(dx * dx + dy * dy + dz * dz + 0.25f);
      float weight = body[4 * i + 3] * inverse * inverse * inverse;
      force[4 * i] += dx * weight;
      force[4 * i + 1] += dy * weight;
      force[4 * i + 2] += dz * weight;
    }
}

int main(void) {
  for (int i = 0; i < 4 * N; i++) {
    source[i] = (float)(i * 7 % 13) * 0.5f;
    body[i] = (float)(i * 5 % 11) * 0.25f;
  }
  bodies();
  double sum = 0;
  for (int i = 0; i < 4 * N; i++)
    sum += force[i] * (i % 7);
  printf("%g\n", sum);
  return 0;
}
