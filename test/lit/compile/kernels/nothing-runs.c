// A loop that never runs, beside one that does, is no product.
// RUN: %warploom compile %s -o %t.cu && FileCheck %s < %t.cu
// RUN: %warploom verify %s --target cpu --sanitize | FileCheck %s --check-prefix=SAME
// CHECK: B[2 * i + 4] -= D[i * 40 + 0];
// SAME: 0 mismatches
double B[200], D[80][40];

void steps(int n) {
  for (int i = 0; i < n - 1; i += 3) {
    B[2 * i + 4] -= D[i][0];
    for (int j = 2; j < 5; j++)
      for (int l = 0; l <= 2; l += 3)
        for (long m = 1; m < l; m += 2) {
          D[i + j][j + 4] = B[3 * j + n + 2] * B[n - l + 3];
          B[n - l + 2] += B[n - l + 2] - D[(i + 3) % 3][l + 2];
        }
  }
}

int main(void) {
  for (int i = 0; i < 200; i++) B[i] = i % 7;
  for (int i = 0; i < 80; i++) D[i][0] = i;
  steps(30);
  return B[4] != 4;
}
