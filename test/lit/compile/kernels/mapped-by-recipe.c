// What recipes in CUDA-CHiLL's commands say of tiles, orders, grids, blocks and copies is what the text has, and it computes what the loops do. What would change
// that, or means nothing, is refused, and nothing is written.
// SHOWS: CH-1 CH-3 CH-13 CH-14 CH-16 CH-17 CH-18 CH-19 CH-20 CH-23 CH-24 CH-25 CH-27 CH-28 CH-29 CH-31 CH-32
// RUN: rm -rf %t && split-file %s %t
// RUN: %warploom compile %t/f.c -o %t/f.cu --recipe %t/f.lua && FileCheck --input-file=%t/f.cu %s
//
// One loop in tiles: 1000 iterations in tiles of 64 are 16, of which the last has 40; a block for each, and a thread for each point. Those of the sum, 61 in
// tiles of 16, are in a loop over their first values. An element of y is loaded before that loop and stored after it; of v, 16 elements are there at a time, which
// 16 of the 64 threads bring: the others wait with them, before they are read and before the next ones come.
// CHECK: double v_tile[16];
// CHECK: __launch_bounds__(64) acc_gpu(
// CHECK: for (Index rr = blockIdx.x; rr < 16; rr += gridDim.x) {
// CHECK-NEXT: double y_own;
// CHECK: if (r <= 999 && r <= 64 * rr + 63) y_own = y[r];
// CHECK: for (Index ss = 0; ss < 49; ss += 16) {
// CHECK: const int t = first + thread;
// CHECK-NEXT: if (16 % 64 == 0 || t < 16) {
// CHECK-NEXT: const Index column = ss + t;
// CHECK-NEXT: v_tile[t] = column <= 60 ? v[column] : 0;
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: __syncthreads();
// CHECK: for (Index r = 64 * rr + Index(threadIdx.x); r < warploom::smaller(1000, 64 * rr + 64); r += 64) {
// CHECK: for (Index s = ss; s <= warploom::smaller(60, ss + 15); ++s) {
// CHECK-NEXT: y_own += w[s * 1000 + r] * v_tile[s - ss];
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: __syncthreads();
// CHECK: if (r <= 999 && r <= 64 * rr + 63) y[r] = y_own;
// CHECK: region.launch({dim3(warploom::blocks(0, 16, 1)), dim3(64), {{.*}}
//
// Three loops in tiles at once, in an order of the six that no single tile has; the loop inside a tile of i has another name.
// CHECK: __launch_bounds__(8) order_gpu(
// CHECK: for (Index jj = blockIdx.x; jj < 8; jj += gridDim.x) {
// CHECK-NEXT: for (Index ii = blockIdx.y; ii < 4; ii += gridDim.y) {
// CHECK-NEXT: for (Index kk = 0; kk < 16; ++kk) {
// CHECK-NEXT: for (Index j = 8 * jj + Index(threadIdx.x); j < warploom::smaller(61, 8 * jj + 8); j += 8) {
// CHECK: for (Index k = 4 * kk; k <= warploom::smaller(60, 4 * kk + 3); ++k) {
// CHECK: for (Index i = 16 * ii; i <= warploom::smaller(60, 16 * ii + 15); ++i) {
// CHECK-NEXT: c[i * 61 + j] += a[i * 61 + k] * b[k * 61 + j];
//
// CHECK: swapped_{{[0-9]+}}(
// CHECK: for (Index x = 1; x <= 29; ++x) {
// CHECK-NEXT: for (Index t = 1; t <= 9; ++t) {
//
// Two loops for blocks, three for threads: there are as many as bounds say. They are bx, by, tx, ty and tz from then on: in front of the loop of tz a thread gets
// its element, and the kernel its name.
// CHECK: __launch_bounds__(16 * 8 * 2) boxes_gpu(
// CHECK: for (Index kk = blockIdx.x; kk < 4; kk += gridDim.x) {
// CHECK-NEXT: for (Index ii = blockIdx.y; ii < 5; ii += gridDim.y) {
// CHECK: for (Index k = 16 * kk + Index(threadIdx.x); k < warploom::smaller(50, 16 * kk + 16); k += 16) {
// CHECK-NEXT: for (Index j = 8 * jj + Index(threadIdx.y); j < warploom::smaller(20, 8 * jj + 8); j += 8) {
// CHECK-NEXT: for (Index i = 2 * ii + Index(threadIdx.z); i < warploom::smaller(9, 2 * ii + 2); i += 2) {
// CHECK: region.launch({dim3(warploom::blocks(0, 4, 1), warploom::blocks(0, 5, 1)), dim3(16, 8, 2)},
//
// What is written first is not loaded, and what is only read is not stored.
// CHECK: static __constant__ double kept_gpu_q[61];
// CHECK: kept_gpu(
// CHECK: double z_own;
// CHECK-NOT: z_own = z[
// CHECK: double u_own;
// CHECK: u_own = u[r];
// CHECK: z_own = 0;
// CHECK: z_own += u_own * kept_gpu_q[s];
// CHECK-NOT: u[r] = u_own;
// CHECK: z[r] = z_own;
// CHECK-NOT: u[r] = u_own;
// CHECK: region.copyToConstant(kept_gpu_q, q, q_size * sizeof(double));
//
// Rows of 16 elements become 17 long with -16, 16 with 1. They are filled through the read-only path, and from there it is shared memory that is read.
// CHECK: double a_tile[16][8];
// CHECK-NEXT: double b_tile[8][warploom::coprime(16, 16)];
// CHECK: texture_gpu(
// CHECK: b_tile[t / 16][t % 16] = {{.*}}__ldg(&b[
// CHECK-NOT: &b[
// CHECK: d_own += a_tile[i - 16 * ii][k - kk] * b_tile[k - kk][j - 16 * jj];
//
// Of two nests of a function the second one, by its number.
// CHECK: second_gpu(
// CHECK: e[3 * i + 1] = 7 * i;
// CHECK-NOT: second_gpu
// CHECK: region.launch({{.*}}dim3(8){{.*}} second_gpu
//
// RUN: %exits 0 %warploom verify %t/f.c --recipe %t/f.lua --target cpu --sanitize | FileCheck --check-prefix=SAME %s
// SAME-NOT: sanitize:
// SAME: 9 regions compared, {{[0-9]+}} arrays, 0 mismatches
//
// RUN: %exits 1 %warploom compile %t/f.c -o %t/no.cu --recipe %t/turned.lua 2>&1 | FileCheck --check-prefix=TURNED %s
// TURNED: turned.lua:7: error: permute({"i", "k", "j"}) is refused: the flow dependence on `g` {{.*}} distance (0, 1, -1) would run backwards along `k`
// What was refused, orders, tiles and names, has changed nothing: the text is that of a recipe that has not tried.
// RUN: %warploom compile %t/f.c -o %t/tried.cu --recipe %t/tried.lua && %warploom compile %t/f.c -o %t/plain.cu --recipe %t/plain.lua
// RUN: grep -v "^// " %t/tried.cu | sed s/tried/plain/g > %t/tried && grep -v "^// " %t/plain.cu > %t/plain && diff %t/tried %t/plain
// RUN: %exits 1 %warploom compile %t/f.c -o %t/no.cu --recipe %t/carried.lua 2>&1 | FileCheck --check-prefix=CARRIED %s
// CARRIED: carried.lua:2: error: map_to_grid({"k"}) is refused: the flow dependence on `c` {{.*}} distance (0, 0, 1) is carried by `k`
// RUN: %exits 1 %warploom compile %t/f.c -o %t/no.cu --recipe %t/named.lua 2>&1 | FileCheck --check-prefix=NAMED %s
// NAMED: named.lua:2: error: {{.*}}the name `j` is in use
// RUN: %exits 1 %warploom compile %t/f.c -o %t/no.cu --recipe %t/unknown.lua 2>&1 | FileCheck --check-prefix=UNKNOWN %s
// UNKNOWN: unknown.lua:2: error: {{.*}}there is no loop `r`
// RUN: %exits 1 %warploom compile %t/f.c -o %t/no.cu --recipe %t/written.lua 2>&1 | FileCheck --check-prefix=WRITTEN %s
// WRITTEN: written.lua:2: error: copy_to_texture("c") is refused: line 16 writes `c`
// RUN: %exits 1 %warploom compile %t/f.c -o %t/no.cu --recipe %t/constant.lua 2>&1 | FileCheck --check-prefix=CONSTANT %s
// CONSTANT: constant.lua:2: error: copy_to_constant("c") is refused: line 16 writes `c`
// RUN: %exits 1 %warploom compile %t/f.c -o %t/no.cu --recipe %t/large.lua 2>&1 | FileCheck --check-prefix=LARGE %s
// LARGE: large.lua:2: error: copy_to_constant("w") is refused: `w` does not fit into the 65536 bytes of constant memory
// RUN: %exits 1 %warploom compile %t/f.c -o %t/no.cu --recipe %t/both.lua 2>&1 | FileCheck --check-prefix=BOTH %s
// BOTH: both.lua:5: error: copy_to_shared("ss", "v", 1) is refused: `v` is kept so already
// RUN: not ls %t/no.cu 2> /dev/null

