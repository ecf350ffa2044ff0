// A loop of the host around small nests that begin with its values, in blocks of its iterations: ordinary steps.
// RUN: %warploom compile %s -o %t.cu --emit-recipe %t.lua --explain > %t.out 2>&1 && FileCheck --input-file=%t.lua %s
// RUN: FileCheck --check-prefix=SAID --input-file=%t.out %s && FileCheck --check-prefix=TEXT --input-file=%t.cu %s
//
// The nests are split where a block ends; the parts that need each other get loops of their own.
// CHECK: region("factor:
// CHECK: strip("k", 32, "k_blocks")
// CHECK: split("i", "32*k_blocks + 32", "i_beyond")
// CHECK: split("j", "32*k_blocks + 32", "j_beyond")
// CHECK: reorder("k", {"i", "i_2", "i_beyond",
// CHECK: distribute("k", {"i_beyond",
// What a block does to itself is one block of threads.
// CHECK: strip("k", 32, "k_block")
// CHECK-NEXT: map_to_grid({"k_block"})
// CHECK: copy_to_shared("k_block", "a",
// What it does to rows and columns beyond it, a thread for each.
// CHECK: map_to_block({"i_beyond"})
// CHECK: copy_to_shared("i_beyond_tiles", "a",
// All the rest is a product, by tiles.
// CHECK: tile_by_index({"i_2_beyond{{[0-9_]*}}", "j_{{[0-9a-z_]+}}"}, {32, 32},
//
// SAID: region factor:{{.*}} in blocks of 32 iterations of 'k'
// SAID: loop 'k_blocks' stays on the host
//
// Four launches for a block.
// TEXT: extern "C" int warploom_blocks_factor_
// TEXT: for (long k_blocks = 0;
// TEXT-COUNT-4: region.launch(
// TEXT-NOT: region.launch(
// TEXT: return region.finish();
void factor(int n, double a[restrict n][n]) {
  for (int k = 0; k < n; k++) {
    for (int i = k + 1; i < n; i++) a[i][k] /= a[k][k];
    for (int i = k + 1; i < n; i++)
      for (int j = k + 1; j < n; j++) a[i][j] -= a[i][k] * a[k][j];
  }
}
