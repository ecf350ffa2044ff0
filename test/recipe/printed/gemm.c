/* The matrix product of CUDA-CHiLL's recipes: columns are contiguous along i. */
#ifndef N
#define N 100
#endif
#ifndef REAL
#define REAL float
#endif
REAL a[N][N], b[N][N], c[N][N];

void gemm(void) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      for (int k = 0; k < N; k++)
        c[j][i] += a[k][i] * b[j][k];
}

int main(void) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      a[i][j] = i % 7 - j % 5;
      b[i][j] = i % 3 + j % 4;
      c[i][j] = i % 2;
    }
  gemm();
  return 0;
}