//--- f.lua
init("f.c", "acc", 0)
tile_by_index({"r"}, {64}, {l1_control="rr"}, {"rr", "r", "s"})
cudaize("acc_gpu", {y=1000}, {block={"rr"}, thread={"r"}})
tile_by_index({"s"}, {16}, {l1_control="ss"}, {"rr", "ss", "r", "s"}, strided)
copy_to_shared("tx", "v", 1)
copy_to_registers("ss", "y")

init("f.c", "order", 0)
tile_by_index({"i", "j", "k"}, {16, 8, 4}, {l1_control="ii", l1_tile="p", l2_control="jj", l3_control="kk"}, {"jj", "ii", "kk", "j", "k", "p"})
cudaize("order_gpu", {}, {block={"jj", "ii"}, thread={"j"}})

init("f.c", "swapped", 0)
permute(0, {"r", "x", "t"})
map_to_grid({"r"})

init("f.c", "boxes", 0)
tile_by_index({"k"}, {16}, {l1_control="kk"}, {"kk", "i", "j", "k"})
tile_by_index({"i", "j"}, {2, 8}, {l1_control="ii", l2_control="jj"}, {"kk", "ii", "jj", "k", "j", "i"})
cudaize("boxes", {}, {block={"kk", "ii"}, thread={"k", "j", "i"}})
name_kernel("bx", "boxes_gpu")
copy_to_registers("tz", "h")
assert(block_indices()[1] == "kk" and thread_indices()[3] == "i")

