// Loops that are operations of BLAS, for each REAL; libraries_test.py makes a program of them for float and for double. A loop marked
// `library: gemm` is that operation, one marked `no library: words` is none, for a reason with these words. All values are small whole
// numbers, so sums are the same in any order.

void t_nn(int m, int n, int k, REAL alpha, REAL beta, const REAL *a, const REAL *b, REAL *c) {
  for (int i = 0; i < m; i++) /* library: gemm */
    for (int j = 0; j < n; j++) {
      c[i * n + j] *= beta;
      for (int p = 0; p < k; p++)
        c[i * n + j] += alpha * a[i * k + p] * b[p * n + j];
    }
}

void t_nt(int m, int n, int k, REAL alpha, REAL beta, const REAL a[m][k], const REAL b[n][k], REAL c[m][n]) {
  for (int i = 0; i < m; i++) /* library: gemm */
    for (int j = 0; j < n; j++) {
      REAL s = 0;
      for (int p = 0; p < k; p++)
        s += a[i][p] * b[j][p];
      c[i][j] = alpha * s + beta * c[i][j];
    }
}

void t_tn(int m, int n, int k, const REAL a[k][m], const REAL b[k][n], REAL c[m][n]) {
  for (int i = 0; i < m; i++) /* library: gemm */
    for (int j = 0; j < n; j++) {
      REAL s = c[i][j];
      for (int p = k - 1; p >= 0; p--) {
        REAL once = b[p][j];
        s = s - once * a[p][i];
      }
      c[i][j] = s;
    }
}

// The whole of it with other names, in another order, and the result by columns.
void t_tt(int m, int n, int k, REAL alpha, const REAL *restrict left, const REAL *restrict right, REAL *restrict result) {
  for (int u = 0; u < n; u++) /* library: gemm */
    for (int v = 0; v < m; v++) {
      REAL sum = 0;
      for (int w = 0; w < k; w++)
        sum += right[u * k + w] * left[w * m + v];
      result[u * m + v] = sum * alpha;
    }
}

// A part of larger matrices, a factor that is a number, and a term that is subtracted.
void t_part(int m, int n, int k, int wide, const REAL *a, const REAL *b, REAL *c) {
  for (int i = 0; i < m; i++) /* library: gemm */
    for (int j = 0; j < n; j++)
      for (int p = 0; p < k; p++)
        c[(i + 1) * wide + j + 2] -= 2 * a[i * wide + p + 1] * b[(p + 3) * wide + j];
}

void t_many(int count, int m, int n, int k, const REAL a[count][m][k], const REAL b[count][k][n], REAL c[count][m][n]) {
  for (int q = 0; q < count; q++) /* library: batched gemm */
    for (int i = 0; i < m; i++)
      for (int j = 0; j < n; j++) {
        c[q][i][j] = 0;
        for (int p = 0; p < k; p++)
          c[q][i][j] += a[q][i][p] * b[q][p][j];
      }
}

void t_rows(int m, int n, REAL alpha, REAL beta, const REAL a[m][n], const REAL *x, REAL *y) {
  for (int i = 0; i < m; i++) { /* library: gemv */
    REAL s = 0;
    for (int j = 0; j < n; j++)
      s += a[i][j] * x[j];
    y[i] = beta * y[i] + alpha * s;
  }
}

void t_columns(int m, int n, const REAL a[m][n], const REAL *x, REAL *y) {
  for (int j = 0; j < n; j++) /* library: gemv */
    for (int i = 0; i < m; i++)
      y[j] += a[i][j] * x[2 * i];
}

REAL t_dot(int n, const REAL *x, const REAL *y) {
  REAL s = 3;
  for (int i = 0; i < n; i++) /* library: dot */
    s += x[i] * y[i];
  return s;
}

void t_axpy(int n, REAL alpha, const REAL *x, REAL *y) {
  for (int i = 0; i < n; i++) /* library: axpy */
    y[i] = y[i] + alpha * x[i];
}

