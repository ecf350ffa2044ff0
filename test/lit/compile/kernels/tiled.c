// SHOWS: CH-91
// Matrix products: blocks take tiles, what threads share goes through shared memory, what a thread works on stays in registers.
// RUN: %warploom compile %s -o %t.cu && FileCheck --input-file=%t.cu %s
// RUN: FileCheck --check-prefix=BOTH --input-file=%t.cu %s
//
// Tile sizes are symbols with a value that may be set when compiling; a thread has several elements, for constant trip counts. There
// are sets of them, between which the launcher chooses: fewer larger ones, smaller ones, and large ones the other way round. A square
// is as good one way as the other.
// CHECK: #ifndef WARPLOOM_TILE_X
// CHECK-NEXT: #define WARPLOOM_TILE_X {{[0-9]+}}
// CHECK: #ifndef WARPLOOM_FEW_TILE_X
// CHECK: struct ManyTiles {
// CHECK-NEXT: static constexpr int TILE_X = WARPLOOM_TILE_X;
// CHECK: static constexpr int THREADS_X = TILE_X / ITEMS_X;
// CHECK: static constexpr int THREADS_Y = TILE_Y / ITEMS_Y;
// CHECK: struct FewTiles {
// CHECK: struct TurnedTiles {
// CHECK-NEXT: static constexpr int TILE_X = WARPLOOM_TILE_Y;
// CHECK-NEXT: static constexpr int TILE_Y = WARPLOOM_TILE_X;
//
// One struct has all that a block keeps in shared memory: kernel and launch cannot disagree on its size. Of each tile there are two
// copies. A's, of which a thread reads columns, is turned; rows of an odd number of 16 bytes keep copies to it off one bank.
// CHECK: template <typename Tiles>
// CHECK-NEXT: struct product_[[LINE:[0-9]+]]_shared {
// CHECK-NEXT: float A_tile[2][Tiles::TILE_K][warploom::oddMultiple(Tiles::TILE_Y, 4)];
// CHECK-NEXT: float B_tile[2][Tiles::TILE_K][Tiles::TILE_X];
// CHECK-NEXT: };
// CHECK: __global__ void __launch_bounds__(Tiles::THREADS_X * Tiles::THREADS_Y, 4) product_
// CHECK: const float* __restrict__ A, const float* __restrict__ B, float* __restrict__ C)
// CHECK: auto& A_tile = warploom::shared<&product_[[LINE]]_shared<Tiles>::A_tile>();
// CHECK-NEXT: auto& B_tile = warploom::shared<&product_[[LINE]]_shared<Tiles>::B_tile>();
// Blocks stride over tiles, wherever the grid ends.
// CHECK: for (Index i0 = blockIdx.y * Index(Tiles::TILE_Y); i0 < n; i0 += gridDim.y * Index(Tiles::TILE_Y)) {
// CHECK-NEXT: for (Index j0 = blockIdx.x * Index(Tiles::TILE_X); j0 < m; j0 += gridDim.x * Index(Tiles::TILE_X)) {
// The accumulated output is a register array, loaded first: a thread has neighbours in groups of 16 bytes.
// CHECK: float C_own[Tiles::ITEMS_Y][Tiles::ITEMS_X] = {};
// CHECK-NEXT: #pragma unroll
// CHECK-NEXT: for (int ry = 0; ry < Tiles::ITEMS_Y; ++ry) {
// CHECK-NEXT: const Index i = i0 + warploom::pointOf<4, Tiles::ITEMS_Y, Tiles::THREADS_Y>(ry, threadIdx.y);
// CHECK-NEXT: #pragma unroll
// CHECK-NEXT: for (int rx = 0; rx < Tiles::ITEMS_X; ++rx) {
// CHECK-NEXT: const Index j = j0 + warploom::pointOf<4, Tiles::ITEMS_X, Tiles::THREADS_X>(rx, threadIdx.x);
// CHECK-NEXT: if ({{.*}}j < m && i < n) C_own[ry][rx] = C[i * m + j];
// The next tile arrives while threads work on one. All threads copy; of a whole tile all is there.
// CHECK: for (Index k0 = -Tiles::TILE_K, next = 0, buffer = 0; k0 < p; k0 = next, next += Tiles::TILE_K,
// CHECK: if (p >= Tiles::TILE_K + next && m >= j0 + Tiles::TILE_X && n >= i0 + Tiles::TILE_Y) {
// CHECK-NEXT: warploom::copyTransposed<Tiles::TILE_Y, Tiles::THREADS_X * Tiles::THREADS_Y>(thread,
// CHECK-NEXT: A_tile[buffer ^ 1], &A[i0 * p + next], p);
// CHECK-NEXT: warploom::copyTile<Tiles::TILE_X, Tiles::THREADS_X * Tiles::THREADS_Y>(thread,
// CHECK-NEXT: B_tile[buffer ^ 1], &B[next * m + j0], m);
// Of another one, what is outside the matrices is 0 and no result.
// CHECK-NEXT: } else {
// CHECK: A_tile[buffer ^ 1], &A[i0 * p + next], p, n - i0, p - next);
// CHECK: B_tile[buffer ^ 1], &B[next * m + j0], m, p - next, m - j0);
// CHECK: if (p >= Tiles::TILE_K + k0 && m >= j0 + Tiles::TILE_X && n >= i0 + Tiles::TILE_Y) {
// CHECK-NEXT: #pragma unroll 4
// CHECK-NEXT: for (Index k = k0; k < Tiles::TILE_K + k0; ++k) {
// CHECK-NEXT: #pragma unroll
// CHECK-NEXT: for (int ry = 0; ry < Tiles::ITEMS_Y; ++ry) {
// CHECK-NOT: if (
// CHECK: C_own[ry][rx] += A_tile[buffer][k - k0][i - i0] * B_tile[buffer][k - k0][j - j0];
// CHECK: } else {
// CHECK: k < warploom::smaller(Tiles::TILE_K + k0, p); ++k)
// CHECK-NOT: if (
// CHECK: C_own[ry][rx] += A_tile[buffer][k - k0][i - i0] * B_tile[buffer][k - k0][j - j0];
// Nobody fills the tiles again before all are done with them.
// CHECK: warploom::waitForCopies();
// CHECK-NEXT: __syncthreads();
// CHECK: if ({{.*}}j < m && i < n) C[i * m + j] = C_own[ry][rx];
// CHECK: if (!region.useDevice({sizeof(product_[[LINE]]_shared<ManyTiles>),
// CHECK: using Tiles = decltype(tiles);
// CHECK-NEXT: return warploom::Launch{dim3(warploom::blocks(0, m, Tiles::TILE_X), warploom::blocks(0, n,
// CHECK-NEXT: Tiles::TILE_Y)), dim3(Tiles::THREADS_X, Tiles::THREADS_Y),
// CHECK-NEXT: warploom::dynamicBytes<product_[[LINE]]_shared<Tiles>>};
// CHECK-NEXT: };
// CHECK-NEXT: warploom::launchTiles<ManyTiles, TurnedTiles, FewTiles>(product_[[LINE]]_shape, [&](auto tiles,
// CHECK: region.launch(shape, product_[[LINE]]<Index, decltype(tiles)>,
//
// A transposed operand is copied along its own rows too, and is not turned; subscripts may have offsets.
// BOTH: void __launch_bounds__(Tiles::THREADS_X * Tiles::THREADS_Y, 4) shifted_
// BOTH: warploom::copyTile<Tiles::TILE_Y, Tiles::THREADS_X * Tiles::THREADS_Y>(thread,
// BOTH-NEXT: A_tile[buffer ^ 1], &A[next * n + i0], n);
// BOTH: B_tile[buffer ^ 1], &B[(next + 1) * n + j0], n);
// BOTH: warploom::launchTiles<ManyTiles, ManyTiles, FewTiles>(shifted_
//
// Extents that divide no tile, smaller than one and larger; no race, nothing beyond an array, no barrier in divergent code.
// RUN: %exits 0 %warploom verify %s --sanitize -o %t.prog --arg 67 --arg 65 --arg 70 | FileCheck --check-prefix=SAME %s
// RUN: %exits 0 %t.prog 3 131 17 2>&1 | FileCheck --check-prefix=SAME %s
// RUN: %exits 0 %t.prog 64 64 32 2>&1 | FileCheck --check-prefix=SAME %s
// RUN: %exits 0 %t.prog 2 1 1 2>&1 | FileCheck --check-prefix=SAME %s
// Narrow results, in small tiles so that there are enough of them.
// RUN: %exits 0 %warploom verify %s --sanitize --arg 199 --arg 4 --arg 19 -- -DWARPLOOM_TILE_X=16 -DWARPLOOM_TILE_Y=4 -DWARPLOOM_TILE_K=8 -DWARPLOOM_ITEMS_X=4 -DWARPLOOM_ITEMS_Y=2 | FileCheck --check-prefix=SAME %s
// Tiles of 64 KiB, for which a kernel has to ask; and of 264 KiB, which no block has: then the loops run that were kept.
// RUN: %exits 0 %warploom verify %s --sanitize -o %t.large --arg 67 --arg 131 --arg 33 -- -DWARPLOOM_TILE_X=64 -DWARPLOOM_TILE_Y=64 -DWARPLOOM_TILE_K=64 -DWARPLOOM_ITEMS_X=8 -DWARPLOOM_ITEMS_Y=8 | FileCheck --check-prefix=SAME %s
// RUN: env WARPLOOM_TIMING=1 %warploom run %s --target cpu --flag -DWARPLOOM_TILE_X=128 --flag -DWARPLOOM_TILE_Y=128 --flag -DWARPLOOM_TILE_K=128 --flag -DWARPLOOM_ITEMS_X=8 --flag -DWARPLOOM_ITEMS_Y=8 -- 9 9 9 2>&1 | FileCheck --check-prefix=FULL %s
// FULL: warploom: region product:{{.*}} path host:too little shared memory
// SAME-NOT: sanitize:
// SAME-DAG: verify: region product:{{[0-9]+}} array C {{.*}} ok
// SAME-DAG: verify: region shifted:{{[0-9]+}} array C {{.*}} ok
// SAME: 0 mismatches
//
// SHOWS: RT-36 RT-40 RT-41 RT-47 RT-48 RT-51 RT-55
// SHOWS: MF-51 MF-54 MF-55 MF-59 MF-60 MF-61 MF-63 MF-64 MF-66 MF-67
#include <stdio.h>
#include <stdlib.h>
void product(int n, int m, int p, float A[restrict n][p], float B[restrict p][m], float C[restrict n][m]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      for (int k = 0; k < p; k++) C[i][j] += A[i][k] * B[k][j];
}
void shifted(int n, float A[restrict n][n], float B[restrict n][n], float C[restrict n][n]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n - 1; k++) C[i][j] += A[k][i] * B[k + 1][j];
}
int main(int argc, char** argv) {
  int n = atoi(argv[argc - 3]), m = atoi(argv[argc - 2]), p = atoi(argv[argc - 1]);
  float *a = malloc(sizeof(float) * 200 * 200), *b = malloc(sizeof(float) * 200 * 200),
         *c = malloc(sizeof(float) * 200 * 200);
  for (int i = 0; i < 200 * 200; i++) a[i] = i % 7 - printf(""), b[i] = i % 5, c[i] = i % 3;
  product(n, m, p, (void*)a, (void*)b, (void*)c);
  shifted(n, (void*)a, (void*)b, (void*)c);
  printf("%g\n", c[0]);
  return 0;
}