init("f.c", "kept", 0)
copy_to_constant("q")
tile_by_index({"r"}, {64}, {l1_control="rr"}, {"rr", "r"})
cudaize("kept_gpu", {}, {block={"rr"}, thread={"r"}})
copy_to_registers("r", "z")
copy_to_registers("r", "u")

init("f.c", "texture", 0)
tile_by_index({"i", "j"}, {16, 16}, {l1_control="ii", l2_control="jj"}, {"ii", "jj", "i", "j"})
tile_by_index({"k"}, {8}, {l1_control="kk"}, {"ii", "jj", "kk", "i", "j", "k"}, strided)
cudaize("first", {}, {block={"jj", "ii"}, thread={"j", "i"}})
name_kernel("by", "texture_gpu")
copy_to_shared("ty", "a", 1)
copy_to_shared("tx", "b", -16)
copy_to_texture("b")
copy_to_registers("kk", "d")

init("f.c", "two", 1)
tile_by_index({"i"}, {8}, {l1_control="ii"}, {"ii", "i"})
cudaize("second_gpu", {}, {block={"ii"}, thread={"i"}})

//--- turned.lua
init("f.c", "lines", 0)
before = cur_indices(0)
ok = pcall(permute, {"i", "k", "j"})
after = cur_indices(0)
if ok or table.concat(before, " ") ~= table.concat(after, " ") then error("not as it was") end
map_to_grid({"i"})
permute({"i", "k", "j"})

//--- tried.lua
init("f.c", "lines", 0)
assert(not pcall(permute, {"i", "k", "j"}))
assert(not pcall(tile_by_index, {"j", "k"}, {4, 4}, {l1_control="jj", l2_control="kk"}, {"i", "jj", "kk", "j", "k"}))
assert(not pcall(tile_by_index, {"i"}, {4}, {l1_control="ii", l1_tile="k"}, {"ii", "k", "j"}))
dofile("plain.lua")

