/* LU decomposition, L and U by columns, as plain C. */
void lu(int n, int B, int q, double L[n][n], double U[n][n]) {
  for (int k = 0; k < n; k++)
    for (int i = 0; i < n - k - 1; i++) {
      L[k][i + k + 1] = U[k][i + k + 1] / U[k][k];
      for (int j = k; j < n; j++) U[j][i + k + 1] -= L[k][i + k + 1] * U[j][k];
    }
}