void t_outer(int m, int n, REAL alpha, const REAL *x, const REAL *y, REAL a[m][n]) {
  for (int i = 0; i < m; i++) /* library: ger */
    for (int j = 0; j < n; j++)
      a[i][j] += alpha * x[i] * y[j];
}

// What one product makes is what the next one reads.
void t_chain(int n, const REAL a[n][n], REAL b[n][n], REAL c[n][n]) {
  for (int i = 0; i < n; i++) /* library: gemm */
    for (int j = 0; j < n; j++)
      for (int p = 0; p < n; p++)
        b[i][j] += a[i][p] * a[p][j];
  for (int i = 0; i < n; i++) /* library: gemm */
    for (int j = 0; j < n; j++) {
      c[i][j] = 0;
      for (int p = 0; p < n; p++)
        c[i][j] += a[i][p] * b[p][j];
    }
}

// Neither rows nor columns of `a` are contiguous: that is only known when the program runs.
void t_sparse(int m, int n, int k, int row, const REAL *a, const REAL b[k][n], REAL c[m][n]) {
  for (int i = 0; i < m; i++) /* library: gemm */
    for (int j = 0; j < n; j++)
      for (int p = 0; p < k; p++)
        c[i][j] += a[i * row + 2 * p] * b[p][j];
}

// Two loops that are one: rows, and terms, of a batch; where rows of the batch lie apart, only kernels can do it.
void t_folded(int q, int m, int n, int k, const REAL a[q][m][k], const REAL b[k][n], const REAL *bias, REAL c[q][m][n]) {
  for (int u = 0; u < q; u++) /* library: gemm */
    for (int i = 0; i < m; i++)
      for (int j = 0; j < n; j++) {
        REAL s = bias[j];
        for (int p = 0; p < k; p++)
          s += a[u][i][p] * b[p][j];
        c[u][i][j] = s;
      }
}

void t_weights(int q, int m, int n, int k, const REAL a[q][m][k], const REAL b[q][m][n], REAL c[k][n]) {
  for (int i = 0; i < k; i++) /* library: gemm */
    for (int j = 0; j < n; j++)
      for (int u = 0; u < q; u++)
        for (int p = 0; p < m; p++)
          c[i][j] += a[u][p][i] * b[u][p][j];
}

void t_gaps(int q, int m, int n, int k, int wide, const REAL *a, const REAL b[k][n], REAL c[q][m][n]) {
  for (int u = 0; u < q; u++) /* library: gemm */
    for (int i = 0; i < m; i++)
      for (int j = 0; j < n; j++)
        for (int p = 0; p < k; p++)
          c[u][i][j] += a[(u * wide + i) * k + p] * b[p][j];
}

// Results that begin with something else than 0 or themselves.
void t_bias(int m, int n, int k, const REAL a[m][k], const REAL b[n][k], const REAL *bias, REAL c[m][n]) {
  for (int i = 0; i < m; i++) /* library: gemm */
    for (int j = 0; j < n; j++) {
      REAL s = bias[j];
      for (int p = 0; p < k; p++)
        s += a[i][p] * b[j][p];
      c[i][j] = s;
    }
}

void t_late(int m, int n, int k, REAL alpha, const REAL a[k][m], const REAL b[k][n], const REAL bias[n][m], REAL c[m][n]) {
  for (int i = 0; i < m; i++) /* library: gemm */
    for (int j = 0; j < n; j++) {
      REAL s = 0;
      for (int p = 0; p < k; p++)
        s += a[p][i] * b[p][j];
      c[i][j] = alpha * s - 2 * bias[j][i];
    }
}

void t_order(int m, int n, int k, const REAL a[m][k], const REAL b[k][n], const REAL *bias, REAL c[m][n]) {
  for (int i = 0; i < m; i++) { /* library: gemm */
    for (int j = 0; j < n; j++)
      c[i][j] = 3 * bias[2 * j + 1];
    for (int p = 0; p < k; p++)
      for (int j = 0; j < n; j++)
        c[i][j] += a[i][p] * b[p][j];
  }
}

