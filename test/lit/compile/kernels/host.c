// The host's half: what is allocated, what moves, what is passed by value, what is there afterwards.
// RUN: %warploom compile %s -o %t.cu && FileCheck --input-file=%t.cu %s
// Only the runtime talks to CUDA, and it checks every call.
// RUN: not grep -E "cuda[A-Z]|<<<" %t.cu
//
// CHECK: extern "C" int warploom_host_scale_{{[0-9]+}}(long n, double factor, const double* in, double* out)
// CHECK: if (!region.useDevice()) return 0;
// CHECK: if (!(n >= 1)) return region.stayOnHost("there is nothing to do");
// CHECK: auto in_device = region.array<double>("in", {static_cast<std::size_t>(in_size)}, in);
// CHECK-NEXT: auto out_device = region.array<double>("out", {static_cast<std::size_t>(out_size)}, out);
// CHECK-NEXT: region.copyIn(in_device, in);
// CHECK: region.launch(warploom::line(0, n, BLOCK), scale_
// What is only read does not come back.
// CHECK-NOT: region.copyOut(in
// CHECK: region.copyOut(out, out_device);
// CHECK-NEXT: return region.finish();
//
// A part of an array: subscripts beyond the loop's own extent, in an array that is larger still.
// CHECK-LABEL: extern "C" int warploom_host_offset_
// CHECK: region.copyOut(
//
// RUN: %exits 0 %warploom verify %s --sanitize | FileCheck --check-prefix=SAME %s
// SAME: 10 0 33 707
// SAME-NOT: sanitize:
// SAME-DAG: verify: region scale:{{[0-9]+}} array out max abs 0 max rel 0 ok
// SAME-DAG: verify: region offset:{{[0-9]+}} array {{.+}} max abs 0 max rel 0 ok
// SAME-DAG: verify: region up:{{[0-9]+}} array i max abs 0 max rel 0 ok
// SAME-DAG: verify: region down:{{[0-9]+}} array i max abs 0 max rel 0 ok
// SAME-DAG: verify: region by:{{[0-9]+}} array i max abs 0 max rel 0 ok
// SAME-DAG: verify: region two:{{[0-9]+}} array j max abs 0 max rel 0 ok
// SAME: , 0 mismatches
// SHOWS: CH-21 MF-47 RT-65 CR-50 CR-51 CR-53
#include <stdio.h>
int x[250];
double y[100], z[100];
void scale(int n, double factor, const double* restrict in, double* restrict out) {
  for (int i = 0; i < n; i++) out[i] = factor * in[i];
}
void offset(void) {
  for (int j = 1; j <= 100; j++) x[j] = x[j + 100] + 10;
}
int up(int n) {
  int i;
  for (i = 0; i < n; i++) x[i] = 2 * x[i];
  return i;
}
int down(int n) {
  int i;
  for (i = n; i > 0; i--) x[i] = 2 * x[i];
  return i;
}
int by(int n) {
  int i;
  for (i = 0; i < n; i += 3) x[i] = 3 * x[i];
  return i;
}
int two(int n) {
  int i, j;
  for (i = 0; i < n; i++)
    for (j = i; j < n; j++) x[j] += 1;
  return 100 * i + j;
}
int main(void) {
  for (int k = 0; k < 250; k++) x[k] = k + 1 + printf("");
  for (int k = 0; k < 100; k++) z[k] = k + 1 + printf("");
  scale(99, 3, z, y);
  offset();
  printf("%d ", up(10));
  printf("%d ", down(20));
  printf("%d ", by(31));
  printf("%d\n", two(7));
  return y[0] != 3;
}
