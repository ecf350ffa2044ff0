// Matrix products: blocks take tiles, what threads share goes through shared memory, what a thread works on stays in registers.
// RUN: %warploom compile %s -o %t.cu && FileCheck --input-file=%t.cu %s
// RUN: FileCheck --check-prefix=BOTH --input-file=%t.cu %s
//
// Tile sizes are symbols with a value that may be set when compiling; a thread has several elements, for constant trip counts.
// CHECK: #ifndef WARPLOOM_TILE_X
// CHECK-NEXT: #define WARPLOOM_TILE_X {{[0-9]+}}
// CHECK: constexpr int TILE_X = WARPLOOM_TILE_X;
// CHECK: constexpr int THREADS_X = TILE_X / ITEMS_X;
// CHECK: constexpr int THREADS_Y = TILE_Y / ITEMS_Y;
//
// One struct has all that a block keeps in shared memory: kernel and launch cannot disagree on its size.
// A's tile is read by columns: a width without a factor 2 keeps those off one bank.
// CHECK: struct product_[[LINE:[0-9]+]]_shared {
// CHECK-NEXT: double A_tile[TILE_Y][warploom::oddMultiple(TILE_K, 2)];
// CHECK-NEXT: double B_tile[TILE_K][TILE_X];
// CHECK-NEXT: };
// CHECK: __global__ void __launch_bounds__(THREADS_X * THREADS_Y) product_
// CHECK: const double* __restrict__ A, const double* __restrict__ B, double* __restrict__ C)
// CHECK: auto& A_tile = warploom::shared<&product_[[LINE]]_shared::A_tile>();
// CHECK-NEXT: auto& B_tile = warploom::shared<&product_[[LINE]]_shared::B_tile>();
// Blocks stride over tiles, wherever the grid ends.
// CHECK: for ({{long|Index}} i0 = blockIdx.y * {{long|Index}}(TILE_Y); i0 < n; i0 += gridDim.y * {{long|Index}}(TILE_Y)) {
// CHECK-NEXT: for ({{long|Index}} j0 = blockIdx.x * {{long|Index}}(TILE_X); j0 < m; j0 += gridDim.x * {{long|Index}}(TILE_X)) {
// The accumulated output is a register array, loaded first: neighbouring threads have neighbouring columns.
// CHECK: double C_own[ITEMS_Y][ITEMS_X];
// CHECK-NEXT: #pragma unroll
// CHECK-NEXT: for (int ry = 0; ry < ITEMS_Y; ++ry) {
// CHECK-NEXT: const {{long|Index}} i = i0 + ry * THREADS_Y + threadIdx.y;
// CHECK-NEXT: #pragma unroll
// CHECK-NEXT: for (int rx = 0; rx < ITEMS_X; ++rx) {
// CHECK-NEXT: const {{long|Index}} j = j0 + threadIdx.x * ITEMS_X + rx;
// CHECK-NEXT: if ({{.*}}j < m && i < n) C_own[ry][rx] = C[i * m + j];
// A whole tile needs no guards. All threads copy, neighbours neighbouring elements.
// CHECK: for ({{long|Index}} k0 = 0; k0 < p; k0 += TILE_K) {
// CHECK: if (p >= TILE_K + k0 && m >= j0 + TILE_X && n >= i0 + TILE_Y) {
// CHECK: for (int first = 0; first < TILE_Y * TILE_K; first += THREADS_X * THREADS_Y) {
// CHECK-NEXT: const int t = first + thread;
// CHECK: const {{long|Index}} k = k0 + t % TILE_K;
// CHECK-NEXT: A_tile[t / TILE_K][t % TILE_K] = A[i * p + k];
// CHECK: const {{long|Index}} j = j0 + t % TILE_X;
// CHECK-NEXT: B_tile[t / TILE_X][t % TILE_X] = B[k * m + j];
// CHECK: __syncthreads();
// CHECK-NOT: if (
// CHECK: C_own[ry][rx] += A_tile[i - i0][k - k0] * B_tile[k - k0][j - j0];
// Of another one, what is outside the matrices is 0 and no result.
// CHECK: } else {
// CHECK: A_tile[t / TILE_K][t % TILE_K] = {{i < n && k < p|k < p && i < n}} ? A[i * p + k] : 0;
// CHECK: B_tile[t / TILE_X][t % TILE_X] = {{k < p && j < m|j < m && k < p}} ? B[k * m + j] : 0;
// CHECK: __syncthreads();
// CHECK: if (j < m && i < n) {
// CHECK-NEXT: C_own[ry][rx] += A_tile[i - i0][k - k0] * B_tile[k - k0][j - j0];
// Nobody fills the tiles again before all are done with them.
// CHECK: __syncthreads();
// CHECK: if ({{.*}}j < m && i < n) C[i * m + j] = C_own[ry][rx];
// CHECK: if (!region.useDevice({sizeof(product_[[LINE]]_shared)})) return 0;
// CHECK: region.launch({dim3(warploom::blocks(0, m, TILE_X), warploom::blocks(0, n, TILE_Y)), dim3(THREADS_X,
// CHECK-NEXT: THREADS_Y), warploom::dynamicBytes<product_[[LINE]]_shared>}
//
// A transposed operand is copied along its own rows too; subscripts may have offsets.
// BOTH: void __launch_bounds__(THREADS_X * THREADS_Y) shifted_
// BOTH: const {{long|Index}} k = k0 + t / TILE_Y;
// BOTH-NEXT: const {{long|Index}} i = i0 + t % TILE_Y;
// BOTH-NEXT: A_tile[t / TILE_Y][t % TILE_Y] = {{(.* \? )?}}A[k * n + i]
// BOTH: row = k0 + 1 + t / TILE_X;
// BOTH: B_tile[t / TILE_X][t % TILE_X] = {{(.* \? )?}}B[row * n + j]
//
// Extents that divide no tile, smaller than one and larger; no race, nothing beyond an array, no barrier in divergent code.
// RUN: %exits 0 %warploom verify %s --sanitize -o %t.prog --arg 67 --arg 65 --arg 70 | FileCheck --check-prefix=SAME %s
// RUN: %exits 0 %t.prog 3 131 17 2>&1 | FileCheck --check-prefix=SAME %s
// RUN: %exits 0 %t.prog 64 64 32 2>&1 | FileCheck --check-prefix=SAME %s
// RUN: %exits 0 %t.prog 2 1 1 2>&1 | FileCheck --check-prefix=SAME %s
// Tiles of 64 KiB, for which a kernel has to ask; and of 256 KiB, which no block has: then the loops run that were kept.
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
void product(int n, int m, int p, double A[restrict n][p], double B[restrict p][m], double C[restrict n][m]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      for (int k = 0; k < p; k++) C[i][j] += A[i][k] * B[k][j];
}
void shifted(int n, double A[restrict n][n], double B[restrict n][n], double C[restrict n][n]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n - 1; k++) C[i][j] += A[k][i] * B[k + 1][j];
}
int main(int argc, char** argv) {
  int n = atoi(argv[argc - 3]), m = atoi(argv[argc - 2]), p = atoi(argv[argc - 1]);
  double *a = malloc(sizeof(double) * 200 * 200), *b = malloc(sizeof(double) * 200 * 200),
         *c = malloc(sizeof(double) * 200 * 200);
  for (int i = 0; i < 200 * 200; i++) a[i] = i % 7 - printf(""), b[i] = i % 5, c[i] = i % 3;
  product(n, m, p, (void*)a, (void*)b, (void*)c);
  shifted(n, (void*)a, (void*)b, (void*)c);
  printf("%g\n", c[0]);
  return 0;
}
