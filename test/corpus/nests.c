// Loop nests: interchange, diagonals, wavefronts, triangular systems, imperfect nests, three and four dimensions.
// SHOWS: CR-10 CR-21 CH-3 CH-4
double a[40], b[40], c[40], x[40];
double A[20][20], B[20][20], C[20][20], L[20][20];
double T3[14][14][14], U3[14][14][14];

void interchange_candidate(int n) {
  for (int i = 0; i < n; i++) /* EXPECT: parallel */
    for (int j = 1; j < n; j++) /* EXPECT: sequential */
      A[j][i] = A[j - 1][i] + B[j][i];
}

void wavefront(int n) {
  for (int i = 1; i < n; i++) /* EXPECT: sequential */
    for (int j = 1; j < n; j++) /* EXPECT: sequential */
      A[i][j] = A[i - 1][j] + A[i][j - 1];
}

void diagonal_dependence(int n) {
  for (int i = 1; i < n; i++) /* EXPECT: sequential */
    for (int j = 1; j < n; j++) /* EXPECT: parallel */
      A[i][j] = A[i - 1][j - 1] + B[i][j];
}

void main_diagonal(int n) {
  for (int i = 0; i < n; i++) /* EXPECT: parallel */
    A[i][i] = a[i];
}

void diagonal_step(int n) {
  for (int i = 1; i < n; i++) /* EXPECT: sequential */
    A[i][i] = A[i - 1][i - 1] + 1;
}

void gauss_seidel(int n, int steps) {
  for (int t = 0; t < steps; t++) /* EXPECT: sequential */
    for (int i = 1; i < n - 1; i++) /* EXPECT: sequential */
      for (int j = 1; j < n - 1; j++) /* EXPECT: sequential */
        A[i][j] = (A[i - 1][j] + A[i][j - 1] + A[i][j] + A[i][j + 1] + A[i + 1][j]) / 5;
}

void forward_substitution(int n) {
  for (int i = 0; i < n; i++) { /* EXPECT: sequential */
    x[i] = b[i];
    for (int j = 0; j < i; j++) /* EXPECT: reduction(+) */
      x[i] -= L[i][j] * x[j];
    x[i] = x[i] / L[i][i];
  }
}

void back_substitution(int n) {
  for (int i = n - 1; i >= 0; i--) { /* EXPECT: sequential */
    double s = b[i];
    for (int j = i + 1; j < n; j++) /* EXPECT: reduction(+) */
      s -= L[i][j] * x[j];
    x[i] = s / L[i][i];
  }
}

void elimination(int n) {
  for (int k = 0; k < n - 1; k++) /* EXPECT: sequential */
    for (int i = k + 1; i < n; i++) { /* EXPECT: parallel */
      A[i][k] = A[i][k] / A[k][k];
      for (int j = k + 1; j < n; j++) /* EXPECT: parallel */
        A[i][j] -= A[i][k] * A[k][j];
    }
}

void cholesky(int n) {
  for (int i = 0; i < n; i++) { /* EXPECT: sequential */
    for (int j = 0; j < i; j++) { /* EXPECT: sequential */
      for (int k = 0; k < j; k++) /* EXPECT: reduction(+) */
        A[i][j] -= A[i][k] * A[j][k];
      A[i][j] /= A[j][j];
    }
    for (int k = 0; k < i; k++) /* EXPECT: reduction(+) */
      A[i][i] -= A[i][k] * A[i][k];
  }
}

void upper_triangle_product(int n) {
  for (int i = 0; i < n; i++) /* EXPECT: sequential */
    for (int j = 0; j < n; j++) /* EXPECT: parallel */
      for (int k = i + 1; k < n; k++) /* EXPECT: reduction(+) */
        B[i][j] += A[k][i] * B[k][j];
}

void symmetric_rank(int n) {
  for (int i = 0; i < n; i++) { /* EXPECT: parallel */
    for (int j = 0; j <= i; j++) /* EXPECT: parallel */
      C[i][j] *= 0.5;
    for (int k = 0; k < n; k++) /* EXPECT: reduction(+) */
      for (int j = 0; j <= i; j++) /* EXPECT: parallel */
        C[i][j] += A[i][k] * A[j][k];
  }
}

void floyd(int n) {
  for (int k = 0; k < n; k++) /* EXPECT: sequential */
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        A[i][j] = A[i][j] < A[i][k] + A[k][j] ? A[i][j] : A[i][k] + A[k][j];
}

void statement_before_and_after(int n) {
  for (int i = 0; i < n; i++) { /* EXPECT: parallel */
    a[i] = 0;
    for (int j = 0; j < n; j++) /* EXPECT: reduction(+) */
      a[i] += A[i][j];
    b[i] = a[i] / n;
  }
}

