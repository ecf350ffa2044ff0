/* The kernels whose whole spaces were measured, for tests of searchers. */
void product(int n, float a[n][n], float b[n][n], float c[n][n]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      float s = 0;
      for (int k = 0; k < n; k++) s += a[i][k] * b[k][j];
      c[i][j] = s;
    }
}

void tensor(int n, double a[n][n], double b[n][n], double c[n][n]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double s = 0;
      for (int k = 0; k < n; k++) s += a[i][k] * b[k][j];
      c[i][j] = s;
    }
}

void triangle(int n, float a[n][n], float c[n][n]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++) {
      for (int k = 0; k < n; k++) c[i][j] += a[i][k] * a[j][k];
    }
}

void window(int n, float a[n][n], float b[n][n]) {
  for (int i = 3; i < n - 3; i++)
    for (int j = 3; j < n - 3; j++) {
      float s = 0;
      for (int p = -3; p <= 3; p++)
        for (int q = -3; q <= 3; q++) s += a[i + p][j + q];
      b[i][j] = s;
    }
}

void star(int n, float a[n][n], float b[n][n]) {
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < n - 1; j++) b[i][j] = 0.2f * (a[i][j] + a[i][j - 1] + a[i][j + 1] + a[i - 1][j] + a[i + 1][j]);
}
