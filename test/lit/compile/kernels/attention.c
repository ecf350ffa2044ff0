// Attention to a few keys and its like: a warp for a query, whose lanes share the keys or the channels, whichever is better; four parallel
// loops, counted together where each has its own number of iterations, else with lanes for the last; and a product over two sequential
// loops. Where there are as many keys as queries: batches.c.
// RUN: %warploom compile %s -o %t.cu -- -w && FileCheck %s < %t.cu
// RUN: gcc -w %s -o %t.ref -lm && %t.ref > %t.expected
// RUN: %warploom run %s --target cpu --sanitize -- -w > %t.out && cmp %t.expected %t.out
// RUN: %warploom verify %s --target cpu --sanitize -- -w 2>&1 | FileCheck --check-prefix=RIGHT %s
// RIGHT: 0 mismatches
#include "Inputs/filled.h"

// CHECK: // attend, line {{[0-9]+}}: loop b over blocks along z, loop h over blocks along y, loop t over warps, loop u by the
// CHECK: float most_part
// CHECK-NEXT: for (Index u = threadIdx.x; u < K; u += LANES)
// CHECK: for (Index i = 0; i < D; ++i)
// CHECK: most_part = warploom::warpReduceAll(most_part, warploom::Maximum());
// CHECK: __syncwarp();
// CHECK: for (Index i = threadIdx.x; i < D; i += LANES)
// CHECK-NEXT: out{{.*}} = 0;
// CHECK: for (Index i = threadIdx.x; i < D; i += LANES)
// CHECK-NEXT: for (Index u = 0; u < K; ++u)
void attend(int B, int H, int T, int K, int D, float q[B][H][T][D], float k[B][H][K][D], float v[B][H][K][D], float w[B][H][T][K],
            float out[B][H][T][D]) {
  for (int b = 0; b < B; b++)
    for (int h = 0; h < H; h++)
      for (int t = 0; t < T; t++) {
        float most = -1e30f;
        for (int u = 0; u < K; u++) {
          float dot = 0;
          for (int i = 0; i < D; i++) dot += q[b][h][t][i] * k[b][h][u][i];
          if (dot > most) most = dot;
          w[b][h][t][u] = dot;
        }
        for (int u = 0; u < K; u++) w[b][h][t][u] -= most;
        for (int i = 0; i < D; i++) out[b][h][t][i] = 0;
        for (int u = 0; u < K; u++)
          for (int i = 0; i < D; i++) out[b][h][t][i] += w[b][h][t][u] * v[b][h][u][i];
      }
}

// CHECK: // scaled, line {{[0-9]+}}: loop b, loop h, loop u, loop i together over x.
void scaled(int B, int H, int T, int D, float dv[B][H][T][D], float w[B][H][T], float d[B][H][T][D]) {
  for (int b = 0; b < B; b++)
    for (int h = 0; h < H; h++)
      for (int t = 0; t < T; t++)
        for (int u = 0; u < T; u++)
          for (int i = 0; i < D; i++) dv[b][h][u][i] += w[b][h][t] * d[b][h][t][i];
}

// CHECK: // powers, line {{[0-9]+}}: loop b over blocks along z, loop h over blocks along y, loop t over warps, loop u by the
void powers(int B, int H, int T, int D, float dw[B][H][T][T], float d[B][H][T][D]) {
  for (int b = 0; b < B; b++)
    for (int h = 0; h < H; h++)
      for (int t = 0; t < T; t++)
        for (int u = 0; u <= t; u++)
          for (int i = 0; i < D; i++) dw[b][h][t][u] = dw[b][h][t][u] * 0.5f + d[b][h][t][i];
}

// CHECK: // weights, line {{[0-9]+}}: loop o in tiles of TILE_Y over y, loop c in tiles of TILE_X over x
// CHECK: for (Index b = 0; b < B; ++b)
// CHECK-NEXT: for (Index t0 = -Tiles::TILE_K, next = 0, buffer = 0; t0 < T;
void weights(int B, int T, int C, int O, float dw[O][C], float x[B][T][C], float dy[B][T][O]) {
  for (int o = 0; o < O; o++)
    for (int b = 0; b < B; b++)
      for (int t = 0; t < T; t++)
        for (int c = 0; c < C; c++) dw[o][c] += x[b][t][c] * dy[b][t][o];
}

int main(void) {
  const int B = 2, H = 3, T = 37, D = 35, n = B * H * T * D, s = B * H * T * T;
  float *q = filled(n, 1), *k = filled(n, 2), *v = filled(n, 3), *d = filled(n, 4), *w = filled(s, 5), *out = filled(n, 6);
  attend(B, H, T, 33, D, (void *)q, (void *)k, (void *)v, (void *)w, (void *)out);
  show("out", out, n);
  scaled(B, H, T, D, (void *)out, (void *)w, (void *)d);
  show("dv", out, n);
  powers(B, H, T, D, (void *)w, (void *)d);
  show("dw", w, s);
  weights(B, T, D, 45, (void *)filled(45 * D, 7), (void *)q, (void *)filled(B * T * 45, 8));
  float *sum = filled(45 * D, 7);
  weights(B, T, D, 45, (void *)sum, (void *)q, (void *)filled(B * T * 45, 8));
  show("sum", sum, 45 * D);
  return 0;
}
