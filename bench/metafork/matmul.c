/* Matrix product as plain C. */
void matmul(int N, int B0, int B1, int s, int a[N][N], int b[N][N], int c[N][N]) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      for (int k = 0; k < N; k++) c[i][j] += a[i][k] * b[k][j];
}
