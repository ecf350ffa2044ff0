/* T steps of a stencil of four points as plain C. */
void jacobi2d(int N, int T, int B0, int B1, int s, int a[N][N], int b[N][N]) {
  for (int t = 0; t < T; t++) {
    for (int i = 1; i < N - 1; i++)
      for (int j = 1; j < N - 1; j++) b[i][j] = (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]) / 4;
    for (int i = 1; i < N - 1; i++)
      for (int j = 1; j < N - 1; j++) a[i][j] = b[i][j];
  }
}
