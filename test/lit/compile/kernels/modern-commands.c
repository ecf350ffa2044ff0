// Commands that CUDA-CHiLL did not have: what they ask for stands in the text, or is refused.
// SHOWS: CH-84 CH-85
// RUN: split-file %s %t
// RUN: %warploom compile %t/f.c -o %t/f.cu --recipe %t/all.lua && FileCheck %s < %t/f.cu
// RUN: %exits 1 %warploom compile %t/f.c -o %t/g.cu --recipe %t/wrong.lua 2>&1 | FileCheck %s --check-prefix=WRONG
// RUN: %warploom verify %t/f.c --recipe %t/all.lua --target cpu --sanitize | FileCheck %s --check-prefix=SAME

// CHECK: __launch_bounds__({{.*}}, 3) scale
// CHECK: warploom::loadVector(x_own, &x[i]);
// CHECK: __launch_bounds__(LANES * ROWS) rows
// CHECK: float p_tile[3]{{.*}}
// CHECK: __launch_bounds__(16 * 8) staged
// CHECK: for (Index kk = -(2 * 4), next = 0, buffer = 0;
// CHECK: warploom::copyTile<4, 16 * 8>(thread, p_tile[(buffer + 2) % 3], &p[(8 * ii) * 21 + next], 21,
// CHECK: r_own += p_tile[buffer]
// CHECK: warploom::waitForCopies<1>();
// WRONG: wrong.lua:2: error: {{.*}}none
// SAME: 0 mismatches
// Copies that arrive meanwhile are asynchronous ones of the device, of which one more is under way than is waited for; vectors are of 16 bytes.
// RUN: %if cuda %{ %nvcc -ptx -arch=sm_80 -std=c++17 -I %source/runtime %t/f.cu -o %t/f.ptx && FileCheck %s --check-prefix=PTX < %t/f.ptx %}
// PTX-LABEL: .entry {{.*}}scale
// PTX: ld.global.nc.v4.f32
// PTX-LABEL: .entry {{.*}}staged
// PTX: cp.async.{{c[ag]}}.shared.global
// PTX: cp.async.commit_group
// PTX: cp.async.wait_group 1;

//--- all.lua
region("scale:3")
vectorize("i", {"x", "y"})
launch_bounds("bx", 3)
region("rows:8")
map_to_grid({"r"})
reduce("sum", "k")
warp({"k"})
region("product:18")
tile_by_index({"j", "i"}, {16, 8}, {l1_control="jj", l2_control="ii"}, {"jj", "ii", "j", "i"})
tile_by_index({"k"}, {4}, {l1_control="kk"}, {"kk", "j", "i", "k"}, strided)
cudaize("staged", {}, {block={"jj", "ii"}, thread={"j", "i"}})
copy_to_shared("tx", "p", -16)
copy_to_shared("tx", "q", 1)
copy_to_registers("kk", "r")
pipeline("kk", 3)

//--- wrong.lua
region("scale:3")
vectorize("i", {"x", "none"})

//--- f.c
float x[1003], y[1003], a[67][131], b[67];
void scale(void) {
  for (int i = 0; i < 1003; i++)
    y[i] += 2 * x[i];
}

void rows(void) {
  for (int r = 0; r < 67; r++) {
    float sum = 0;
    for (int k = 0; k < 131; k++)
      sum += a[r][k];
    b[r] = sum;
  }
}

float p[37][21], q[21][45], r[37][45];
void product(void) {
  for (int j = 0; j < 45; j++)
    for (int i = 0; i < 37; i++)
      for (int k = 0; k < 21; k++)
        r[i][j] += p[i][k] * q[k][j];
}

int main(void) {
  for (int i = 0; i < 1003; i++)
    x[i] = i, y[i] = 3;
  for (int i = 0; i < 37; i++)
    for (int k = 0; k < 21; k++)
      p[i][k] = i - k, q[k][i] = i % 3 + k;
  scale();
  rows();
  product();
  return 0;
}
