// Products and solves as people write them, for bench.cu. The bench knows the kernels by their lines.
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

void sgemv(int n, int m, const float A[n][m], const float *x, float *y) {
  for (int i = 0; i < n; i++) {
    float s = 0;
    for (int j = 0; j < m; j++)
      s += A[i][j] * x[j];
    y[i] = s;
  }
}

void dgemv(int n, int m, const double A[n][m], const double *x, double *y) {
  for (int i = 0; i < n; i++) {
    double s = 0;
    for (int j = 0; j < m; j++)
      s += A[i][j] * x[j];
    y[i] = s;
  }
}

void sgemvt(int n, int m, const float A[n][m], const float *x, float *y) {
  for (int j = 0; j < m; j++) {
    float s = 0;
    for (int i = 0; i < n; i++)
      s += A[i][j] * x[i];
    y[j] = s;
  }
}

void dgemvt(int n, int m, const double A[n][m], const double *x, double *y) {
  for (int j = 0; j < m; j++) {
    double s = 0;
    for (int i = 0; i < n; i++)
      s += A[i][j] * x[i];
    y[j] = s;
  }
}

void daxpy(int n, double alpha, const double *x, double *y) {
  for (int i = 0; i < n; i++)
    y[i] += alpha * x[i];
}

double ddot(int n, const double *x, const double *y) {
  double s = 0;
  for (int i = 0; i < n; i++)
    s += x[i] * y[i];
  return s;
}

void dtrsv(int n, const double A[n][n], const double *b, double *x) {
  for (int i = 0; i < n; i++) {
    double s = b[i];
    for (int j = 0; j < i; j++)
      s -= A[i][j] * x[j];
    x[i] = s / A[i][i];
  }
}

void dtrsm(int n, int m, const double A[n][n], const double B[n][m], double X[n][m]) {
  for (int i = 0; i < n; i++)
    for (int k = 0; k < m; k++) {
      double s = B[i][k];
      for (int j = 0; j < i; j++)
        s -= A[i][j] * X[j][k];
      X[i][k] = s / A[i][i];
    }
}
