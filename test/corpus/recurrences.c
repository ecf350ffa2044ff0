// First and second order recurrences, scans and searches: what must stay in order.
double a[64], b[64], c[64], d[64];
double two[20][20];
int ia[64], found_at;

void first_order(int n) {
  for (int i = 1; i < n; i++) /* EXPECT: sequential */
    a[i] = a[i - 1] * b[i] + c[i];
}

void second_order(int n) {
  for (int i = 2; i < n; i++) /* EXPECT: sequential */
    a[i] = a[i - 1] * b[i] + a[i - 2] * c[i];
}

void fibonacci_like(int n) {
  double x = 1, y = 1, t;
  for (int i = 0; i < n; i++) { /* EXPECT: sequential */
    t = x + y;
    x = y;
    y = t;
    a[i] = t;
  }
}

void general_linear(int n) {
  for (int i = 1; i < n; i++) /* EXPECT: sequential */
    for (int k = 0; k < i; k++) /* EXPECT: reduction(+) */
      a[i] += two[k][i] * a[i - k - 1];
}

void prefix_sum(int n) {
  for (int i = 1; i < n; i++) /* EXPECT: sequential */
    a[i] += a[i - 1];
}

void coupled_recurrence(int n) {
  for (int i = 1; i < n; i++) { /* EXPECT: sequential */
    a[i] = b[i - 1] + c[i];
    b[i] = a[i - 1] + d[i];
  }
}

void skip_one_recurrence(int n) {
  for (int i = 2; i < n; i++) { /* EXPECT: carried(2) */
    a[i] = b[i - 2] + c[i];
    b[i] = a[i] + d[i];
  }
}

void backward_recurrence(int n) {
  for (int i = n - 2; i >= 0; i--) /* EXPECT: sequential */
    a[i] = a[i + 1] * b[i];
}

void row_recurrence(int n) {
  for (int i = 0; i < n; i++) /* EXPECT: parallel */
    for (int j = 1; j < n; j++) /* EXPECT: sequential */
      two[i][j] = two[i][j - 1] + b[j];
}

void column_recurrence(int n) {
  for (int i = 1; i < n; i++) /* EXPECT: sequential */
    for (int j = 0; j < n; j++) /* EXPECT: parallel */
      two[i][j] = two[i - 1][j] + b[j];
}

// NONAFFINE
int search_first(int n) {
  int at = -1;
  for (int i = 0; i < n; i++) { /* EXPECT: sequential or unknown */
    if (ia[i] > 12) {
      at = i;
      break;
    }
  }
  return at;
}

// NONAFFINE
int search_last(int n) {
  int at = -1;
  for (int i = 0; i < n; i++)
    if (ia[i] > 9)
      at = i;
  return at;
}

// NONAFFINE
int search_by_condition(int n) {
  int i, found = 0;
  for (i = 0; i < n && !found; i++) /* EXPECT: sequential or unknown */
    if (ia[i] > 12)
      found = 1;
  return i;
}

// NONAFFINE
int search_return(int n) {
  for (int i = 0; i < n; i++) /* EXPECT: sequential or unknown */
    if (ia[i] == 7)
      return i;
  return -1;
}

// NONAFFINE
int pack(int n) {
  int k = 0;
  for (int i = 0; i < n; i++) {
    if (b[i] > 0) {
      a[k] = b[i];
      k++;
    }
  }
  return k;
}

// NONAFFINE
void unpack(int n) {
  int k = 0;
  for (int i = 0; i < n; i++) {
    if (b[i] > 0) {
      a[i] = c[k];
      k = k + 1;
    }
  }
}

void running_maximum(int n) {
  double m = a[0];
  for (int i = 0; i < n; i++) { /* EXPECT: sequential */
    if (a[i] > m)
      m = a[i];
    b[i] = m;
  }
}

#ifdef WL_TRACE
int main(void) {
  RUN(first_order(n));
  RUN(second_order(n));
  RUN(fibonacci_like(n));
  RUN(general_linear(n));
  RUN(prefix_sum(n));
  RUN(coupled_recurrence(n));
  RUN(skip_one_recurrence(2 * n));
  RUN(backward_recurrence(n));
  RUN(row_recurrence(n));
  RUN(column_recurrence(n));
  RUN(search_first(3 * n));
  RUN(search_last(n));
  RUN(search_by_condition(3 * n));
  RUN(search_return(n));
  RUN(pack(n));
  RUN(unpack(n));
  RUN(running_maximum(n));
}
#endif
