// unroll_to_depth: the innermost loops around every statement are written out, those of what was peeled and of a copy's rest too, up to a loop of the threads; as
// many as it says, and only where how many iterations there are is known. The compiler does what the text says.
// SHOWS: CH-34
// RUN: rm -rf %t && split-file %s %t
// RUN: %warploom compile %t/f.c -o %t/none.cu --recipe %t/none.lua && %warploom compile %t/f.c -o %t/zero.cu --recipe %t/zero.lua && grep -v "^// " %t/none.cu > %t/none && grep -v "^// " %t/zero.cu | sed s/zero/none/g > %t/zero && diff %t/none %t/zero
// RUN: FileCheck --check-prefix=ZERO --input-file=%t/zero.cu %s
// RUN: %warploom compile %t/f.c -o %t/one.cu --recipe %t/one.lua && FileCheck --check-prefix=ONE --input-file=%t/one.cu %s
// RUN: %warploom compile %t/f.c -o %t/two.cu --recipe %t/two.lua && FileCheck --check-prefix=TWO --input-file=%t/two.cu %s
//
// ZERO-LABEL: void __launch_bounds__(BLOCK) deep
// ZERO-NOT: #pragma unroll
// ZERO-LABEL: extern "C"
//
// ONE-LABEL: void __launch_bounds__(BLOCK) deep
// ONE-NOT: #pragma unroll
// ONE: for (Index s = 0; s <= 5; ++s) {
// ONE-NEXT: #pragma unroll
// ONE-NEXT: for (Index t = 0; t <= 1; ++t) {
// ONE: #pragma unroll
// ONE-NEXT: for (Index t = 2; t <= 6; ++t) {
// ONE-NOT: #pragma unroll
// ONE-LABEL: extern "C"
//
// TWO-LABEL: void __launch_bounds__(BLOCK) deep
// TWO-NOT: #pragma unroll
// TWO: #pragma unroll
// TWO-NEXT: for (Index s = 0; s <= 5; ++s) {
// TWO-NEXT: #pragma unroll
// TWO-NEXT: for (Index t = 0; t <= 1; ++t) {
// TWO: #pragma unroll
// TWO-NEXT: for (Index t = 2; t <= 6; ++t) {
//
// The loop over slabs is outside the loop of the threads, and stays.
// TWO-LABEL: slabs(
// TWO-NOT: #pragma unroll
// TWO: for (Index kk = 0; kk < 4; ++kk) {
// TWO: for (Index i = 8 * ii + Index(threadIdx.x);
// TWO: #pragma unroll
// TWO-NEXT: for (Index k = 200 * kk; k <= 200 * kk + 199; ++k) {
// How often this one runs is not known: it and what is around it stay.
// TWO-LABEL: void __launch_bounds__(BLOCK) unknown
// TWO-NOT: #pragma unroll
// TWO-LABEL: extern "C"
//
// RUN: %exits 0 %warploom verify %t/f.c --recipe %t/two.lua --target cpu --sanitize | FileCheck --check-prefix=SAME %s
// SAME-NOT: sanitize:
// SAME: 3 regions compared, 3 arrays, 0 mismatches
//
// RUN: %if cuda %{ %nvcc -ptx -arch=sm_80 -std=c++17 -I %source/runtime %t/two.cu -o %t/two.ptx %}
// RUN: %if cuda %{ %python -c "import sys; print(max(part.count('fma.rn.f64') for part in open(sys.argv[1]).read().split('.entry') if 'slabs' in part[:60]))" %t/two.ptx | FileCheck --check-prefix=PTX %s %}
// PTX: {{^2[0-9][0-9]$}}

//--- none.lua
init("f.c", "deep", 0)
peel("t", 2)
map_to_grid({"r"})

//--- zero.lua
init("f.c", "deep", 0)
peel("t", 2)
map_to_grid({"r"})
unroll_to_depth(0)

//--- one.lua
init("f.c", "deep", 0)
peel("t", 2)
map_to_grid({"r"})
unroll_to_depth(1)

//--- two.lua
init("f.c", "deep", 0)
peel("t", 2)
map_to_grid({"r"})
unroll_to_depth(2)

init("f.c", "slabs", 0)
tile_by_index({"i", "k"}, {8, 200}, {l1_control="ii", l2_control="kk"}, {"ii", "kk", "i", "k"})
cudaize("slabs", {}, {block={"ii"}, thread={"i"}})
unroll_to_depth(3)

init("f.c", "unknown", 0)
map_to_grid({"r"})
unroll_to_depth(2)

//--- f.c
double e[1003], f[1003][6][7], w[61], A[61][800], x[800], y[61];
void deep(void) {
  for (int r = 0; r < 1003; r++)
    for (int s = 0; s < 6; s++)
      for (int t = 0; t < 7; t++)
        e[r] += f[r][s][t] * w[s * 7 + t];
}

void slabs(void) {
  for (int i = 0; i < 61; i++)
    for (int k = 0; k < 800; k++)
      y[i] += A[i][k] * x[k];
}

void unknown(int n) {
  for (int r = 0; r < 61; r++)
    for (int s = 0; s < 4; s++)
      for (int t = 0; t < n; t++)
        y[r] += A[r][t] * s;
}

int main(void) {
  volatile int one = 1; // these loops stay on the host
  for (int i = 0; i < 1003; i += one) {
    e[i] = i % 3;
    for (int s = 0; s < 42; s += one)
      f[i][s / 7][s % 7] = (i + s) % 5;
  }
  for (int i = 0; i < 61; i += one) {
    w[i] = i % 4, y[i] = i;
    for (int k = 0; k < 800; k += one)
      A[i][k] = (i + k) % 6, x[k] = k % 3;
  }
  deep();
  slabs();
  unknown(37);
  return 0;
}
