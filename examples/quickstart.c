/* Four loops a scientist might write, one of each kind: independent iterations, a stencil, a recurrence and a sum. */

/* C += A * B: rows and columns are independent, the innermost loop is a sum. */
void product(int n, double A[restrict n][n], double B[restrict n][n], double C[restrict n][n]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        C[i][j] += A[i][k] * B[k][j];
}

/* One sweep of a five-point stencil, from one grid into another. */
void smooth(int n, double in[restrict n][n], double out[restrict n][n]) {
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < n - 1; j++)
      out[i][j] = 0.2 * (in[i][j] + in[i - 1][j] + in[i + 1][j] + in[i][j - 1] + in[i][j + 1]);
}

/* A recurrence: every element needs the one three before it. */
void filter(int n, double *y, const double *restrict x) {
  for (int i = 3; i < n; i++)
    y[i] = 0.5 * y[i - 3] + x[i];
}

/* A dot product. */
double dot(int n, const double *a, const double *b) {
  double sum = 0.0;
  for (int i = 0; i < n; i++)
    sum += a[i] * b[i];
  return sum;
}
