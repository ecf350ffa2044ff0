// One text, specialised by its constants when it is compiled: loops over them are written out, and what they index
// is in registers. A thread with n by n results has about n * n times as many multiplications in its code.
// REQUIRES: cuda
// RUN: %warploom compile %s -o %t.cu -- -std=gnu11
// RUN: %nvcc -ptx -arch=sm_80 -std=c++17 -I %source/runtime -DWARPLOOM_TILE_X=32 -DWARPLOOM_TILE_Y=32 -DWARPLOOM_ITEMS_X=1 -DWARPLOOM_ITEMS_Y=1 -DWARPLOOM_FEW_ITEMS_X=1 -DWARPLOOM_FEW_ITEMS_Y=1 %t.cu -o %t.1.ptx
// RUN: %nvcc -ptx -arch=sm_80 -std=c++17 -I %source/runtime -DWARPLOOM_TILE_X=32 -DWARPLOOM_TILE_Y=32 -DWARPLOOM_ITEMS_X=2 -DWARPLOOM_ITEMS_Y=2 -DWARPLOOM_FEW_ITEMS_X=2 -DWARPLOOM_FEW_ITEMS_Y=2 %t.cu -o %t.2.ptx
// RUN: %nvcc -ptx -arch=sm_80 -std=c++17 -I %source/runtime -DWARPLOOM_TILE_X=32 -DWARPLOOM_TILE_Y=32 -DWARPLOOM_ITEMS_X=4 -DWARPLOOM_ITEMS_Y=4 -DWARPLOOM_FEW_ITEMS_X=4 -DWARPLOOM_FEW_ITEMS_Y=4 %t.cu -o %t.4.ptx
// RUN: %python -c "import sys; one, two, four = (open(f).read() for f in sys.argv[1:]); count = lambda t: t.count('fma.rn.f32'); print(count(two) > 3 * count(one), count(four) > 3 * count(two), '.local' in four)" %t.1.ptx %t.2.ptx %t.4.ptx | FileCheck %s
// CHECK: True True False
// RUN: %warploom verify %s --sanitize --arg 37 -- -std=gnu11 -DWARPLOOM_TILE_X=16 -DWARPLOOM_TILE_Y=16 -DWARPLOOM_ITEMS_X=4 -DWARPLOOM_ITEMS_Y=4 -DWARPLOOM_FEW_TILE_X=16 -DWARPLOOM_FEW_TILE_Y=16 -DWARPLOOM_FEW_ITEMS_X=4 -DWARPLOOM_FEW_ITEMS_Y=4 | FileCheck --check-prefix=SAME %s
// SAME: region product:{{.*}} array C {{.*}} ok
// SAME: 0 mismatches
// SHOWS: MF-65
#include <stdio.h>
#include <stdlib.h>
void product(int n, float A[restrict n][n], float B[restrict n][n], float C[restrict n][n]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        C[i][j] += A[i][k] * B[k][j];
}
int main(int argc, char** argv) {
  int n = atoi(argv[argc - 1]);
  float(*a)[n] = malloc(n * sizeof *a), (*b)[n] = malloc(n * sizeof *b), (*c)[n] = calloc(n, sizeof *c);
  for (int i = 0; i < n * n; i++) a[0][i] = i % 7 - printf(""), b[0][i] = i % 5;
  product(n, a, b, c);
  printf("%g\n", c[1][2]);
  return 0;
}
