/* What tunables_test.py compiles once and runs with many sizes of blocks, tiles and grids. */
void line(int n, const int* restrict x, int* restrict y) {
  for (int i = 0; i < n; i++) y[i] += 3 * x[i];
}
void plane(int n, int m, int a[restrict n][m], int b[restrict n][m]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) a[i][j] += b[i][j] - 1;
}
void rows(int n, int m, int a[restrict n][m], int* restrict x) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) x[i] += a[i][j];
}
void product(int n, int m, int p, int a[restrict n][p], int b[restrict p][m], int c[restrict n][m]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      for (int k = 0; k < p; k++) c[i][j] += a[i][k] * b[k][j];
}
void ragged(int n, int m, const int* restrict length, int a[restrict n][m], int* restrict y) {
  for (int i = 0; i < n; i++) {
    int s = 0;
    for (int k = 0; k < length[i]; k++) s += a[i][k];
    y[i] = s;
  }
}
