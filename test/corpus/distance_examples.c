// Loops with constant, symbolic and variable dependence distances (crink.md 9.1 to 9.3 and 10.1).
// SHOWS: CR-02 CR-06 CR-07 CR-16 CR-20 CR-23
float a[160], b[160], c[160], d[160], w[160], xv[160], yv[160], q[160];
int x[80][80], y[80][80];
int ia[32], ib[32], ic[32];

void two_by_three(int n1, int n2) {
  for (int i = 3; i < n1; i++) /* EXPECT: carried(2) */
    for (int j = 4; j < n2; j++) { /* EXPECT: parallel */
      x[i][j] = y[i - 3][j - 4];
      y[i][j] = x[i - 2][j - 3];
    }
}

void distance_eight(void) {
  for (int i = 4; i <= 49; i++) /* EXPECT: carried(8) */
    a[i + 6] = a[i - 2];
}

// NONAFFINE
void gather_gather_scatter(void) {
  for (int i = 2; i <= 19; i++)
    a[ia[i]] = a[ib[i]] + a[ic[i]];
}

void symbolic_pair(int n, int k) {
  for (int i = 1; i <= n; i++) {
    a[i + k] = b[i] - 1;
    b[i + k] = a[i] + c[i];
  }
}

void three_and_four(int n) {
  for (int i = 4; i < n; i++) { /* EXPECT: carried(3) */
    xv[i] = yv[i] + c[i];
    yv[i + 3] = xv[i - 4] * w[i];
  }
}

void growing_distances(int n) {
  for (int i = 3; i < n; i++)
    for (int j = 4; j < n; j++) {
      x[3 * i + 5][3 * j + 7] = y[i + 3][j - 4];
      y[3 * i + 8][2 * j] = x[2 * i - 2][j + 3];
    }
}

void descending_pair(int n) {
  for (int i = n; i >= 0; i--) { /* EXPECT: parallel */
    a[i] = b[i] + d[i];
    d[i] = a[i] + c[i];
  }
}

void step_five(void) {
  for (int i = 3; i <= 49; i += 5) /* EXPECT: parallel */
    a[i] = a[i] + b[i];
}

void strided_statements(void) {
  for (int i = 1; i <= 5; i += 2) /* EXPECT: parallel */
    for (int j = 1; j <= 4; j += 3) { /* EXPECT: sequential */
      x[i][j] = x[i][j] + 7;
      y[i][j] = x[i][j + 3];
      y[i + 40][j] = x[i][j] + 20;
    }
}

void two_sources(int n) {
  for (int i = 4; i < n; i++) /* EXPECT: carried(3) */
    for (int j = 5; j < n; j++) { /* EXPECT: parallel */
      x[i][j] = y[i - 2][j] + x[i - 3][j - 5];
      y[i + 40][j] = x[i - 4][j - 2];
    }
}

void ten_apart(void) {
  for (int j = 1; j <= 10; j++) /* EXPECT: parallel */
    a[j] = a[j + 10] + 10;
}

void ten_apart_longer(void) {
  for (int j = 1; j <= 30; j++) /* EXPECT: carried(10) */
    a[j] = a[j + 10] + 10;
}

void constant_vectors(void) {
  for (int i = 3; i <= 23; i++) /* EXPECT: carried(3) */
    for (int j = 5; j <= 20; j++) { /* EXPECT: parallel */
      x[i + 5][j + 1] = y[i - 1][j - 2] + x[i][j - 1];
      y[i + 2][j + 2] = x[i + 2][j - 1] + 10;
    }
}

void variable_vectors(void) {
  for (int i = 1; i <= 21; i++)
    for (int j = 1; j <= 21; j++) {
      x[3 * i + 5][2 * j + 4] = y[2 * i - 2][j + 2] + 23;
      y[3 * i + 4][3 * j + 4] = x[i - 1][j + 4];
    }
}

void shift_down(int n) {
  for (int i = n; i >= 2; i--) /* EXPECT: carried(2) */
    q[i] = q[i - 2];
}

void shifted_plane(int n) {
  for (int i = 0; i < n; i++) /* EXPECT: carried(3) */
    for (int j = 0; j < n; j++) /* EXPECT: parallel */
      x[i][j] = x[i + 3][j + 4] + ia[i];
}

void shift_down_by_pairs(int n) {
  for (int i = n; i >= 1; i--) /* EXPECT: carried(2) */
    a[i + 1] = a[i - 1];
}

void mirror(int n) {
  for (int i = 1; i <= n / 2; i++) { /* EXPECT: parallel */
    xv[i - 1] = -xv[n - i];
    w[i - 1] = w[n - i];
  }
}

void block_copy(int n, int nblock) {
  for (int i = 0; i < n; i++) {
    a[nblock + i] = a[i];
    b[nblock + i] = 0;
  }
}

#ifdef WL_TRACE
int main(void) {
  RUN(two_by_three(n + 3, n + 5));
  RUN(distance_eight());
  RUN(gather_gather_scatter());
  RUN(symbolic_pair(n, 4));
  RUN(symbolic_pair(n, n + 1));
  RUN(three_and_four(2 * n));
  RUN(growing_distances(n + 10));
  RUN(descending_pair(n));
  RUN(step_five());
  RUN(strided_statements());
  RUN(two_sources(n + 3));
  RUN(ten_apart());
  RUN(ten_apart_longer());
  RUN(constant_vectors());
  RUN(variable_vectors());
  RUN(shift_down(n));
  RUN(shifted_plane(n));
  RUN(shift_down_by_pairs(n));
  RUN(mirror(n));
  RUN(block_copy(n, 40));
  RUN(block_copy(n, 3));
}
#endif
