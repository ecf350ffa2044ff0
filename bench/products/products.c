// Matrix products as people write them, for bench.cu. The bench knows the kernels by their lines.
void sgemm(int n, int m, int p, const float A[n][p], const float B[p][m], float C[n][m]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      float s = 0;
      for (int k = 0; k < p; k++)
        s += A[i][k] * B[k][j];
      C[i][j] = s;
    }
}

void dgemm(int n, int m, int p, const double A[n][p], const double B[p][m], double C[n][m]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      double s = 0;
      for (int k = 0; k < p; k++)
        s += A[i][k] * B[k][j];
      C[i][j] = s;
    }
}
