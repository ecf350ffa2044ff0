// What steps say of tiles and places is what the text has, also where no mapping of Warploom's own says such things.
// RUN: rm -rf %t && split-file %s %t
// RUN: %warploom compile %t/f.c -o %t/f.cu --recipe %t/f.lua && FileCheck --input-file=%t/f.cu %s && FileCheck --check-prefix=NAMES --input-file=%t/f.cu %s
// RUN: %exits 0 %warploom verify %t/f.c --recipe %t/f.lua --target cpu --sanitize | FileCheck --check-prefix=SAME %s
// RUN: %exits 0 %warploom verify %t/f.c --recipe %t/f.lua --target cpu --sanitize -- -DN=13 -DM=9 -DWARPLOOM_TK=3 -DWARPLOOM_while=5 | FileCheck --check-prefix=SAME %s
// SAME-NOT: sanitize:
// SAME: 11 regions compared, {{[0-9]+}} arrays, 0 mismatches
//
// Two loops on the block of one tile.
// CHECK: __launch_bounds__(16 * 4) twice_
// CHECK: for (Index t = 4 * ii + Index(threadIdx.y); t < {{.*}}
// CHECK: for (Index i = {{.*}} + Index(threadIdx.x); i < {{.*}}; i += 16) {
//
// And with a loop of each thread between them.
// CHECK: __launch_bounds__(16 * 4) between_
// CHECK: for (Index t = 4 * ii + Index(threadIdx.y); t < {{.*}}
// CHECK: for (Index j = 0; j < m; ++j) {
// CHECK: for (Index i = {{.*}} + Index(threadIdx.x); i < {{.*}}; i += 16) {
//
// The loop that combines is on the grid: a scalar, and columns.
// CHECK: dot_{{[0-9]+}}(
// CHECK: t_part = warploom::blockReduce(t_part, warploom::Sum());
// CHECK: columns_{{[0-9]+}}(
// CHECK: atomicAdd(&y[j],
//
// Any name is that of a size, or another one that is like it.
// CHECK: symbols_{{[0-9]+}}(
// CHECK: blockIdx.y * Index(size_while)
// NAMES: constexpr int TK = WARPLOOM_TK;
// NAMES: constexpr int size_threadIdx = WARPLOOM_threadIdx;
// NAMES: constexpr int size_while = WARPLOOM_while;
//
// Two copies of tiles that are read through the read-only path.
// CHECK: double a_tile[2][
// CHECK: warploom::copy{{(Async|Tile|Transposed)}}
// CHECK-NOT: &__ldg(
//
// Tiles of symbolic size that each thread runs by itself, or each warp.
// CHECK: alone_{{[0-9]+}}(
// CHECK: for (Index k0 = 0; k0 < m; k0 += TK) {
// CHECK-NEXT: for (Index k = k0; k < warploom::smaller(TK + k0, m); ++k) {
// CHECK: warps_{{[0-9]+}}(
// CHECK: for (Index k0 = 0; k0 < m; k0 += TK) {
// CHECK: for (Index k = k0 + Index(threadIdx.x); k < warploom::smaller(TK + k0, m); k += LANES) {
//
// Points outside their loops over tiles: copies come where all threads come by.
// CHECK: edges_{{[0-9]+}}(

//--- f.lua
init("f.c", "twice", 0)
tile_by_index({"i"}, {64}, {l1_control="ii"}, {"ii", "i", "j"})
tile_by_index({"i"}, {16}, {l1_control="t", l1_tile="tt"}, {"ii", "t", "tt", "j"})
map_to_grid({"ii"})
map_to_block({"tt", "t"})

init("f.c", "between", 0)
tile_by_index({"i"}, {64}, {l1_control="ii"}, {"ii", "i", "j"})
tile_by_index({"i"}, {16}, {l1_control="t", l1_tile="tt"}, {"ii", "t", "j", "tt"})
map_to_grid({"ii"})
map_to_block({"tt", "t"})

init("f.c", "dot", 0)
reduce("t", "i")
map_to_grid({"i"})

init("f.c", "columns", 0)
reduce("y", "i")
map_to_grid({"j", "i"})

