// No step is dropped in silence: what it says is in the text, or it is refused with a reason.
// RUN: rm -rf %t && split-file %s %t
// RUN: %warploom compile %t/f.c -o %t/f.cu --recipe %t/unrolled.lua && FileCheck --input-file=%t/f.cu %s
// RUN: %exits 0 %warploom verify %t/f.c --recipe %t/unrolled.lua --target cpu --sanitize | FileCheck --check-prefix=SAME %s
// SAME-NOT: sanitize:
// SAME: 0 mismatches
// RUN: %exits 1 %warploom compile %t/f.c -o %t/g.cu --recipe %t/host.lua 2>&1 | FileCheck --check-prefix=HOST %s
// RUN: %exits 1 %warploom compile %t/f.c -o %t/g.cu --recipe %t/thread.lua 2>&1 | FileCheck --check-prefix=THREAD %s
// RUN: %warploom compile %t/f.c -o %t/g.cu --recipe %t/names.lua && FileCheck --check-prefix=NAMES --input-file=%t/g.cu %s
// RUN: %warploom compile %t/f.c -o %t/g.cu --recipe %t/residents.lua && FileCheck --check-prefix=RESIDENTS --input-file=%t/g.cu %s
// RUN: %exits 1 %warploom compile %t/f.c -o %t/g.cu --recipe %t/fused.lua 2>&1 | FileCheck --check-prefix=FUSED %s
// RUN: %exits 1 %warploom compile %t/f.c -o %t/g.cu --recipe %t/rows.lua 2>&1 | FileCheck --check-prefix=ROWS %s
// RUN: %exits 1 %warploom compile %t/f.c -o %t/g.cu --recipe %t/halves.lua 2>&1 | FileCheck --check-prefix=HALVES %s
// RUN: %exits 1 %warploom compile %t/f.c -o %t/g.cu --recipe %t/tensor.lua 2>&1 | FileCheck --check-prefix=TENSOR %s
//
// Loops over tiles of symbolic size, and those whose tiles are copied ahead.
// CHECK: tiles_{{[0-9]+}}(
// CHECK: #pragma unroll 2
// CHECK-NEXT: for (Index k0 = 0; k0 < m; k0 += TK) {
// CHECK: ahead_{{[0-9]+}}(
// CHECK: #pragma unroll 3
// CHECK-NEXT: for (Index {{.*}}, next = 0, buffer = 0;
//
// Two loops that are unrolled alike are one that is.
// CHECK: alike_{{[0-9]+}}(
// CHECK: #pragma unroll 4
// CHECK-NEXT: for (
// CHECK-NOT: for (
// CHECK: {{^}}}
//
// HOST: `k` is unrolled, but the host runs it
// THREAD: copy_to_shared("k", "x") needs loops on a block: map_to_block
// Where two loops of a kernel say something of it, the last one counts.
// NAMES-NOT: first
// NAMES: second(
// RESIDENTS: __launch_bounds__({{.*}}, 2)
// FUSED: fuse("j", "j_2") is refused: `j` and `j_2` are not unrolled alike: fuse before unrolling
// ROWS: copy_to_constant("a", "k") needs the host to run `k`
// HALVES: copy_to_constant("a", "i") is refused: `a[i][j]` at line {{[0-9]+}} is outside `i`
// TENSOR: map_to_tensor("k") is refused: `k` is unrolled

//--- unrolled.lua
init("f.c", "tiles", 0)
tile_by_index({"k"}, {"TK"}, {l1_control="kk"}, {"i", "j", "kk", "k"})
unroll("kk", 2)
map_to_grid({"j", "i"})

init("f.c", "ahead", 0)
tile_by_index({"i", "j", "k"}, {16, 16, 16}, {l1_control="ii", l2_control="jj", l3_control="kk"}, {"ii", "jj", "kk", "k", "i", "j"})
unroll("kk", 3)
map_to_grid({"jj", "ii"})
map_to_block({"j", "i"})
copy_to_shared("kk", "a", 1, 2)

init("f.c", "alike", 0)
fuse("i", "i_2")
unroll("j", 4)
unroll("j_2", 4)
fuse("j", "j_2")
map_to_grid({"i"})

//--- host.lua
init("f.c", "host", 0)
unroll("k", 4)
map_to_grid({"i"})

//--- thread.lua
init("f.c", "thread", 0)
map_to_grid({"i"})
copy_to_shared("k", "x", 1)

//--- names.lua
init("f.c", "tiles", 0)
map_to_grid({"j", "i"})
name_kernel("i", "first")
name_kernel("j", "second")

//--- residents.lua
init("f.c", "tiles", 0)
map_to_grid({"j", "i"})
launch_bounds("i", 4)
launch_bounds("j", 2)

//--- fused.lua
init("f.c", "alike", 0)
fuse("i", "i_2")
unroll("j", 4)
fuse("j", "j_2")

//--- tensor.lua
init("f.c", "ahead", 0)
tile_by_index({"i", "j"}, {"TENSOR_Y", "TENSOR_X"}, {l1_control="ii", l2_control="jj"}, {"ii", "jj", "i", "j"})
strip("k", "TENSOR_K", "kk")
permute({"kk", "k", "i", "j"})
unroll("k", 2)
map_to_grid({"jj", "ii"})
map_to_block({"j", "i"})
copy_to_shared("kk", "a", 1, 1, 4)
copy_to_shared("kk", "b", 1, 1, 4)
copy_to_registers("jj", "c")
map_to_tensor("k")

//--- rows.lua
init("f.c", "rows", 0)
map_to_grid({"i"})
copy_to_constant("a", "k")

//--- halves.lua
init("f.c", "halves", 0)
split("j", "3", "high")
distribute("i")
map_to_grid({"j"})
map_to_grid({"high"})
copy_to_constant("a", "i")

//--- f.c
double a[67][45], b[45][67], c[67][67], d[67][45], x[67], y[67];

void tiles(int n, int m) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < m; k++)
        c[i][j] += a[i][k] * b[k][j];
}

void ahead(int n, int m) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < m; k++)
        c[i][j] += a[i][k] * b[k][j];
}

void alike(int n, int m) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      d[i][j] = 2 * a[i][j];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      b[j][i] = 3 * a[i][j];
}

void host(int n, int m) {
  for (int k = 1; k < m; k++)
    for (int i = 0; i < n; i++)
      d[i][k] = d[i][k - 1] + a[i][k];
}

void thread(int n, int m) {
  for (int i = 0; i < n; i++)
    y[i] = x[i];
  for (int k = 2; k < m; k++)
    x[k] = x[k - 1] * x[k - 2] + y[k];
}

void rows(int n, int m) {
  for (int i = 0; i < n; i++)
    y[i] = x[i];
  for (int k = 1; k < n; k++)
    for (int j = 1; j < m; j++)
      d[k][j] = d[k - 1][j] * d[k][j - 1] + a[k][j];
}

void halves(int n, int m) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      d[i][j] = 2 * a[i][j];
}

int main(void) {
  volatile int one = 1; // these loops stay on the host
  for (int i = 0; i < 67; i += one) {
    x[i] = i % 7;
    for (int j = 0; j < 45; j += one)
      a[i][j] = i % 4 - j % 3, b[j][i] = i % 5 + j % 2;
  }
  tiles(67, 45);
  ahead(67, 45);
  alike(67, 45);
  host(67, 45);
  thread(67, 45);
  return 0;
}
