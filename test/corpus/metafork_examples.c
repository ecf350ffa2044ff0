// The serial forms of metafork.md section 10.
int in[64], out[64];
double a1[64], b1[64], half[64], pa[16], pb[16], pc[40];
double A[16][16], B[16][16], C[16][16], L[16][16], U[16][16];

void reversal(int n) {
  for (int i = 0; i < n; i++) /* EXPECT: parallel */
    out[n - 1 - i] = in[i];
}

// NONAFFINE
void reversal_blocked(int n, int b) {
  int blocks = n / b;
  for (int v = 0; v < blocks; v++)
    for (int u = 0; u < b; u++) {
      int x = v * b + u;
      int y = n - 1 - x;
      out[y] = in[x];
    }
}

void reversal_in_blocks_of_three(int n) {
  int blocks = n / 3;
  for (int v = 0; v < blocks; v++) /* EXPECT: parallel */
    for (int u = 0; u < 3; u++) { /* EXPECT: parallel */
      int x = v * 3 + u;
      int y = n - 1 - x;
      out[y] = in[x];
    }
}

void jacobi_1d(int n, int steps) {
  for (int t = 0; t < steps; t++) { /* EXPECT: sequential */
    for (int i = 1; i < n - 1; i++) /* EXPECT: parallel */
      b1[i] = (a1[i - 1] + a1[i] + a1[i + 1]) / 3;
    for (int i = 1; i < n - 1; i++) /* EXPECT: parallel */
      a1[i] = b1[i];
  }
}

void jacobi_two_halves(int n, int steps) {
  for (int t = 0; t < steps; t++) /* EXPECT: sequential */
    for (int p = 0; p < n - 2; p++) { /* EXPECT: parallel */
      if (t % 2)
        half[p + 1] = (half[n + p] + half[n + p + 1] + half[n + p + 2]) / 3;
      else
        half[n + p + 1] = (half[p] + half[p + 1] + half[p + 2]) / 3;
    }
}

void jacobi_2d(int n, int steps) {
  for (int t = 0; t < steps; t++) { /* EXPECT: sequential */
    for (int i = 1; i < n - 1; i++) /* EXPECT: parallel */
      for (int j = 1; j < n - 1; j++) /* EXPECT: parallel */
        B[i][j] = (A[i - 1][j] + A[i + 1][j] + A[i][j - 1] + A[i][j + 1]) / 4;
    for (int i = 1; i < n - 1; i++) /* EXPECT: parallel */
      for (int j = 1; j < n - 1; j++) /* EXPECT: parallel */
        A[i][j] = B[i][j];
  }
}

void lu_columns(int n) {
  for (int k = 0; k < n; k++) /* EXPECT: sequential */
    for (int i = 0; i < n - k - 1; i++) { /* EXPECT: parallel */
      int p = i + k + 1;
      L[k][p] = U[k][p] / U[k][k];
      for (int j = k; j < n; j++) /* EXPECT: parallel */
        U[j][p] -= L[k][p] * U[j][k];
    }
}

void transpose(int n) {
  for (int i = 0; i < n; i++) /* EXPECT: parallel */
    for (int j = 0; j < n; j++) /* EXPECT: parallel */
      C[j][i] = A[i][j];
}

void addition_two_columns(int n) {
  for (int i = 0; i < n; i++) /* EXPECT: parallel */
    for (int j = 0; j < n / 2; j++) { /* EXPECT: parallel */
      C[i][j] = A[i][j] + B[i][j];
      C[i][j + n / 2] = A[i][j + n / 2] + B[i][j + n / 2];
    }
}

void matrix_vector(int n) {
  for (int i = 0; i < n; i++) /* EXPECT: parallel */
    for (int j = 0; j < n; j++) /* EXPECT: reduction(+) */
      a1[i] += A[i][j] * b1[j];
}

void matrix_vector_strips(int n) {
  for (int p = 0; p < n; p++) /* EXPECT: parallel */
    for (int i = 0; i < n / 4; i++) /* EXPECT: reduction(+) */
      for (int j = 0; j < 4; j++) /* EXPECT: reduction(+) */
        a1[p] += A[p][4 * i + j] * b1[4 * i + j];
}

void matrix_product_strips(int n) {
  for (int i = 0; i < n; i++) /* EXPECT: parallel */
    for (int j = 0; j < n; j++) /* EXPECT: parallel */
      for (int k = 0; k < n / 4; k++) /* EXPECT: reduction(+) */
        for (int z = 0; z < 4; z++) /* EXPECT: reduction(+) */
          C[i][j] += A[i][4 * k + z] * B[4 * k + z][j];
}

void polynomial_product(int n) {
  for (int p = 0; p <= 2 * n; p++) /* EXPECT: parallel */
    pc[p] = 0;
  for (int i = 0; i <= n; i++) /* EXPECT: reduction(+) */
    for (int j = 0; j <= n; j++) /* EXPECT: parallel */
      pc[i + j] += pa[i] * pb[j];
}

void transposed_self(int n) {
  for (int i = 0; i < n; i++) /* EXPECT: sequential */
    for (int j = 1; j < n; j++) /* EXPECT: sequential */
      A[i][j] = A[j][i] + A[i][j - 1];
}

void private_scalar(int n) {
  double t;
  for (int i = 0; i < n; i++) { /* EXPECT: parallel */
    t = a1[i] * a1[i];
    b1[i] = t + 1;
  }
}

void two_sums(int *sum_in, int *sum_out, int n) {
  int s = 0, t = 0;
  for (int i = 0; i < n; i++) /* EXPECT: reduction(+) */
    s += in[i];
  for (int i = 0; i < n; i++) /* EXPECT: reduction(+) */
    t += out[i];
  *sum_in = s;
  *sum_out = t;
}

#ifdef WL_TRACE
int main(void) {
  RUN(reversal(n));
  RUN(reversal_blocked(n, 3));
  RUN(reversal_in_blocks_of_three(n));
  RUN(jacobi_1d(n, 4));
  RUN(jacobi_two_halves(n, 4));
  RUN(jacobi_2d(n, 3));
  RUN(lu_columns(n));
  RUN(transpose(n));
  RUN(addition_two_columns(n));
  RUN(matrix_vector(n));
  RUN(matrix_vector_strips(n));
  RUN(matrix_product_strips(n));
  RUN(polynomial_product(n));
  RUN(transposed_self(n));
  RUN(private_scalar(n));
  RUN(int s; int t; two_sums(&s, &t, n));
}
#endif
