/* Matrix-vector product as plain C. */
void matvec(int N, int B, int s, int a[N][N], int b[N], int c[N]) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) c[i] += a[i][j] * b[j];
}
