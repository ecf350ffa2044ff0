// A sweep over a window: blocks copy their tile with a halo to shared memory; the window's weights, of which all
// threads read the same one, are in constant memory.
// RUN: %warploom compile %s -o %t.cu && FileCheck --input-file=%t.cu %s
// CHECK: #define WARPLOOM_SWEEP_Y {{[0-9]+}}
// CHECK: static_assert(SWEEP_Y % BLOCK_Y == 0
// CHECK: static __constant__ float blur_{{[0-9]+}}_weight[5 * 3];
// CHECK: in through shared
// CHECK: float in_tile[SWEEP_Y + 4][BLOCK_X + 2];
// CHECK: for (Index [[I0:[a-z0-9]+]] = 2 + blockIdx.y * Index(SWEEP_Y);
// CHECK: for (Index [[J0:[a-z0-9]+]] = 1 + blockIdx.x * Index(BLOCK_X);
// Every thread copies some elements, neighbours neighbouring ones, where the footprint is larger than the block.
// CHECK: for (int first = 0; first < (SWEEP_Y + 4) * (BLOCK_X + 2); first += BLOCK_X * BLOCK_Y) {
// CHECK-NEXT: const int t = first + thread;
// CHECK: t < (SWEEP_Y + 4) * (BLOCK_X + 2)
// CHECK-NEXT: const Index row = [[I0]] - 2 + t / (BLOCK_X + 2);
// CHECK-NEXT: const Index column = [[J0]] - 1 + t % (BLOCK_X + 2);
// CHECK-NEXT: in_tile[t / (BLOCK_X + 2)][t % (BLOCK_X + 2)] = in[row * m + column];
// CHECK: __syncthreads();
// CHECK: out[i * m + j] = sum;
// At the edges the copy is cut off where the points read nothing.
// CHECK: else {
// CHECK: in_tile[t / (BLOCK_X + 2)][t % (BLOCK_X + 2)] = {{.*}}column < m{{.*}}row < n{{.*}}?
// CHECK: __syncthreads();
// No barrier where threads part ways: the guard of the edge comes after it, and ends before the next.
// CHECK: if ({{.*j.*i.*}}) {
// CHECK: __syncthreads();
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK: region.copyToConstant(blur_{{[0-9]+}}_weight, weight, weight_size * sizeof(float));
//
// RUN: %exits 0 %warploom verify %s --target cpu --sanitize -o %t.prog --arg 64 --arg 96 | FileCheck --check-prefix=SAME %s
// RUN: %exits 0 %t.prog 67 131 | FileCheck --check-prefix=SAME %s
// RUN: %exits 0 %t.prog 5 3 | FileCheck --check-prefix=SAME %s
// RUN: %exits 0 %t.prog 1 1 | FileCheck --check-prefix=SAME %s
// SAME: , 0 mismatches
//
// SHOWS: CH-26 CH-27 CH-28 CH-30 MF-52 MF-78 RT-57
#include <stdlib.h>

static float weight[5][3];

void blur(int n, int m, float in[restrict n][m], float out[restrict n][m]) {
  for (int i = 2; i < n - 2; i++)
    for (int j = 1; j < m - 1; j++) {
      float sum = 0;
      for (int k = -2; k <= 2; k++)
        for (int l = -1; l <= 1; l++)
          sum += in[i + k][j + l] * weight[k + 2][l + 1];
      out[i][j] = sum;
    }
}

int main(int argc, char** argv) {
  int n = atoi(argv[1]), m = atoi(argv[2]);
  float(*in)[m] = calloc(n, sizeof *in), (*out)[m] = calloc(n, sizeof *out);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) in[i][j] = (float)((3 * i + j) % 23);
  for (int i = 0; i < 15; i++) weight[i / 3][i % 3] = (float)i;
  blur(n, m, in, out);
  free(in);
  free(out);
  return argc < 3;
}