init("f.c", "symbols", 0)
tile_by_index({"i", "j"}, {"while", "threadIdx"}, {l1_control="ii", l2_control="jj"}, {"ii", "jj", "i", "j"})
map_to_grid({"jj", "ii"})
map_to_block({"j", "i"})

init("f.c", "product", 0)
tile_by_index({"i", "j", "k"}, {"TILE_Y", "TILE_X", "TILE_K"}, {l1_control="ii", l2_control="jj", l3_control="kk"}, {"ii", "jj", "kk", "k", "i", "j"})
map_to_grid({"jj", "ii"})
map_to_block({"j", "i"})
copy_to_shared("kk", "a", -16, 2)
copy_to_shared("kk", "b", 1, 2)
copy_to_texture("a")
copy_to_texture("b")
copy_to_registers("jj", "c")

init("f.c", "alone", 0)
tile_by_index({"k"}, {"TK"}, {l1_control="kk"}, {"i", "j", "kk", "k"})
map_to_grid({"j", "i"})

init("f.c", "warps", 0)
tile_by_index({"k"}, {"TK"}, {l1_control="kk"}, {"i", "j", "kk", "k"})
map_to_grid({"i"})
reduce("c", "k")
map_to_lanes({"k"})

init("f.c", "edges", 0)
tile_by_index({"i", "j", "k"}, {"TILE_Y", "TILE_X", "TK"}, {l1_control="ii", l2_control="jj", l3_control="kk"}, {"ii", "jj", "i", "j", "kk", "k"})
map_to_grid({"jj", "ii"})
map_to_block({"j", "i"})

init("f.c", "sizes", 0)
tile_by_index({"i", "j"}, {8, 16}, {l1_control="ii", l2_control="jj"}, {"ii", "jj", "i", "j"})
map_to_grid({"jj", "ii"})
map_to_block({"j", "i"})

init("f.c", "host", 0)
map_to_grid({"j"})

//--- f.c
#ifndef N
#define N 67
#endif
#ifndef M
#define M 45
#endif
double a[N][M], b[M][N], c[N][N], d[N][M], g[N][6][M], x[N], y[M], s;

void twice(int n, int m) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      d[i][j] = 2 * a[i][j] + b[j][i];
}

void between(int n, int m) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      d[i][j] += a[i][j];
}

void dot(int n) {
  double t = 0;
  for (int i = 0; i < n; i++)
    t += x[i] * x[i];
  s = t;
}

void columns(int n, int m) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      y[j] += a[i][j];
}

void symbols(int n, int m) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < m; k++)
        c[i][j] += a[i][k] * b[k][j];
}

void product(int n, int m) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < m; k++)
        c[i][j] += a[i][k] * b[k][j];
}

void alone(int n, int m) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < m; k++)
        c[i][j] += a[i][k] * b[k][j];
}

void warps(int n, int m) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < m; k++)
        c[i][j] += a[i][k] * b[k][j];
}

void edges(int n, int m) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < m; k++)
        c[i][j] += a[i][k] * b[k][j];
}

void sizes(int n, int m) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      d[i][j] += b[j][i];
}

// What `k` carries, (1, -1), keeps `j` in it: it is a loop of the host.
void host(int n, int m) {
  for (int i = 0; i < n; i++)
    for (int k = 1; k < 6; k++)
      for (int j = 0; j < m - 1; j++)
        g[i][k][j] = g[i][k - 1][j + 1] + a[i][j];
}

int main(void) {
  volatile int one = 1; // these loops stay on the host
  for (int i = 0; i < N; i += one) {
    x[i] = i % 7;
    for (int j = 0; j < M; j += one)
      a[i][j] = i % 4 - j % 3, b[j][i] = i % 5 + j % 2, g[i][0][j] = i + j;
    for (int j = 0; j < N; j += one)
      c[i][j] = i % 3;
  }
  twice(N, M);
  between(N, M);
  dot(N);
  columns(N, M);
  symbols(N, M);
  product(N, M);
  alone(N, M);
  warps(N, M);
  edges(N, M);
  sizes(N, M);
  host(N, M);
  return 0;
}
