// Nests that several strategies are for: the model says which. Points of a sweep below each other share a thread, rows
// of a transpose go through shared memory, and so does what all threads read in the same loop; where tiles would be few,
// threads have one point. Each is right at sizes that tiles do not divide, and at ones that do not fill a tile.
// RUN: %warploom compile %s -o %t.cu --explain 2>&1 | FileCheck --check-prefix=SAID %s
// RUN: FileCheck --input-file=%t.cu %s
// SAID-DAG: region sweep:{{.*}}; nest 'i' as stacks, of what is expected to take strips {{.*}}s, flat {{.*}}s, stacks {{.*}}s
// SAID-DAG: region transpose:{{.*}}; nest 'j' as turned, of what is expected to take flat {{.*}}s, turned {{.*}}s
// SAID-DAG: region forces:{{.*}}; nest 'i' as common, of what is expected to take flat {{.*}}s, common {{.*}}s
// SAID-DAG: region waves:{{.*}}; nest 'i' as common, of what is expected to take flat {{.*}}s, common {{.*}}s
// CHECK: struct ManyTiles {
// CHECK: static constexpr int STACK_Y = BLOCK_Y * STACK;
// CHECK: struct FewTiles {
// CHECK: // sweep, line {{[0-9]+}}: loop i in tiles of STACK_Y over y, loop j in tiles of BLOCK_X over x.
// In whole tiles there are no guards between points that read the same.
// CHECK: if (m >= BLOCK_X + {{.*}}Tiles::STACK_Y
// CHECK: for (int ry = 0; ry < Tiles::STACK; ++ry) {
// CHECK-NEXT: = {{.*}} + threadIdx.y * Tiles::STACK + ry;
// CHECK-NEXT: threadIdx.x;
// CHECK-NEXT: b[i * m + j] =
// CHECK: // transpose, line {{[0-9]+}}: {{.*}}; a through shared
// CHECK: a_tile[BLOCK_X][warploom::coprime(Tiles::STACK_Y, 32)];
// CHECK: // forces, line {{[0-9]+}}: loop i in tiles of LINE over x; charge through shared memory; force in registers.
// CHECK: charge_tile[2][Tiles::TILE_K];
// CHECK: warploom::launchTiles<ManyTiles, ManyTiles, FewTiles>
// CHECK: // waves, line {{[0-9]+}}: loop i in tiles of LINE over x; wave through shared memory; at, im, re in registers.
//
// RUN: %exits 0 %warploom verify %s --target cpu --sanitize -o %t.prog --arg 130 --arg 70 -- -lm | FileCheck --check-prefix=SAME %s
// RUN: %exits 0 %t.prog 64 32 | FileCheck --check-prefix=SAME %s
// RUN: %exits 0 %t.prog 3 1 | FileCheck --check-prefix=SAME %s
// RUN: %exits 0 %t.prog 1 5 | FileCheck --check-prefix=SAME %s
// SAME: , 0 mismatches
//
// The steps are those of any recipe.
// RUN: %warploom compile %s -o %t.2.cu --emit-recipe %t.lua && FileCheck --check-prefix=STEPS --input-file=%t.lua %s
// STEPS: tile_by_index({"i", "j"}, {"STACK_Y", "BLOCK_X"}
// STEPS: copy_to_shared("j_tiles", "a", -32)
// STEPS: copy_to_shared("k_tiles", "charge", 1, 2)
#include <math.h>
#include <stdlib.h>

void sweep(int n, int m, const float a[restrict n][m], float b[restrict n][m]) {
  for (int i = 1; i < n - 1; i++)
    for (int j = 0; j < m; j++)
      b[i][j] = (a[i - 1][j] + 2 * a[i][j] + a[i + 1][j]) / 4;
}

void transpose(int n, int m, const float a[restrict m][n], float b[restrict n][m]) {
  for (int j = 0; j < m; j++)
    for (int i = 0; i < n; i++)
      b[i][j] = a[j][i];
}

void forces(int n, const float at[restrict n], const float charge[restrict n], float force[restrict n]) {
  for (int i = 0; i < n; i++)
    for (int k = 0; k < n; k++) {
      float d = at[i] - at[k];
      force[i] += charge[k] * d * d;
    }
}

void waves(int n, const float at[restrict n], const float wave[restrict n], float re[restrict n], float im[restrict n]) {
  for (int i = 0; i < n; i++)
    for (int k = 0; k < n; k++) {
      float angle = at[i] * wave[k];
      re[i] += cosf(angle);
      im[i] += sinf(angle);
    }
}

int main(int argc, char** argv) {
  int n = atoi(argv[1]), m = atoi(argv[2]);
  float(*a)[m] = calloc(n, sizeof *a), (*b)[m] = calloc(n, sizeof *b), (*c)[n] = calloc(m, sizeof *c);
  float *at = calloc(n, sizeof *at), *charge = calloc(n, sizeof *charge), *force = calloc(n, sizeof *force), *more = calloc(n, sizeof *more);
  for (int i = 0; i < n; i++) {
    at[i] = (float)(i % 5), charge[i] = (float)(i % 3);
    for (int j = 0; j < m; j++) a[i][j] = (float)((3 * i + j) % 23);
  }
  sweep(n, m, a, b);
  transpose(m, n, a, c);
  forces(n, at, charge, force);
  waves(n, at, charge, force, more);
  free(a), free(b), free(c), free(at), free(charge), free(force), free(more);
  return 0;
}
