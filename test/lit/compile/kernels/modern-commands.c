// Commands that CUDA-CHiLL did not have: what they ask for stands in the text, or is refused.
// RUN: split-file %s %t
// RUN: %warploom compile %t/f.c -o %t/f.cu --recipe %t/all.lua && FileCheck %s < %t/f.cu
// RUN: %exits 1 %warploom compile %t/f.c -o %t/g.cu --recipe %t/wrong.lua 2>&1 | FileCheck %s --check-prefix=WRONG
// RUN: %warploom verify %t/f.c --recipe %t/all.lua --target cpu --sanitize | FileCheck %s --check-prefix=SAME

// CHECK: __launch_bounds__({{.*}}, 3) scale
// CHECK: warploom::loadVector(x_own, &x[i]);
// CHECK: __launch_bounds__(LANES * ROWS) rows
// WRONG: wrong.lua:2: error: {{.*}}none
// SAME: 0 mismatches

//--- all.lua
region("scale:3")
vectorize("i", {"x", "y"})
launch_bounds("bx", 3)
region("rows:8")
map_to_grid({"r"})
reduce("sum", "k")
warp({"k"})

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

int main(void) {
  for (int i = 0; i < 1003; i++)
    x[i] = i, y[i] = 3;
  scale();
  rows();
  return 0;
}
