/* Matrix transpose as plain C. */
void transpose(int N, int B0, int B1, int s, int a[N][N], int c[N][N]) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) c[i][j] = a[j][i];
}