void t_three(int m, int n, const REAL a[m][n], const REAL *x, REAL *y) {
  for (int i = 0; i < m; i++) { /* library: gemv */
    REAL s = 3;
    for (int j = 0; j < n; j++)
      s += a[i][j] * x[j];
    y[i] = s;
  }
}

// Rows of a sparse matrix, one after the other: how they are summed up, and where their ends are kept, does not matter.
void t_csr(int m, const int *start, const int *column, const REAL *value, const REAL *x, REAL *y) {
  for (int i = 0; i < m; i++) { /* library: sparse gemv */
    REAL s = 0;
    for (int k = start[i]; k < start[i + 1]; k++)
      s += value[k] * x[column[k]];
    y[i] = s;
  }
}

void t_csrinto(int m, REAL alpha, REAL beta, const int *start, const int *column, const REAL *value, const REAL *x, REAL *y) {
  int i, k;
  for (i = 0; i < m; i++) { /* library: sparse gemv */
    y[i] *= beta;
    for (k = start[i]; k < start[i + 1]; k++)
      y[i] -= x[column[k]] * value[k] * alpha;
  }
}

void t_csrends(int m, REAL alpha, const int *start, const int *column, const REAL *value, const REAL *x, REAL *y) {
  for (int i = 0; i < m; i++) { /* library: sparse gemv */
    REAL s = 0;
    const int begin = start[i], end = start[i + 1];
    for (long k = begin; end > k; k = k + 1) {
      const int j = column[k];
      const REAL v = value[k];
      s += v * x[j];
    }
    y[i] += alpha * s;
  }
}

void t_csrrest(int m, const int *start, const int *column, const REAL *value, const REAL *x, const REAL *right, REAL *y) {
  for (int i = 0; i < m; i++) { /* library: sparse gemv */
    REAL s = right[i];
    for (int k = start[i]; k < start[i + 1]; k++)
      s -= value[k] * x[column[k]];
    y[i] = s;
  }
}

// Triangular solves: lower and upper, with ones on the diagonal or not, by rows and by columns, for one right-hand side and for many.
void t_lower(int n, const REAL a[n][n], const REAL *b, REAL *x) {
  for (int i = 0; i < n; i++) { /* library: trsv */
    REAL s = b[i];
    for (int j = 0; j < i; j++)
      s -= a[i][j] * x[j];
    x[i] = s / a[i][i];
  }
}

void t_upper(int n, const REAL a[n][n], REAL *x) {
  for (int i = n - 1; i >= 0; i--) { /* library: trsv */
    REAL s = x[i];
    for (int j = i + 1; j < n; j++)
      s -= a[i][j] * x[j];
    x[i] = s / a[i][i];
  }
}

void t_unit(int n, const REAL a[n][n], REAL *x) {
  for (int i = 0; i < n; i++) /* library: trsv */
    for (int j = 0; j < i; j++)
      x[i] -= a[i][j] * x[j];
}

// The same matrix the other way round: column by column, from below.
void t_turned(int n, const REAL a[n][n], REAL *x) {
  for (int j = n - 1; j >= 0; j--) { /* library: trsv */
    x[j] /= a[j][j];
    for (int i = 0; i < j; i++)
      x[i] -= x[j] * a[j][i];
  }
}

// Begins with another vector, backwards, its sum apart.
void t_rest(int n, REAL alpha, int wide, const REAL *a, const REAL *b, REAL *x) {
  for (int k = 0; k < n; k++) { /* library: trsv */
    const int i = n - 1 - k;
    REAL s = 0;
    for (int j = n - 1; j > i; j--)
      s += x[j] * a[(i + 1) * wide + j + 2];
    x[i] = (alpha * b[i] - s) / a[(i + 1) * wide + i + 2];
  }
}

