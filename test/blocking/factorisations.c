// Factorisations and their like. The mark of each says which loop runs in blocks, or that none does.

// in blocks: k
void lu(int n, REAL a[n][n], REAL b[n]) {
  (void)b;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < i; j++) {
      for (int k = 0; k < j; k++)
        a[i][j] -= a[i][k] * a[k][j];
      a[i][j] /= a[j][j];
    }
    for (int j = i; j < n; j++)
      for (int k = 0; k < i; k++)
        a[i][j] -= a[i][k] * a[k][j];
  }
}

// in blocks: k
void right_looking(int n, REAL a[n][n], REAL b[n]) {
  (void)b;
  for (int k = 0; k < n; k++) {
    for (int i = k + 1; i < n; i++)
      a[i][k] /= a[k][k];
    for (int i = k + 1; i < n; i++)
      for (int j = k + 1; j < n; j++)
        a[i][j] -= a[i][k] * a[k][j];
  }
}

// in blocks: k
void cholesky(int n, REAL a[n][n], REAL b[n]) {
  (void)b;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < i; j++) {
      for (int k = 0; k < j; k++)
        a[i][j] -= a[i][k] * a[j][k];
      a[i][j] /= a[j][j];
    }
    for (int k = 0; k < i; k++)
      a[i][i] -= a[i][k] * a[i][k];
    a[i][i] = SQRT(a[i][i]);
  }
}

// By columns, each of which waits for all before it.
// in blocks: k
void left_looking(int n, REAL a[n][n], REAL b[n]) {
  (void)b;
  for (int j = 0; j < n; j++) {
    for (int k = 0; k < j; k++)
      for (int i = j; i < n; i++)
        a[i][j] -= a[i][k] * a[j][k];
    a[j][j] = SQRT(a[j][j]);
    for (int i = j + 1; i < n; i++)
      a[i][j] /= a[j][j];
  }
}

// From the last column to the first: what is beyond a block has the smaller indices.
// in blocks: k
void upper_cholesky(int n, REAL a[n][n], REAL b[n]) {
  (void)b;
  for (int k = n - 1; k >= 0; k--) {
    a[k][k] = SQRT(a[k][k]);
    for (int i = 0; i < k; i++)
      a[i][k] /= a[k][k];
    for (int i = 0; i < k; i++)
      for (int j = i; j < k; j++)
        a[i][j] -= a[i][k] * a[j][k];
  }
}

// in blocks: k
void ldl(int n, REAL a[n][n], REAL d[n]) {
  for (int k = 0; k < n; k++) {
    d[k] = a[k][k];
    for (int i = k + 1; i < n; i++)
      for (int j = k + 1; j <= i; j++)
        a[i][j] -= a[i][k] * a[j][k] / d[k];
    for (int i = k + 1; i < n; i++)
      a[i][k] /= d[k];
  }
}

// With a right-hand side, and a scalar between the parts.
// in blocks: k
void elimination(int n, REAL a[n][n], REAL b[n]) {
  for (int k = 0; k < n - 1; k++)
    for (int i = k + 1; i < n; i++) {
      REAL f = a[i][k] / a[k][k];
      for (int j = k + 1; j < n; j++)
        a[i][j] -= f * a[k][j];
      b[i] -= f * b[k];
    }
}

// What is loaded into a scalar, summed into and stored: in its element.
// in blocks: k, and rows
void solve(int n, REAL a[restrict n][n], REAL b[restrict n]) {
  REAL w;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < i; j++) {
      w = a[i][j];
      for (int k = 0; k < j; k++)
        w -= a[i][k] * a[k][j];
      a[i][j] = w / a[j][j];
    }
    for (int j = i; j < n; j++) {
      w = a[i][j];
      for (int k = 0; k < i; k++)
        w -= a[i][k] * a[k][j];
      a[i][j] = w;
    }
  }
  for (int i = 0; i < n; i++) {
    w = b[i];
    for (int j = 0; j < i; j++)
      w -= a[i][j] * b[j];
    b[i] = w;
  }
}

// The last element is needed before the next row is: nothing can wait for the end of a block.
// in blocks: none
void corner(int n, REAL a[n][n], REAL b[n]) {
  for (int k = 0; k < n - 1; k++) {
    for (int i = k + 1; i < n; i++)
      a[i][k] /= a[k][k];
    for (int i = k + 1; i < n; i++)
      for (int j = k + 1; j < n; j++)
        a[i][j] -= a[i][k] * a[k][j];
    b[k] = a[n - 1][n - 1];
    a[k + 1][k + 1] += b[k];
  }
}

// Each row is scaled by its largest element so far, for which all of it must be there.
// in blocks: none
void scaled(int n, REAL a[n][n], REAL b[n]) {
  for (int k = 0; k < n; k++) {
    b[k] = 1;
    for (int j = k; j < n; j++)
      if (a[k][j] > b[k]) b[k] = a[k][j];
    for (int i = k + 1; i < n; i++)
      for (int j = k + 1; j < n; j++)
        a[i][j] -= a[i][k] * a[k][j] / b[k];
  }
}

// Substitution has no product in it.
// in blocks: none
void substitution(int n, REAL a[n][n], REAL b[n]) {
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < i; j++)
      b[i] -= a[i][j] * b[j];
    b[i] /= a[i][i];
  }
}
