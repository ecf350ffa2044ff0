// Loops that distribution, reordering, node splitting and scalar expansion would change.
double a[64], b[64], c[64], d[64], e[64];
double A[20][20], B[20][20];

void distribute_recurrence(int n) {
  for (int i = 1; i < n; i++) { /* EXPECT: sequential */
    a[i] = b[i] + c[i];
    d[i] = d[i - 1] + a[i];
  }
}

void reorder(int n) {
  for (int i = 1; i < n; i++) { /* EXPECT: sequential */
    a[i] = b[i - 1] + c[i];
    b[i] = d[i] * e[i];
  }
}

void reorder_forward(int n) {
  for (int i = 0; i < n; i++) { /* EXPECT: sequential */
    a[i] = b[i + 1] + c[i];
    b[i] = d[i] * e[i];
  }
}

void split_node(int n) {
  for (int i = 0; i < n; i++) { /* EXPECT: sequential */
    a[i] = b[i] + c[i];
    d[i] = (a[i] + a[i + 1]) * 0.5;
  }
}

void same_iteration_chain(int n) {
  for (int i = 0; i < n; i++) { /* EXPECT: parallel */
    a[i] = b[i] * 2;
    c[i] = a[i] + 1;
    d[i] = c[i] - a[i];
  }
}

void expand_scalar(int n) {
  double s;
  for (int i = 0; i < n; i++) { /* EXPECT: parallel */
    s = a[i];
    a[i] = b[i];
    b[i] = s;
  }
}

void expand_two_scalars(int n) {
  double s, t;
  for (int i = 0; i < n; i++) { /* EXPECT: parallel */
    s = b[i] * 2;
    t = s + c[i];
    a[i] = s * t;
  }
}

double last_value_used(int n) {
  double s = 0;
  for (int i = 0; i < n; i++) { /* EXPECT: parallel */
    s = b[i] * 2;
    a[i] = s;
  }
  return s;
}

void scalar_read_first(int n) {
  double s = 1;
  for (int i = 0; i < n; i++) { /* EXPECT: sequential */
    a[i] = s;
    s = b[i] * 2;
  }
}

void overwrite_then_read(int n) {
  for (int i = 1; i < n; i++) { /* EXPECT: parallel */
    a[i] = b[i];
    a[i] = a[i] + c[i];
  }
}

void two_writes_apart(int n) {
  for (int i = 0; i < n; i++) { /* EXPECT: sequential */
    a[i] = b[i];
    a[i + 1] = c[i];
  }
}

void two_writes_two_apart(int n) {
  for (int i = 0; i < n; i++) { /* EXPECT: carried(2) */
    a[i] = b[i];
    a[i + 2] = c[i];
  }
}

void swap_rows(int n, int p, int q) {
  for (int j = 0; j < n; j++) {
    double t = A[p][j];
    A[p][j] = A[q][j];
    A[q][j] = t;
  }
}

void unrolled_by_four(int n) {
  for (int i = 0; i + 3 < n; i += 4) { /* EXPECT: parallel */
    a[i] = a[i] + 2 * b[i];
    a[i + 1] = a[i + 1] + 2 * b[i + 1];
    a[i + 2] = a[i + 2] + 2 * b[i + 2];
    a[i + 3] = a[i + 3] + 2 * b[i + 3];
  }
}

void unrolled_with_overlap(int n) {
  for (int i = 0; i < n; i += 2) { /* EXPECT: sequential */
    a[i] = a[i + 1] * b[i];
    a[i + 1] = a[i + 2] * b[i + 1];
  }
}

void run_of_loops(int n) {
  for (int i = 0; i < n; i++) /* EXPECT: parallel */
    a[i] = b[i] * 2;
  for (int i = 0; i < n; i++) /* EXPECT: parallel */
    c[i] = a[n - 1 - i];
  for (int i = 1; i < n; i++) /* EXPECT: sequential */
    c[i] = c[i] + c[i - 1];
}

void swap_halves_of_rows(int n) {
  for (int i = 0; i < n; i++) /* EXPECT: parallel */
    for (int j = 0; j < n / 2; j++) { /* EXPECT: parallel */
      double t = A[i][j];
      A[i][j] = A[i][j + n / 2];
      A[i][j + n / 2] = t;
    }
}

#ifdef WL_TRACE
int main(void) {
  RUN(distribute_recurrence(n));
  RUN(reorder(n));
  RUN(reorder_forward(n));
  RUN(split_node(n));
  RUN(same_iteration_chain(n));
  RUN(expand_scalar(n));
  RUN(expand_two_scalars(n));
  RUN(last_value_used(n));
  RUN(scalar_read_first(n));
  RUN(overwrite_then_read(n));
  RUN(two_writes_apart(n));
  RUN(two_writes_two_apart(n));
  RUN(swap_rows(n, 2, 4));
  RUN(unrolled_by_four(2 * n));
  RUN(unrolled_with_overlap(n));
  RUN(run_of_loops(n));
  RUN(swap_halves_of_rows(n));
}
#endif