void two_inner_loops(int n) {
  for (int i = 0; i < n; i++) { /* EXPECT: parallel */
    for (int j = 0; j < n; j++) /* EXPECT: parallel */
      A[i][j] = B[i][j] * 2;
    for (int j = 0; j < n; j++) /* EXPECT: parallel */
      C[i][j] = A[i][n - 1 - j];
  }
}

void row_feeds_next(int n) {
  for (int i = 1; i < n; i++) { /* EXPECT: sequential */
    for (int j = 0; j < n; j++) /* EXPECT: parallel */
      A[i][j] = B[i - 1][j] + 1;
    for (int j = 0; j < n; j++) /* EXPECT: parallel */
      B[i][j] = A[i][j] * 2;
  }
}

void three_point_3d(int n) {
  for (int i = 1; i < n - 1; i++) /* EXPECT: parallel */
    for (int j = 1; j < n - 1; j++) /* EXPECT: parallel */
      for (int k = 1; k < n - 1; k++) /* EXPECT: parallel */
        U3[i][j][k] = T3[i - 1][j][k] + T3[i + 1][j][k] + T3[i][j - 1][k] + T3[i][j + 1][k] + T3[i][j][k - 1] + T3[i][j][k + 1];
}

void third_dimension_recurs(int n) {
  for (int i = 0; i < n; i++) /* EXPECT: parallel */
    for (int j = 0; j < n; j++) /* EXPECT: parallel */
      for (int k = 2; k < n; k++) /* EXPECT: carried(2) */
        T3[i][j][k] = T3[i][j][k - 2] + 1;
}

void skewed(int n) {
  for (int i = 0; i < n; i++) /* EXPECT: sequential */
    for (int j = i; j < i + n; j++) /* EXPECT: parallel */
      a[j] = a[j] * 0.5 + b[j - i];
}

void four_deep(int n) {
  for (int i = 0; i < 4; i++) /* EXPECT: parallel */
    for (int j = 0; j < 4; j++) /* EXPECT: parallel */
      for (int k = 0; k < 4; k++) /* EXPECT: reduction(+) */
        for (int l = 0; l < n; l++) /* EXPECT: reduction(+) */
          A[i][j] += T3[i][k][l] * U3[j][k][l];
}

void pairs(int n) {
  for (int i = 0; i < n; i++) /* EXPECT: parallel */
    for (int j = i + 1; j < n; j++) { /* EXPECT: parallel */
      A[i][j] = b[i] * b[j];
      A[j][i] = A[i][j];
    }
}

void work_row(int n) {
  double row[20];
  for (int i = 0; i < n; i++) { /* EXPECT: parallel */
    for (int j = 0; j < n; j++) /* EXPECT: parallel */
      row[j] = A[i][j] * 2;
    for (int j = 0; j < n; j++) /* EXPECT: parallel */
      B[i][j] = row[n - 1 - j];
  }
}

void work_row_declared_inside(int n) {
  for (int i = 0; i < n; i++) { /* EXPECT: parallel */
    double row[20];
    for (int j = 0; j < n; j++) /* EXPECT: parallel */
      row[j] = A[i][j] * 2;
    for (int j = 0; j < n; j++) /* EXPECT: parallel */
      B[i][j] = row[n - 1 - j];
  }
}

void work_row_partly_stale(int n) {
  double row[20] = {0};
  for (int i = 0; i < n; i++) { /* EXPECT: sequential */
    for (int j = 1; j < n; j++) /* EXPECT: parallel */
      row[j] = A[i][j] * 2;
    for (int j = 0; j < n; j++) /* EXPECT: parallel */
      B[i][j] = row[n - 1 - j];
    row[0] = A[i][0];
  }
}

#ifdef WL_TRACE
int main(void) {
  RUN(interchange_candidate(n));
  RUN(wavefront(n));
  RUN(diagonal_dependence(n));
  RUN(main_diagonal(n));
  RUN(diagonal_step(n));
  RUN(gauss_seidel(n, 3));
  RUN(forward_substitution(n));
  RUN(back_substitution(n));
  RUN(elimination(n));
  RUN(cholesky(n));
  RUN(upper_triangle_product(n));
  RUN(symmetric_rank(n));
  RUN(floyd(n));
  RUN(statement_before_and_after(n));
  RUN(two_inner_loops(n));
  RUN(row_feeds_next(n));
  RUN(three_point_3d(n));
  RUN(third_dimension_recurs(n));
  RUN(skewed(n));
  RUN(four_deep(n));
  RUN(pairs(n));
  RUN(work_row(n));
  RUN(work_row_declared_inside(n));
  RUN(work_row_partly_stale(n));
}
#endif