void t_solves(int m, int n, const REAL a[n][n], REAL x[n][m]) {
  for (int i = 0; i < n; i++) /* library: trsm */
    for (int k = 0; k < m; k++) {
      for (int j = 0; j < i; j++)
        x[i][k] -= a[i][j] * x[j][k];
      x[i][k] = x[i][k] / a[i][i];
    }
}

void t_sides(int m, int n, const REAL a[n][n], const REAL b[m][n], REAL x[m][n]) {
  for (int k = 0; k < m; k++) /* library: trsm */
    for (int i = n - 1; i >= 0; i--) {
      REAL s = b[k][i];
      for (int j = i + 1; j < n; j++)
        s -= a[i][j] * x[k][j];
      x[k][i] = s;
    }
}

// With the factors of a matrix: what the first solve makes is what the second one begins with.
void t_factors(int n, const REAL a[n][n], const REAL *b, REAL *y, REAL *x) {
  for (int i = 0; i < n; i++) { /* library: trsv */
    REAL s = b[i];
    for (int j = 0; j < i; j++)
      s -= a[i][j] * y[j];
    y[i] = s;
  }
  for (int i = n - 1; i >= 0; i--) { /* library: trsv */
    REAL s = y[i];
    for (int j = i + 1; j < n; j++)
      s -= a[i][j] * x[j];
    x[i] = s / a[i][i];
  }
}

// Divided before anything is subtracted: that is a kernel, and then a solve with ones on the diagonal.
void t_before(int m, int n, const REAL a[n][n], REAL x[n][m]) {
  for (int k = 0; k < m; k++) /* library: trsm */
    for (int i = 0; i < n; i++) {
      x[i][k] /= a[i][i];
      for (int j = 0; j < i; j++)
        x[i][k] -= a[i][j] * x[j][k];
    }
}

void n_triangle(int n, const REAL a[n][n], const REAL b[n][n], REAL c[n][n]) {
  for (int i = 0; i < n; i++) /* no library: other bounds */
    for (int j = 0; j <= i; j++)
      for (int p = 0; p < n; p++)
        c[i][j] += a[i][p] * b[p][j];
}

void n_apart(int m, int n, int k, const REAL a[m][k], const REAL b[k][n], REAL c[m][n]) {
  for (int i = 0; i < m; i += 2) /* no library: steps */
    for (int j = 0; j < n; j++)
      for (int p = 0; p < k; p++)
        c[i][j] += a[i][p] * b[p][j];
}

void n_square(int m, int n, int k, const REAL a[m][k], const REAL b[k][n], REAL c[m][n]) {
  for (int i = 0; i < m; i++) /* no library: two elements */
    for (int j = 0; j < n; j++)
      for (int p = 0; p < k; p++)
        c[i][j] += a[i][p] * b[p][j] * a[i][p];
}

void n_both(int m, int n, const REAL a[m][n], const REAL *x, const REAL *right, REAL *y) {
  for (int i = 0; i < m; i++) { /* no library: old value and something else */
    REAL s = right[i];
    for (int j = 0; j < n; j++)
      s += a[i][j] * x[j];
    y[i] += s;
  }
}

void n_late(int m, int n, int k, REAL beta, const REAL a[m][k], const REAL b[k][n], REAL c[m][n]) {
  for (int i = 0; i < m; i++) /* no library: does not add a product */
    for (int j = 0; j < n; j++) {
      for (int p = 0; p < k; p++)
        c[i][j] += a[i][p] * b[p][j];
      c[i][j] = c[i][j] + beta;
    }
}

void n_inside(int n, REAL a[2 * n][n], const REAL b[n][n]) {
  for (int i = 0; i < n; i++) /* no library: added, and not subtracted */
    for (int j = 0; j < n; j++)
      for (int p = 0; p < n; p++)
        a[i][j] += a[n + i][p] * b[p][j];
}

