// Subscripts through index arrays: gather, scatter, histogram, sparse matrices; and other subscripts that are not affine.
// SHOWS: CR-08
double a[256], b[256], c[256], val[64], x[64], y[64];
int idx[64], jdx[64], row[16], col[64];
double A[20][20];

void gather(int n) {
  for (int i = 0; i < n; i++) /* EXPECT: parallel */
    a[i] = b[idx[i]];
}

// NONAFFINE
void scatter(int n) {
  for (int i = 0; i < n; i++)
    a[idx[i]] = b[i];
}

// NONAFFINE
void scatter_add(int n) {
  for (int i = 0; i < n; i++) /* EXPECT: reduction(+) */
    a[idx[i]] += b[i];
}

// NONAFFINE
void scatter_reads_itself(int n) {
  for (int i = 0; i < n; i++)
    a[idx[i]] = a[jdx[i]] + b[i];
}

// NONAFFINE
void scatter_and_read_plain(int n) {
  for (int i = 0; i < n; i++) {
    a[idx[i]] = b[i];
    c[i] = a[i];
  }
}

// NONAFFINE
void indirect_recurrence(int n) {
  for (int i = 2; i < n; i++)
    a[idx[i]] = a[idx[i - 2]];
}

void gather_two_levels(int n) {
  for (int i = 0; i < n; i++) /* EXPECT: parallel */
    a[i] = b[idx[jdx[i]]];
}

// NONAFFINE
void gather_own_array(int n) {
  for (int i = 0; i < n; i++)
    a[i] = a[idx[i]] + 1;
}

// NONAFFINE
void index_array_changes(int n) {
  for (int i = 0; i < n; i++) {
    idx[i] = jdx[i];
    a[idx[i]] = b[i];
  }
}

// NONAFFINE
void sparse_matrix_vector(int n) {
  for (int i = 0; i < n; i++) {
    y[i] = 0;
    for (int k = row[i]; k < row[i + 1]; k++)
      y[i] += val[k] * x[col[k]];
  }
}

void histogram_weighted(int n) {
  for (int i = 0; i < n; i++) /* EXPECT: reduction(+) */
    a[idx[i]] = a[idx[i]] + b[i] * 2;
}

// NONAFFINE
void histogram_maximum(int n) {
  for (int i = 0; i < n; i++)
    if (b[i] > a[idx[i]])
      a[idx[i]] = b[i];
}

// NONAFFINE
void squares(int n) {
  for (int i = 0; i < n; i++)
    a[i * i] = b[i];
}

// NONAFFINE
void squares_read(int n) {
  for (int i = 0; i < n; i++)
    a[i] = a[i * i] + 1;
}

// NONAFFINE
void product_subscript(int n) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      a[i * j] = b[i] + b[j];
}

// NONAFFINE
void symbolic_stride(int n, int m) {
  for (int i = 0; i < n; i++)
    a[i * m] = b[i];
}

void row_through_index(int n) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) /* EXPECT: parallel */
      A[idx[i]][j] = b[j] + i;
}

void column_through_index(int n) {
  for (int i = 0; i < n; i++) /* EXPECT: parallel */
    for (int j = 0; j < n; j++)
      A[i][idx[j]] = b[j] + i;
}

// NONAFFINE
void shifted_bits(int n) {
  for (int i = 0; i < n; i++)
    a[i ^ 1] = b[i];
}

// NONAFFINE
void masked(int n) {
  for (int i = 0; i < n; i++)
    a[i & 3] = a[(i + 1) & 3] + b[i];
}

#ifdef WL_TRACE
static void rows_ascend(void) {
  int k = 0;
  while (k < 16) {
    row[k] = 3 * k;
    k++;
  }
}
int main(void) {
  RUN(gather(n));
  RUN(scatter(n));
  RUN(scatter_add(n));
  RUN(scatter_reads_itself(n));
  RUN(scatter_and_read_plain(n));
  RUN(indirect_recurrence(n));
  RUN(gather_two_levels(n));
  RUN(gather_own_array(n));
  RUN(index_array_changes(n));
  RUN(rows_ascend(); sparse_matrix_vector(n));
  RUN(histogram_weighted(n));
  RUN(histogram_maximum(n));
  RUN(squares(n));
  RUN(squares_read(n));
  RUN(product_subscript(n));
  RUN(symbolic_stride(n, 2));
  RUN(symbolic_stride(n, 0));
  RUN(row_through_index(n));
  RUN(column_through_index(n));
  RUN(shifted_bits(n));
  RUN(masked(n));
}
#endif
