// Sizes of one kernel's blocks, apart from the others'; and kernels without shared memory.
// RUN: %warploom compile %s -o %t.cu --tunables kernel && FileCheck --input-file=%t.cu %s
// CHECK: #define WARPLOOM_BLOCK 256
// CHECK: #ifndef WARPLOOM_first_[[FIRST:[0-9]+]]_BLOCK
// CHECK-NEXT: #define WARPLOOM_first_[[FIRST]]_BLOCK BLOCK
// CHECK-NEXT: #endif
// CHECK-NEXT: constexpr int first_[[FIRST]]_BLOCK = WARPLOOM_first_[[FIRST]]_BLOCK;
// CHECK: constexpr int product_[[PRODUCT:[0-9]+]]_THREADS_X = product_[[PRODUCT]]_TILE_X / product_[[PRODUCT]]_ITEMS_X;
// CHECK: constexpr int second_[[SECOND:[0-9]+]]_BLOCK
// CHECK: __launch_bounds__(first_[[FIRST]]_BLOCK) first_[[FIRST]](
// CHECK: region.launch(warploom::line(0, n, first_[[FIRST]]_BLOCK), first_[[FIRST]]
// CHECK: __launch_bounds__(second_[[SECOND]]_BLOCK) second_[[SECOND]](
//
// Each has the size that it was given, and the rest that of the file.
// RUN: sed -n 's/^#define \(WARPLOOM_first_[0-9]*_BLOCK\) .*/-D\1=7/p; s/^#define \(WARPLOOM_product_[0-9]*_TILE_X\) .*/-D\1=16/p' %t.cu > %t.flags
// RUN: xargs %warploom verify %s --sanitize --tunables kernel -- -std=gnu11 -DWARPLOOM_BLOCK=16 -DWARPLOOM_TILE_Y=8 < %t.flags | FileCheck --check-prefix=SAME %s
// RUN: sed -n 's/^#define \(WARPLOOM_product_[0-9]*_TILE_X\) .*/-D\1=7/p' %t.cu > %t.wrong
// RUN: not xargs %warploom build %s -o %t.prog --target cpu --tunables kernel -- -std=gnu11 < %t.wrong 2>&1 | FileCheck --check-prefix=WRONG %s
// WRONG: threads take equal parts of a tile
// SAME: verify: 3 regions compared, 3 arrays, 0 mismatches
//
// Nothing is staged in shared memory.
// RUN: %warploom compile %s -o %t.flat.cu --no-shared && not grep -E "shared<|TILE" %t.flat.cu
// RUN: %warploom compile %s -o %t.cu && grep "shared<" %t.cu
// RUN: %exits 0 %warploom verify %s --sanitize --no-shared | FileCheck --check-prefix=SAME %s
//
// Two copies of each tile: one is sent for while the other is used.
// RUN: %warploom compile %s -o %t.two.cu --tile-copies 2 && grep "float a_tile.2..Tiles::TILE_K." %t.two.cu && grep copyTile %t.two.cu
// RUN: %warploom compile %s -o %t.one.cu --tile-copies 1 && grep "float a_tile.Tiles::TILE_K." %t.one.cu && not grep copyTile %t.one.cu
// RUN: %exits 0 %warploom verify %s --sanitize --tile-copies 1 | FileCheck --check-prefix=SAME %s
// RUN: %exits 2 %warploom compile %s -o %t.cu --tile-copies 3
//
// RUN: %exits 2 %warploom compile %s -o %t.cu --tunables both
// SHOWS: MF-56 MF-69 RT-52
#include <stdio.h>
void first(int n, double* restrict x) {
  for (int i = 0; i < n; i++) x[i] = x[i] + 1;
}
void second(int n, double* restrict x) {
  for (int i = 0; i < n; i++) x[i] = x[i] * 2;
}
void product(int n, float a[restrict n][n], float b[restrict n][n], float c[restrict n][n]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++) c[i][j] += a[i][k] * b[k][j];
}
float a[37][37], b[37][37], c[37][37];
double x[100];
int main(void) {
  for (int i = 0; i < 37; i++)
    for (int j = 0; j < 37; j++) a[i][j] = i + j + printf(""), b[i][j] = i - j, x[i] = i;
  first(100, x);
  second(99, x);
  product(37, a, b, c);
  printf("%g %g\n", c[3][5], x[7]);
  return 0;
}