void n_integers(int m, int n, int k, const int a[m][k], const int b[k][n], int c[m][n]) {
  for (int i = 0; i < m; i++) /* no library: no float or double */
    for (int j = 0; j < n; j++)
      for (int p = 0; p < k; p++)
        c[i][j] += a[i][p] * b[p][j];
}

void n_mixed(int m, int n, int k, const OTHER a[m][k], const REAL b[k][n], REAL c[m][n]) {
  for (int i = 0; i < m; i++) /* no library: another type|as a matrix does */
    for (int j = 0; j < n; j++)
      for (int p = 0; p < k; p++)
        c[i][j] += a[i][p] * b[p][j];
}

void n_csrgap(int m, const int *start, const int *end, const int *column, const REAL *value, const REAL *x, REAL *y) {
  for (int i = 0; i < m; i++) /* no library: does not end where the next one begins */
    for (int k = start[i]; k < end[i]; k++)
      y[i] += value[k] * x[column[k]];
}

void n_csrskip(int m, const int *start, const int *column, const REAL *value, const REAL *x, REAL *y) {
  for (int i = 0; i < m; i++) /* no library: no plain assignment */
    for (int k = start[i]; k < start[i + 1]; k += 2)
      y[i] += value[k] * x[column[k]];
}

void n_csrlong(int m, const long *start, const int *column, const REAL *value, const REAL *x, REAL *y) {
  for (int i = 0; i < m; i++) /* no library: as a matrix does */
    for (long k = start[i]; k < start[i + 1]; k++)
      y[i] += value[k] * x[column[k]];
}

void n_csrother(int m, const int *start, const int *column, const REAL *value, const REAL *x, REAL *y) {
  for (int i = 0; i < m; i++) /* no library: no list of values and their columns */
    for (int k = start[i]; k < start[i + 1]; k++)
      y[i] += value[k] * x[column[k] + 1];
}

void n_band(int m, int n, const REAL a[n][n], REAL x[n][m]) {
  for (int k = 0; k < m; k++)
    for (int i = 2; i < n; i++) /* no library: not those of a triangular solve */
      for (int j = i - 2; j < i; j++)
        x[i][k] -= a[i][j] * x[j][k];
}

void n_other(int m, int n, const REAL a[n][n], REAL x[n][m]) {
  for (int k = 0; k < m; k++) /* no library: not the diagonal */
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < i; j++)
        x[i][k] -= a[i][j] * x[j][k];
      x[i][k] /= a[0][0];
    }
}

void n_added(int m, int n, const REAL a[n][n], REAL x[n][m]) {
  for (int k = 0; k < m; k++) /* no library: added, and not subtracted */
    for (int i = 0; i < n; i++)
      for (int j = 0; j < i; j++)
        x[i][k] += a[i][j] * x[j][k];
}

void n_twice(int m, int n, const REAL a[n][n], REAL x[n][m]) {
  for (int k = 0; k < m; k++) /* no library: neither a number nor an element */
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < i; j++)
        x[i][k] -= a[i][j] * x[j][k];
      x[i][k] /= a[i][i];
      x[i][k] /= a[i][i];
    }
}

void n_next(int m, int n, const REAL a[n][n], REAL x[n + 1][m]) {
  for (int k = 0; k < m; k++) /* no library: no triangle */
    for (int i = 0; i < n; i++)
      for (int j = 0; j < i; j++)
        x[i][k] -= a[i][j] * x[j + 1][k];
}

// What is multiplied is not yet solved for; of one right-hand side.
void n_vector(int n, const REAL a[n][n], REAL *x) {
  for (int i = n - 1; i >= 0; i--)
    for (int j = 0; j < i; j++)
      x[i] -= a[i][j] * x[j];
}

static double t_sum(const REAL *x, int count) {
  double sum = 0;
  for (int i = 0; i < count; i++)
    sum += (i % 13 + 1) * (double)x[i];
  return sum;
}

static void t_fill(REAL *x, int count, int seed) {
  for (int i = 0; i < count; i++)
    x[i] = (i * 7 + seed) % 5 - 2;
}

