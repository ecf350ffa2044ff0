// Loops that hand values on: scans over the grid, rows by warps, and places that are counted; what only looks like one stays.
// RUN: %warploom compile %s -o %t.cu --explain > %t.log 2>&1 && FileCheck --input-file=%t.cu %s
// RUN: FileCheck --check-prefix=STAYS --input-file=%t.log %s
// CHECK: // prefix, line {{[0-9]+}}: loop i by a scan of s over x.
// CHECK: warploom::TileBoard<warploom::Folded<warploom::Sum,{{[[:space:]]+}}double>> board
// CHECK: const long tile = warploom::nextTile(board);
// CHECK: double s_part = warploom::Sum::identity<double>();
// CHECK-NEXT: s_part += a[i];
// CHECK-NEXT: items[item] = s_part;
// CHECK: warploom::scanTile<SCAN_BLOCK>(items, values, tile, before, board);
// CHECK-NEXT: warploom::eachItem<SCAN_ITEMS, SCAN_BLOCK * SCAN_ITEMS>(here, [&](int item, int place) {
// CHECK-NEXT: const Index i = start + place;
// CHECK-NEXT: s = values[item];
// CHECK-NEXT: s += a[i];
// CHECK-NEXT: b[i] = s;
// CHECK-NEXT: });
// CHECK-NEXT: if (start + here == n && warploom::hasItem<SCAN_ITEMS>(here - 1)) {
// CHECK-NEXT: warploom::lastValue(s_out, s);
// CHECK: warploom::TileMemory<warploom::Folded<warploom::Sum,{{[[:space:]]+}}double>>(warploom::tiles(n, SCAN_BLOCK * SCAN_ITEMS), region.stream())
//
// CHECK: // rows, line {{[0-9]+}}: loop i over warps, loop j by a scan of a_last by the lanes of a warp.
// CHECK: a_last = a[i * m + 0];
// CHECK: warploom::Affine<double> a_last_part = warploom::Affine<double>::identity();
// CHECK-NEXT: a_last_part = c[j] * a_last_part + b[i * m + j];
// CHECK-NEXT: items[item] = a_last_part.item();
// CHECK: warploom::scanWarp<ROWS>(items, values, before);
//
// CHECK: // compact, line {{[0-9]+}}: loop i by a scan of j over x.
// CHECK: j = values[item];
// CHECK-NEXT: if (a[i] > 0) {
// CHECK-NEXT: b[j] = a[i];
//
// CHECK: // largest, line {{[0-9]+}}: loop i, loop j by a scan of m and at over x.
// CHECK: const Index number = start + place;
// CHECK-NEXT: const Index i = number / k;
// CHECK-NEXT: const Index j = number % k;
// CHECK: if_0 = a[i * k + j] > m_part;
// CHECK: items[item] = {m_part, {at_part, {}}};
// STAYS: the region squares:{{[0-9]+}} stays as it was: no loop of it can run in parallel
//
// Floating point in order leaves whole numbers alone.
// RUN: %warploom compile %s -o %t.strict.cu --strict-fp && FileCheck --check-prefix=STRICT --input-file=%t.strict.cu %s
// STRICT-NOT: scan of s over
// STRICT-NOT: scan of a_last
// STRICT: // compact, line {{[0-9]+}}: loop i by a scan of j over x.
//
// The steps that were taken, replayed, make the same kernels.
// RUN: %warploom compile %s -o %t.one.cu --emit-recipe %t.lua && %warploom compile %s -o %t.two.cu --recipe %t.lua
// RUN: grep -v "^// Generated" %t.one.cu > %t.one && grep -v "^// Generated" %t.two.cu > %t.two && diff %t.one %t.two
// RUN: grep 'scan("i")' %t.lua && grep 'carry("a", "j")' %t.lua
//
// RUN: %exits 0 %warploom verify %s --sanitize -o %t.prog --arg 67 --arg 131 | FileCheck --check-prefix=SAME %s
// RUN: %exits 0 %t.prog 1 33 2>&1 | FileCheck --check-prefix=SAME %s
// RUN: %exits 0 %t.prog 5 2 2>&1 | FileCheck --check-prefix=SAME %s
// SAME-NOT: sanitize:
// SAME: 5 regions compared, {{[0-9]+}} arrays, 0 mismatches
#include <stdio.h>
#include <stdlib.h>
double prefix(int n, const double* restrict a, double* restrict b) {
  double s = 0;
  for (int i = 0; i < n; i++) {
    s += a[i];
    b[i] = s;
  }
  return s;
}
void rows(int n, int m, double a[restrict n][m], const double b[restrict n][m], const double c[restrict m]) {
  for (int i = 0; i < n; i++)
    for (int j = 1; j < m; j++) a[i][j] = c[j] * a[i][j - 1] + b[i][j];
}
int compact(int n, const double* restrict a, double* restrict b) {
  int j = 0;
  for (int i = 0; i < n; i++)
    if (a[i] > 0) b[j++] = a[i];
  return j;
}
int largest(int n, int k, const double a[restrict n][k]) {
  double m = 0;
  int at = -1;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < k; j++)
      if (a[i][j] > m) {
        m = a[i][j];
        at = i * 1000 + j;
      }
  return at;
}
double squares(int n, const double* restrict a, double* restrict b) {
  double s = 0;
  for (int i = 0; i < n; i++) {
    s = s * s * 1e-3 + a[i];
    b[i] = s;
  }
  return s;
}
int main(int argc, char** argv) {
  int n = atoi(argv[argc - 2]), m = atoi(argv[argc - 1]);
  double *a = malloc(sizeof(double) * n * m), *b = malloc(sizeof(double) * n * m), c[200];
  for (int i = 0; i < n * m; i++) a[i] = i % 7 - 2, b[i] = i % 5;
  for (int i = 0; i < 200; i++) c[i] = (i % 3 - 1) * 0.5;
  double s = prefix(n * m, a, b);
  rows(n, m, (void*)a, (void*)b, c);
  int k = compact(n * m, a, b) + largest(n, m, (void*)a);
  printf("%g %d %g %g\n", s, k, b[0], squares(n * m, a, b));
  return 0;
}
