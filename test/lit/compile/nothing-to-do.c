// Loops that have nothing to do, for all sizes or for some: bounds whose text means nothing then.
// RUN: %exits 0 %warploom verify %s --sanitize | FileCheck %s
// CHECK: verify: 5 regions compared, 11 arrays, 0 mismatches
int A[100], B[100][100], C[300];
double D[100], E[200];

// Not at all when m is small, although there are values below n + 5.
void guarded(int n, int m) {
  for (int i = 0; i < n + 5; i++)
    if (m >= 3) A[i] = i + 1;
}
// The same with a loop that stays on the host.
void swept(int n, int m) {
  for (int t = 0; t < n + 5; t++)
    if (m >= 3)
      for (int i = 0; i < n + 7; i++) B[i][t] += B[i][t + 1] + A[i] + B[i + 1][t];
}
// The host's loop runs up to one of two expressions.
void choice(int n) {
  for (int i = 1; i < n - 2; ++i) {
    C[i + 4] += C[3 * i + 3] + i;
    int v = C[3 * i + 2] - C[3 * i + 1];
    B[i + 1][i] = v * C[3 * i];
  }
}
// The second loop never runs.
void never(int n) {
  for (int i = 1; i < 7; i++) {
    D[i + 6] = D[2 * i + 20];
    for (int j = 0; j < n - 1; j++) E[j + i] += D[j];
    for (int m = i + 2; m <= 2; m++) E[i + 9] = D[m];
  }
}
int main(void) {
  static const int sizes[] = {0, 1, 5, 37};
  for (int a = 0; a < 4; a++)
    for (int b = 0; b < 4; b++) {
      for (int k = 0; k < 300; k++) C[k] = k % 11;
      for (int k = 0; k < 100; k++) {
        A[k] = k % 7;
        D[k] = k % 3;
        for (int j = 0; j < 100; j++) B[k][j] = (k + j) % 5;
      }
      guarded(sizes[a], sizes[b]);
      swept(sizes[a], sizes[b]);
      choice(sizes[a]);
      never(sizes[a]);
    }
  return 0;
}