// Powers of 2 on the diagonal; of the lower half even columns of odd rows, of the upper half odd columns of even rows: in solves as in
// products all numbers have few digits.
static void t_matrix(int n, int wide, REAL *a) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      a[i * wide + j] = i == j ? 1 << i % 3 : i % 2 != j % 2 && (i > j) == i % 2 ? (i * 7 + j * 3) % 5 - 2 : 0;
}

void t_all(int m, int n, int k) {
  enum { MOST = 4200 };
  static REAL a[MOST], b[MOST], c[MOST];
  static int ia[MOST], ib[MOST], ic[MOST];
  static OTHER oa[MOST];
#define BEGIN t_fill(a, MOST, 1), t_fill(b, MOST, 2), t_fill(c, MOST, 3)
#define SHOW(name) printf("%s %d %d %d: %.17g\n", name, m, n, k, t_sum(c, MOST))
  BEGIN, t_nn(m, n, k, 3, -1, a, b, c), SHOW("nn");
  BEGIN, t_nn(m, n, k, 0, 2, a, b, c), SHOW("nn, alpha 0");
  BEGIN, c[0] = 1e38f * 1e38f, t_nn(m, n, k, 1, 0, a, b, c), printf("nan %d\n", c[0] != c[0]), c[0] = 0, SHOW("nn, beta 0");
  BEGIN, t_nn(m, n, k, 1, 2, a, c + 1, c), SHOW("nn, overlapping");
  BEGIN, t_nt(m, n, k, -2, 3, (void *)a, (void *)b, (void *)c), SHOW("nt");
  BEGIN, t_tn(m, n, k, (void *)a, (void *)b, (void *)c), SHOW("tn");
  BEGIN, t_tt(m, n, k, 2, a, b, c), SHOW("tt");
  BEGIN, t_part(m, n, k, 90, a, b, c), SHOW("part");
  BEGIN, t_many(3, m, n, k, (void *)a, (void *)b, (void *)c), SHOW("many");
  BEGIN, t_rows(m, n, 2, 3, (void *)a, b, c), SHOW("rows");
  BEGIN, t_columns(m, n, (void *)a, b, c), SHOW("columns");
  BEGIN, c[0] = t_dot(m * n, a, b), SHOW("dot");
  BEGIN, t_axpy(m * n, 3, a, c), SHOW("axpy");
  BEGIN, t_chain(n, (void *)a, (void *)b, (void *)c), SHOW("chain");
  BEGIN, t_folded(3, m, n, k, (void *)a, (void *)b, a + 7, (void *)c), SHOW("folded");
  BEGIN, t_weights(3, m, n, k, (void *)a, (void *)b, (void *)c), SHOW("weights");
  BEGIN, t_gaps(3, m, n, k, m + 1, a, (void *)b, (void *)c), SHOW("gaps");
  BEGIN, t_bias(m, n, k, (void *)a, (void *)b, a + 7, (void *)c), SHOW("bias");
  BEGIN, t_late(m, n, k, 3, (void *)a, (void *)b, (void *)a, (void *)c), SHOW("late bias");
  BEGIN, t_order(m, n, k, (void *)a, (void *)b, b, (void *)c), SHOW("order");
  BEGIN, t_three(m, n, (void *)a, b, c), SHOW("three");
  BEGIN, n_both(m, n, (void *)a, b, a, c), SHOW("both");
  BEGIN, t_outer(m, n, 2, a, b, (void *)c), SHOW("outer");
  BEGIN, t_sparse(m, n, k, 2 * k, a, (void *)b, (void *)c), SHOW("sparse");
  // Rows of 1, 2 and 0 entries; the second time the first row does not begin with the first entry, and kernels do it.
  int *start = malloc((m + 1) * sizeof *start), *end = malloc(m * sizeof *end), *column = malloc((2 * m + 1) * sizeof *column);
  long *wide = malloc((m + 1) * sizeof *wide);
  REAL *value = malloc((2 * m + 1) * sizeof *value), *x = malloc((n + 1) * sizeof *x), *y = malloc(m * sizeof *y);
  for (int shift = 0; shift < 2; shift++) {
    start[0] = wide[0] = shift;
    for (int i = 0; i < m; i++) wide[i + 1] = start[i + 1] = start[i] + (i + 1) % 3, end[i] = start[i] + (i + 1) % 2 * ((i + 1) % 3);
    for (int k = 0; k <= 2 * m; k++) column[k] = (k * 5 + 1) % n, value[k] = k % 4 - 1;
    t_fill(x, n + 1, 2);
#define ROWS(name, call) t_fill(y, m, 3), call, printf("%s %d %d: %.17g\n", name, m, n, t_sum(y, m))
    ROWS("csr", t_csr(m, start, column, value, x, y));
    ROWS("csrinto", t_csrinto(m, 2, -1, start, column, value, x, y));
    ROWS("csrends", t_csrends(m, 3, start, column, value, x, y));
    ROWS("csrrest", t_csrrest(m, start, column, value, x, value, y));
    ROWS("gap", n_csrgap(m, start, end, column, value, x, y));
    ROWS("skip", n_csrskip(m, start, column, value, x, y));
    ROWS("long", n_csrlong(m, wide, column, value, x, y));
    ROWS("other", n_csrother(m, start, column, value, x, y));
  }
  free(start), free(end), free(column), free(wide), free(value), free(x), free(y);
#undef ROWS
#define SOLVE BEGIN, t_matrix(n, n, a)
  SOLVE, t_lower(n, (void *)a, b, c), SHOW("lower");
  SOLVE, t_upper(n, (void *)a, c), SHOW("upper");
  SOLVE, t_factors(n, (void *)a, b, b + 2000, c), SHOW("factors");
  SOLVE, t_unit(n, (void *)a, c), SHOW("unit");
  SOLVE, t_turned(n, (void *)a, c), SHOW("turned");
  SOLVE, t_matrix(n, 50, a + 52), t_rest(n, 2, 50, a, b, c), SHOW("rest");
  SOLVE, t_solves(m, n, (void *)a, (void *)c), SHOW("solves");
  SOLVE, t_sides(m, n, (void *)a, (void *)b, (void *)c), SHOW("sides");
  SOLVE, t_before(m, n, (void *)a, (void *)c), SHOW("before");
  SOLVE, n_band(m, n, (void *)a, (void *)c), SHOW("band");
  SOLVE, n_other(m, n, (void *)a, (void *)c), SHOW("other");
  SOLVE, n_added(m, n, (void *)a, (void *)c), SHOW("added");
  SOLVE, n_twice(m, n, (void *)a, (void *)c), SHOW("twice");
  SOLVE, n_next(m, n, (void *)a, (void *)c), SHOW("next");
  SOLVE, n_vector(n, (void *)a, c), SHOW("vector");
#undef SOLVE
  BEGIN, n_triangle(n, (void *)a, (void *)b, (void *)c), SHOW("triangle");
  BEGIN, n_apart(m, n, k, (void *)a, (void *)b, (void *)c), SHOW("apart");
  BEGIN, n_square(m, n, k, (void *)a, (void *)b, (void *)c), SHOW("square");
  BEGIN, n_inside(n, (void *)c, (void *)b), SHOW("inside");
  BEGIN, n_late(m, n, k, 2, (void *)a, (void *)b, (void *)c), SHOW("late");
  for (int i = 0; i < MOST; i++) ia[i] = i % 5 - 2, ib[i] = i % 3, ic[i] = 0, oa[i] = i % 4;
  n_integers(m, n, k, (void *)ia, (void *)ib, (void *)ic), printf("integers %d\n", ic[m * n - 1]);
  BEGIN, n_mixed(m, n, k, (void *)oa, (void *)b, (void *)c), SHOW("mixed");
#undef BEGIN
#undef SHOW
}
