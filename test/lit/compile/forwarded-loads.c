// A load between two loops, kept in a scalar: the uses load by themselves where that makes a nest that can be tiled.
// RUN: %warploom compile %s -o %t.cu --explain -- -w 2>&1 | FileCheck %s
// RUN: %warploom verify %s --target cpu --sanitize -- -w 2>&1 | FileCheck --check-prefix=RIGHT %s
// RIGHT-DAG: region backward:{{[0-9]+}} array dinp {{.*}}ok
// RIGHT-DAG: region backward:{{[0-9]+}} array dweight {{.*}}ok
// RIGHT-DAG: region changing:{{[0-9]+}} array v {{.*}}ok
// RIGHT: 0 mismatches
#include <stdlib.h>

void backward(float *restrict dinp, float *restrict dweight, float *dbias, const float *restrict dout, const float *restrict inp,
              const float *restrict weight, int B, int T, int C, int OC) {
  for (int b = 0; b < B; b++)
    for (int t = 0; t < T; t++) {
      const float *dout_bt = dout + b * T * OC + t * OC;
      float *dinp_bt = dinp + b * T * C + t * C;
      for (int o = 0; o < OC; o++) {
        const float *row = weight + o * C;
        // CHECK-DAG: `dout_bt[o]` goes through shared memory in kernel
        float d = dout_bt[o];
        // CHECK-DAG: `dinp_bt[i]` stays in registers in kernel
        for (int i = 0; i < C; i++) dinp_bt[i] += row[i] * d;
      }
    }
  for (int o = 0; o < OC; o++)
    for (int b = 0; b < B; b++)
      for (int t = 0; t < T; t++) {
        const float *dout_bt = dout + b * T * OC + t * OC;
        const float *inp_bt = inp + b * T * C + t * C;
        float *drow = dweight + o * C;
        float d = dout_bt[o];
        if (dbias != NULL) dbias[o] += d;
        // CHECK-DAG: [[@LINE+1]]:9: loop '{{i_[0-9]}}_tiles' runs over tiles of TILE_X
        for (int i = 0; i < C; i++) drow[i] += inp_bt[i] * d;
      }
}

/* The loop changes what it loads: the scalar keeps the old value. */
void changing(int n, int m, float v[restrict n][m], float out[restrict n][m]) {
  for (int i = 0; i < n; i++)
    for (int k = 1; k < m; k++) {
      float d = v[i][k];
      for (int j = 0; j < k; j++) {
        v[i][k] += j;
        out[i][j] += v[i][j] * d;
      }
    }
}

int main(void) {
  int B = 2, T = 37, C = 41, OC = 53;
  float *dinp = calloc(B * T * C, 4), *dw = calloc(OC * C, 4), *db = calloc(OC, 4), *dout = malloc(4 * B * T * OC);
  float *inp = malloc(4 * B * T * C), *w = malloc(4 * OC * C);
  for (int i = 0; i < B * T * OC; i++) dout[i] = (i % 17) - 8;
  for (int i = 0; i < B * T * C; i++) inp[i] = (i % 13) - 6;
  for (int i = 0; i < OC * C; i++) w[i] = (i % 11) - 5;
  backward(dinp, dw, db, dout, inp, w, B, T, C, OC);
  backward(dinp, dw, NULL, dout, inp, w, B, T, C, OC);
  static float v[20][30], out[20][30];
  for (int i = 0; i < 600; i++) v[i / 30][i % 30] = i % 5;
  changing(20, 30, v, out);
  return 0;
}