//--- plain.lua
init("f.c", "lines", 0)
tile_by_index({"i", "k"}, {4, 8}, {l1_control="ii", l2_control="kk"}, {"ii", "i", "j", "kk", "k"})
cudaize("lines_gpu", {}, {block={"ii"}, thread={"i"}})

//--- carried.lua
init("f.c", "order", 0)
cudaize("no", {}, {block={"k"}, thread={}})

//--- named.lua
init("f.c", "order", 0)
tile_by_index({"i"}, {16}, {l1_control="j"}, {"j", "i"})

//--- unknown.lua
init("f.c", "order", 0)
tile_by_index({"r"}, {16}, {l1_control="rr"}, {"rr", "r"})

//--- written.lua
init("f.c", "order", 0)
copy_to_texture("c")

//--- constant.lua
init("f.c", "order", 0)
copy_to_constant("c")

//--- large.lua
init("f.c", "acc", 0)
copy_to_constant("w")

//--- both.lua
init("f.c", "acc", 0)
copy_to_constant("v")
tile_by_index({"r", "s"}, {64, 16}, {l1_control="rr", l2_control="ss"}, {"rr", "ss", "r", "s"})
cudaize("acc_gpu", {}, {block={"rr"}, thread={"r"}})
copy_to_shared("tx", "v", 1)

//--- f.c
double y[1000], u[1000], z[1000], v[61], q[61], w[61][1000];
double e[183];
volatile int at;
double a[61][61], b[61][61], c[61][61], d[61][61], g[61][10][30], h[9][20][50];

void acc(void) {
  for (int r = 0; r < 1000; r++)
    for (int s = 0; s < 61; s++)
      y[r] += w[s][r] * v[s];
}

void order(void) {
  for (int i = 0; i < 61; i++)
    for (int j = 0; j < 61; j++)
      for (int k = 0; k < 61; k++)
        c[i][j] += a[i][k] * b[k][j];
}

void swapped(void) {
  for (int r = 0; r < 61; r++)
    for (int t = 1; t < 10; t++)
      for (int x = 1; x < 30; x++)
        g[r][t][x] = g[r][t - 1][x - 1] + 1;
}

void lines(void) {
  for (int i = 0; i < 61; i++)
    for (int j = 1; j < 10; j++)
      for (int k = 0; k < 29; k++)
        g[i][j][k] = g[i][j - 1][k + 1] + 1;
}

void boxes(void) {
  for (int i = 0; i < 9; i++)
    for (int j = 0; j < 20; j++)
      for (int k = 0; k < 50; k++)
        h[i][j][k] = i + 2 * j + 3 * k;
}

void kept(void) {
  for (int r = 0; r < 1000; r++) {
    z[r] = 0;
    for (int s = 0; s < 61; s++)
      z[r] += u[r] * q[s];
  }
}

void texture(void) {
  for (int i = 0; i < 61; i++)
    for (int j = 0; j < 61; j++)
      for (int k = 0; k < 61; k++)
        d[i][j] += a[i][k] * b[k][j];
}

void note(int n) { at += n; }

void two(void) {
  for (int i = 0; i < 61; i++)
    e[3 * i] = 5 * i;
  note(at);
  for (int i = 0; i < 61; i++)
    e[3 * i + 1] = 7 * i;
}

int main(void) {
  volatile int one = 1; // these loops stay on the host
  for (int i = 0; i < 1000; i += one) {
    y[i] = i % 7, u[i] = i % 5 + 1;
    for (int s = 0; s < 61; s += one)
      w[s][i] = (s + i) % 11;
  }
  for (int i = 0; i < 61; i += one) {
    v[i] = i % 4 + 1, q[i] = i % 6;
    for (int j = 0; j < 61; j += one)
      a[i][j] = i - j, b[i][j] = i % 3 + j, c[i][j] = 1, d[i][j] = 2;
    for (int t = 0; t < 10; t += one)
      for (int x = 0; x < 30; x += one)
        g[i][t][x] = i * t - x;
  }
  acc();
  order();
  swapped();
  lines();
  boxes();
  kept();
  texture();
  two();
  return 0;
}
