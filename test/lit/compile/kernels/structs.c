// Structs on the device: defined again with the layout of the source, used by fields and as a whole.
// RUN: %warploom compile %s -o %t.cu && FileCheck --input-file=%t.cu %s
//
// CHECK: namespace source {
// CHECK: struct vec {
// CHECK-NEXT: double x;
// CHECK-NEXT: double y;
// CHECK-NEXT: double z;
// CHECK-NEXT: };
// CHECK-NEXT: static_assert(sizeof(vec) == 24, "vec is laid out as in the source");
// CHECK-NEXT: static_assert(offsetof(vec, y) == 8,
// What kernels have no word for is there as bytes, a small union as a number, pointers as addresses; keywords of C++ have another name.
// CHECK: struct body {
// CHECK-NEXT: source::vec at;
// CHECK-NEXT: source::vec moves;
// CHECK-NEXT: double trail[2][3];
// CHECK-NEXT: int new_;
// CHECK-NEXT: void* name;
// CHECK-NEXT: alignas(16) unsigned char exact[16];
// CHECK-NEXT: unsigned long long tag;
// CHECK-NEXT: bool on;
// CHECK-NEXT: };
// CHECK-NEXT: static_assert(sizeof(body) == 144,
// CHECK-NEXT: static_assert(offsetof(body, moves) == 24,
//
// One array of structs, whichever fields of it are used.
// CHECK: move_{{[0-9]+}}(Index n, double dt, source::body* __restrict__ b)
// CHECK: b[i].at.x += dt * b[i].moves.x;
// CHECK-NEXT: b[i].trail[1][i % 3] = b[i].at.x;
// CHECK-NEXT: b[i].new_ = i;
// CHECK-NEXT: b[i].on = b[i].at.x > 3;
// CHECK: extern "C" int warploom_structs_move_{{[0-9]+}}(long n, double dt, void* b_memory)
// CHECK: source::body* b = static_cast<source::body*>(b_memory);
// CHECK: region.array<source::body>("b", {static_cast<std::size_t>(b_size)}, b)
// What is compared: the fields that are written.
// CHECK: visit(context, "b.at.x", &b[0].at.x, static_cast<unsigned long>(b_size), sizeof *b, "double");
// CHECK-NEXT: for (long k0 = 0; k0 < 2; ++k0) {
// CHECK-NEXT: for (long k1 = 0; k1 < 3; ++k1) {
// CHECK-NEXT: visit(context, "b.trail", &b[0].trail[k0][k1],
// CHECK: visit(context, "b.new",
// CHECK-NEXT: visit(context, "b.on", {{.*}} "bool");
//
// A whole struct is copied as one; a thread has its own.
// CHECK: turn_{{[0-9]+}}(Index n, const source::vec* __restrict__ a,
// CHECK-NEXT: source::vec* __restrict__ c)
// CHECK: source::vec t;
// CHECK-NEXT: t = a[i];
// CHECK-NEXT: t.x = -t.x;
// CHECK-NEXT: c[n - 1 - i] = t;
//
// Of a struct that nobody speaks of as a whole, fields are arguments of their own; pointers in it are followed once.
// CHECK: fill_{{[0-9]+}}(Index nx, Index ny, double grid_scale,
// CHECK-NEXT: const double* __restrict__ grid_offsets, double* __restrict__ grid_data) {
// CHECK: grid_data[i * ny + j] = grid_scale * (i + grid_offsets[j]);
//
// Rows of structs, a sum of each, and a product of matrices that are fields.
// CHECK: P[i * 7 + j].re
//
// RUN: %exits 0 %warploom verify %s --target cpu -o %t.prog --arg 1 | FileCheck --check-prefix=SAME %s
// RUN: %exits 0 %t.prog 33 | FileCheck --check-prefix=SAME %s
// RUN: %exits 0 %warploom verify %s --sanitize --arg 40 | FileCheck --check-prefix=SAME %s
// SAME: verify: region move:{{[0-9]+}} array b.at.x max abs 0 max rel 0 ok
// SAME: verify: region move:{{[0-9]+}} array b.trail max abs 0 max rel 0 ok
// SAME: verify: region turn:{{[0-9]+}} array c.z max abs 0 max rel 0 ok
// SAME: verify: region fill:{{[0-9]+}} array grid.data max abs 0 max rel 0 ok
// SAME: verify: region norms:{{[0-9]+}} array out
// SAME: , 0 mismatches
// SHOWS: CH-9
#include <stdio.h>
#include <stdlib.h>
struct vec { double x, y, z; };
typedef struct {
  struct vec at, moves;
  double trail[2][3];
  int new;
  const char* name;
  long double exact;
  union { int i; double d; } tag;
  _Bool on;
} body;
struct field { int nx, ny; double scale, offsets[16], *data; };
struct complex { float re, im; };

void move(int n, double dt, body* b) {
  for (int i = 0; i < n; i++) {
    b[i].at.x += dt * b[i].moves.x;
    b[i].trail[1][i % 3] = b[i].at.x;
    b[i].new = i;
    b[i].on = b[i].at.x > 3;
  }
}
void turn(int n, struct vec a[n], struct vec c[n]) {
  for (int i = 0; i < n; i++) {
    struct vec t = a[i];
    t.x = -t.x;
    c[n - 1 - i] = t;
  }
}
void fill(struct field grid) {
  int nx = grid.nx, ny = grid.ny;
  for (int i = 0; i < nx; i++)
    for (int j = 0; j < ny; j++) grid.data[i * ny + j] = grid.scale * (i + grid.offsets[j]);
}
void norms(int n, struct complex P[n][7], float out[n]) {
  for (int i = 0; i < n; i++) {
    out[i] = 0;
    for (int j = 0; j < 7; j++) out[i] += P[i][j].re * P[i][j].re + P[i][j].im * P[i][j].im;
  }
}
int main(int argc, char** argv) {
  int n = argc > 1 ? atoi(argv[1]) : 20;
  body* b = calloc(n, sizeof *b);
  struct vec *a = calloc(n, sizeof *a), *c = calloc(n, sizeof *c);
  struct complex(*P)[7] = calloc(n, sizeof *P);
  float* out = calloc(n, sizeof *out);
  struct field grid = {n, 16, 0.5, {1, 2, 3}, calloc(n, 16 * sizeof(double))};
  for (int i = 0; i < n; i++) {
    b[i].moves.x = i;
    a[i].x = i, a[i].z = 2 * i;
    P[i][i % 7].re = i, P[i][2].im = 1;
  }
  move(n, 0.25, b);
  turn(n, a, c);
  fill(grid);
  norms(n, P, out);
  printf("%g %g %g %g\n", b[n - 1].at.x, c[0].x, grid.data[n], out[n / 2]);
  return 0;
}
