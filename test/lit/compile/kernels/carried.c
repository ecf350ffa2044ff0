// Tridiagonal systems side by side, as in methods of alternating directions: what each step takes from the one before is in
// registers of its thread. `p` is needed by two statements, and by the second when its next value is there.
// RUN: split-file %s %t
// RUN: %warploom compile %t/f.c -o %t/f.cu --recipe %t/carry.lua && FileCheck %s < %t/f.cu
// RUN: %warploom verify %t/f.c --recipe %t/carry.lua --target cpu --sanitize | FileCheck %s --check-prefix=SAME

// CHECK: p_last = p[i * n + 0];
// CHECK: q_last = q[i * n + 0];
// CHECK: for (Index j = 1; j < n; ++j) {
// CHECK-NEXT: p_now = -c / (a * p_last + b);
// CHECK-NEXT: p[i * n + j] = p_now;
// CHECK-NEXT: q_last = (u[j * n + i] - a * q_last) / (a * p_last + b);
// CHECK-NEXT: q[i * n + j] = q_last;
// CHECK-NEXT: p_last = p_now;
// CHECK: v_last = v[n * n + i];
// CHECK: v_last = p[i * n + j] * v_last + q[i * n + j];
// CHECK: v[j * n + i] = v_last;
// SAME: 0 mismatches

//--- carry.lua
region("solve:2")
original()
carry("p", "j")
carry("q", "j")
carry("v", "j_2")
for _, scalar in ipairs({"p_last", "p_now", "q_last", "v_last"}) do privatise(scalar, "i") end
map_to_grid({"i"})

//--- f.c
static void solve(int n, double a, double b, double c, const double u[restrict][n], double v[restrict][n], double p[restrict][n], double q[restrict][n]) {
  for (int i = 0; i < n; i++) {
    p[i][0] = 0;
    q[i][0] = u[0][i];
    for (int j = 1; j < n; j++) {
      p[i][j] = -c / (a * p[i][j - 1] + b);
      q[i][j] = (u[j][i] - a * q[i][j - 1]) / (a * p[i][j - 1] + b);
    }
    v[n][i] = 1;
    for (int j = n - 1; j >= 0; j--) v[j][i] = p[i][j] * v[j + 1][i] + q[i][j];
  }
}

int main(void) {
  static double u[37][37], v[38][37], p[37][37], q[37][37];
  for (int i = 0; i < 37; i++)
    for (int j = 0; j < 37; j++) u[i][j] = (i * 7 + j * 3) % 11;
  solve(37, -0.25, 2.5, -0.25, u, v, p, q);
  double sum = 0;
  for (int i = 0; i < 38; i++)
    for (int j = 0; j < 37; j++) sum += v[i][j] * (i - j);
  return !(sum < 1e9);
}
