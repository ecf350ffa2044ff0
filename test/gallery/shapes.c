/* The loops whose kernels docs/compile.md shows, one function per shape. */
void scale(int n, int m, double a[restrict n][m]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      a[i][j] *= 2;
}

double sum(int n, double a[restrict n]) {
  double s = 0;
  for (int i = 0; i < n; i++)
    s += a[i];
  return s;
}

void rows(int n, int m, double A[restrict n][m], double x[restrict m], double y[restrict n]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      y[i] += A[i][j] * x[j];
}

void columns(int n, int m, double A[restrict n][m], double x[restrict n], double y[restrict m]) {
  for (int j = 0; j < m; j++)
    for (int i = 0; i < n; i++)
      y[j] += A[i][j] * x[i];
}

void product(int n, double A[restrict n][n], double B[restrict n][n], double C[restrict n][n]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        C[i][j] += A[i][k] * B[k][j];
}

void apply(int n, int m, double a[restrict n][m], double d[restrict n]) {
  for (int i = 1; i < n; i++)
    d[i] -= d[i - 1] * d[i - 1];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      a[i][j] *= d[i];
}

void strips(int n, float a, const float x[restrict n], float y[restrict n]) {
  for (int i = 0; i < n; i++)
    y[i] = a * x[i] + y[i];
}

void sparse(int n, const int start[restrict n + 1], const int column[restrict], const double value[restrict],
            const double x[restrict n], double y[restrict n]) {
  for (int i = 0; i < n; i++) {
    double s = 0;
    for (int k = start[i]; k < start[i + 1]; k++)
      s += value[k] * x[column[k]];
    y[i] = s;
  }
}

double prefix(int n, const double x[restrict n], double y[restrict n]) {
  double s = 0;
  for (int i = 0; i < n; i++) {
    s += x[i];
    y[i] = s;
  }
  return s;
}

void sweep(int n, int m, const float a[restrict n][m], float b[restrict n][m]) {
  for (int i = 1; i < n - 1; i++)
    for (int j = 0; j < m; j++)
      b[i][j] = (a[i - 1][j] + 2 * a[i][j] + a[i + 1][j]) / 4;
}

void transpose(int n, int m, const double a[restrict m][n], double b[restrict n][m]) {
  for (int j = 0; j < m; j++)
    for (int i = 0; i < n; i++)
      b[i][j] = a[j][i];
}

void forces(int n, const float at[restrict n], const float charge[restrict n], float force[restrict n]) {
  for (int i = 0; i < n; i++)
    for (int k = 0; k < n; k++) {
      float d = at[i] - at[k];
      force[i] += charge[k] * d / (d * d + 1);
    }
}
