// Loops that stay on the host: launches follow each other without waiting; the same ones every time are recorded once.
// RUN: %warploom compile %s -o %t.cu && FileCheck --input-file=%t.cu %s
// CHECK-LABEL: extern "C" int warploom_iterate_smooth_
// CHECK: region.repeat(t, [&] {
// CHECK-NEXT: region.launch({
// CHECK: region.launch({
// CHECK-NOT: finish
// CHECK: });
// CHECK: region.copyOut(a, a_device);
// CHECK: return region.finish();
//
// No loop of Gauss and Seidel's sweeps is parallel, but the points of a front are: one launch for each.
// CHECK-LABEL: extern "C" int warploom_iterate_sweep_
// CHECK: for ({{long|Index}} [[FRONT:[a-z0-9_]+]] = {{.*}}; [[FRONT]] <= {{.*}}; ++[[FRONT]]) {
// CHECK-NOT: finish
// CHECK: region.launch({
// CHECK-NOT: {{finish|synchron}}
// CHECK: region.copyOut(a
// CHECK: return region.finish();
//
// RUN: %exits 0 %warploom verify %s --target cpu | FileCheck --check-prefix=SAME %s
// SAME-DAG: verify: region smooth:{{[0-9]+}} array a max abs 0 max rel 0 ok
// SAME-DAG: verify: region sweep:{{[0-9]+}} array a max abs 0 max rel 0 ok
// SAME: , 0 mismatches
// SHOWS: RT-68 CR-48
#include <stdio.h>
#define N 37
int a[N][N], b[N][N];
void smooth(int t, int a[restrict N][N], int b[restrict N][N]) {
  for (int s = 0; s < t; s++) {
    for (int i = 1; i < N - 1; i++)
      for (int j = 1; j < N - 1; j++) b[i][j] = (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]) / 4;
    for (int i = 1; i < N - 1; i++)
      for (int j = 1; j < N - 1; j++) a[i][j] = b[i][j];
  }
}
void sweep(int t, int a[restrict N][N]) {
  for (int s = 0; s < t; s++)
    for (int i = 1; i < N - 1; i++)
      for (int j = 1; j < N - 1; j++) a[i][j] = (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]) / 4;
}
int main(void) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) a[i][j] = (i * 31 + j * 17) % 1009 + printf("");
  smooth(5, a, b);
  sweep(5, a);
  printf("%d\n", a[3][4]);
  return 0;
}
