/* Matrix addition as plain C. */
void addition(int N, int B0, int B1, int s, int a[N][N], int b[N][N], int c[N][N]) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) c[i][j] = a[i][j] + b[i][j];
}
