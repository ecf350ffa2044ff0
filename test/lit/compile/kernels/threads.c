// Which loop the threads follow, where scalars live, and in which order kernels run: in the text, and when it is run.
// RUN: %warploom compile %s -o %t.cu && FileCheck --input-file=%t.cu %s
// RUN: %exits 0 %warploom verify %s --sanitize | FileCheck --check-prefix=SAME %s
// SAME: 4950 60 14
// SAME-NOT: MISMATCH
// SAME: 0 mismatches
//
// The loop along which accesses are contiguous follows x, though the source has it outside.
// CHECK-LABEL: __global__ {{.*}}void {{.*}}swapped_
// CHECK: for (Index i = blockIdx.y * Index(BLOCK_Y) + threadIdx.y;
// CHECK-NEXT: for (Index j = blockIdx.x * Index(BLOCK_X) + threadIdx.x;
//
// What neighbours read far apart goes through shared memory; what is written once and read nowhere stays in global memory.
// Rows of the tile have a length that shares no factor with the 32 banks, so that columns are read from all of them.
// CHECK: double b_tile[BLOCK_X][warploom::coprime(Tiles::STACK_Y, 32)];
// CHECK-LABEL: __global__ {{.*}}void {{.*}}turned_
// CHECK: c[{{.*}}] = b_tile[
//
// A scalar that the source declares in the loop is the thread's own; one from outside is an argument.
// CHECK-LABEL: __global__ {{.*}}void {{.*}}gathered_
// CHECK: double alpha,
// CHECK: {{^    }}int p;
// CHECK-NEXT: p = at[i];
//
// Of two loops that depend on each other, the first is launched first.
// CHECK-LABEL: extern "C" int warploom_threads_ordered_
// CHECK: region.launch({{.*}}, ordered_[[#FIRST:]]<
// CHECK: region.launch({{.*}}, ordered_[[# FIRST + 1]]<
// SHOWS: RT-31 RT-53 RT-58 MF-57 MF-50
#include <stdio.h>
static double a[40][70], b[40][70], c[70][40], x[99], y[99];
static int at[99];
void swapped(int n, int m) {
  for (int j = 0; j < m; j++)
    for (int i = 0; i < n; i++) a[i][j] = 2 * b[i][j];
}
void turned(int n, int m) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) c[j][i] = b[i][j];
}
void gathered(int n, double alpha) {
  for (int i = 0; i < n; i++) {
    int p = at[i];
    x[i] = y[p] * alpha;
  }
}
void ordered(int n) {
  for (int i = 0; i < n; i++) x[i] = y[i] + 1;
  for (int i = 0; i < n; i++) y[i] = x[n - 1 - i];
}
int main(void) {
  for (int i = 0; i < 40; i++)
    for (int j = 0; j < 70; j++) b[i][j] = i + j;
  for (int i = 0; i < 99; i++) y[i] = i, at[i] = 98 - i;
  swapped(40, 70);
  turned(40, 70);
  gathered(99, 2);
  ordered(99);
  double sum = 0;
  for (int i = 0; i < 99; i++) sum += y[i];
  printf("%g %g %g\n", sum, a[10][20], c[3][11]);
  return 0;
}
