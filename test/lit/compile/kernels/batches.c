// Products that are parts of other nests, and more parallel loops than the grid has axes: what is neither row nor column is counted together
// along z. Rows of several arrays in one (a query, a key and a value for each token) are some apart in memory, but not in tiles; scalars
// between two parts get copies, which are elements like others.
// RUN: %warploom compile %s -o %t.cu -- -w && FileCheck %s < %t.cu
// RUN: gcc -w %s -o %t.ref -lm && %t.ref > %t.expected
// RUN: %warploom run %s --target cpu --sanitize -- -w > %t.out && cmp %t.expected %t.out
// RUN: %warploom verify %s --target cpu --sanitize -- -w -DWARPLOOM_TILE_X=16 -DWARPLOOM_TILE_Y=8 -DWARPLOOM_TILE_K=8 -DWARPLOOM_ITEMS_X=4 -DWARPLOOM_ITEMS_Y=2 2>&1 | FileCheck --check-prefix=RIGHT %s
// RIGHT: 0 mismatches
#include "Inputs/filled.h"

// Scores, then the greatest and what is beside it, then values.
// CHECK: // attend, line {{[0-9]+}}: loop b{{.*}}, loop h{{.*}} together over blocks along z, loop t{{.*}} in tiles of TILE_Y over y, loop
// CHECK-NEXT: // u in tiles of TILE_X over x; qkv through shared memory; dot in registers.
// CHECK: float qkv_tile[2][Tiles::TILE_K][warploom::oddMultiple(Tiles::TILE_Y, 4)];
// CHECK: for (Index number = blockIdx.z; number < B * H; number += gridDim.z)
// CHECK-NEXT: const Index b = number / H;
// CHECK-NEXT: const Index h = number % H;
// Rows of a tile are as far apart as they are; at the edge of the triangle some at the beginning or the end are not there.
// CHECK: } else {
// CHECK-NEXT: warploom::copyTransposed<Tiles::TILE_Y, Tiles::THREADS_X * Tiles::THREADS_Y>(thread,
// CHECK-NEXT: qkv_tile[buffer ^ 1], &qkv[{{.*}}], 3 * H * D, T - t0,
// CHECK-NEXT: D - next, u0 - t0, 0);
// CHECK: warploom::smaller(T - u0, t0 - u0 + Tiles::TILE_Y), D - next);
// CHECK: // attend, line {{[0-9]+}}: {{.*}} over warps
// CHECK: // attend, line {{[0-9]+}}: {{.*}} together over blocks along z, loop t{{.*}} in tiles of TILE_Y over y,
// CHECK: qkv, w through shared memory; out in registers.
void attend(int B, int H, int T, int D, float qkv[B][T][3][H][D], float w[B][H][T][T], float out[B][H][T][D]) {
  for (int b = 0; b < B; b++)
    for (int h = 0; h < H; h++)
      for (int t = 0; t < T; t++) {
        float most = -1e30f;
        for (int u = 0; u <= t; u++) {
          float dot = 0;
          for (int i = 0; i < D; i++) dot += qkv[b][t][0][h][i] * qkv[b][u][1][h][i];
          dot *= 2;
          if (dot > most) most = dot;
          w[b][h][t][u] = dot;
        }
        for (int u = 0; u <= t; u++) w[b][h][t][u] -= most;
        for (int i = 0; i < D; i++) out[b][h][t][i] = 0;
        for (int u = 0; u <= t; u++)
          for (int i = 0; i < D; i++) out[b][h][t][i] += w[b][h][t][u] * qkv[b][u][2][h][i];
      }
}

// The same of an array that is one row of numbers.
// CHECK: // rows, line {{[0-9]+}}: loop b, loop h together over blocks along z, loop u in tiles of TILE_Y over y, loop i in
// CHECK: &qkv[((b * (3 * T) + (3 * next + 1)) * H + h) * D + i0], 3 * H * D);
void rows(int B, int H, int T, int D, float *restrict dv, const float *restrict w, const float *restrict qkv) {
  for (int b = 0; b < B; b++)
    for (int h = 0; h < H; h++)
      for (int t = 0; t < T; t++)
        for (int u = 0; u < T; u++)
          for (int i = 0; i < D; i++)
            dv[((b * T + u) * H + h) * D + i] += w[((b * H + h) * T + t) * T + u] * qkv[((b * 3 * T + 3 * t + 1) * H + h) * D + i];
}

// CHECK: // scores, line {{[0-9]+}}: loop b, loop h together over blocks along z, loop t in tiles of TILE_Y over y, loop u in
void scores(int B, int H, int T, int D, float dw[B][H][T][T], float v[B][H][T][D], float d[B][H][T][D]) {
  for (int b = 0; b < B; b++)
    for (int h = 0; h < H; h++)
      for (int t = 0; t < T; t++)
        for (int u = 0; u <= t; u++)
          for (int i = 0; i < D; i++) dw[b][h][t][u] += v[b][h][u][i] * d[b][h][t][i];
}

// Tiles of a loop `r` begin at `or`, which isl would take for a word of its own.
// CHECK: // joined, line {{[0-9]+}}: loop p in tiles of TILE_Y over y, loop r in tiles of TILE_X over x
void joined(int n, int m, int l, float a[n][m], float b[m][l], float c[n][l]) {
  for (int p = 0; p < n; p++)
    for (int r = 0; r < l; r++)
      for (int q = 0; q < m; q++) c[p][r] += a[p][q] * b[q][r];
}

int main(void) {
  const int B = 2, H = 3, T = 37, D = 35, n = B * H * T * D, s = B * H * T * T;
  float *qkv = filled(3 * n, 1), *v = filled(n, 3), *d = filled(n, 4), *w = filled(s, 5), *out = filled(n, 6);
  attend(B, H, T, D, (void *)qkv, (void *)w, (void *)out);
  show("out", out, n);
  show("w", w, s);
  rows(B, H, T, D, out, w, qkv);
  show("dv", out, n);
  scores(B, H, T, D, (void *)w, (void *)v, (void *)d);
  show("dw", w, s);
  joined(37, 33, 41, (void *)v, (void *)d, (void *)out);
  show("c", out, n);
  attend(1, 1, 1, 1, (void *)qkv, (void *)w, (void *)out);
  attend(1, 0, 5, 2, (void *)qkv, (void *)w, (void *)out);
  printf("%g\n", out[0]);
  return 0;
}
