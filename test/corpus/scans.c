// Loops that hand values on by functions that compose: in order, one iteration after the other, as far as dependences go; and
// loops beside them that hand on nothing.
double a[64], b[64], c[64], two[20][20], sum, best;
int ia[64], ib[64], count, at, last, row, column;

void inclusive_sum(int n) {
  for (int i = 0; i < n; i++) { /* EXPECT: sequential */
    sum += a[i];
    b[i] = sum;
  }
}
void exclusive_sum(int n) {
  for (int i = 0; i < n; i++) { /* EXPECT: sequential */
    b[i] = sum;
    sum += a[i];
  }
}
void sum_without_a_reader(int n) {
  for (int i = 0; i < n; i++) { /* EXPECT: reduction(+) */
    sum += a[i];
    b[i] = a[i];
  }
}
void sum_in_place(int n) {
  for (int i = 1; i < n; i++) /* EXPECT: sequential */
    ia[i] = ia[i - 1] + ia[i];
}
void sum_downwards(int n) {
  for (int i = n - 2; i >= 0; i--) /* EXPECT: sequential */
    a[i] = a[i + 1] + b[i];
}
void sum_of_pairs(int n) {
  for (int i = 2; i < n; i += 2) /* EXPECT: sequential */
    a[i] = a[i - 2] + b[i];
}
void sum_of_the_others(int n) {
  for (int i = 2; i < n; i += 2) /* EXPECT: parallel */
    a[i] = a[i - 1] + b[i];
}
void decayed(int n) {
  for (int i = 1; i < n; i++) /* EXPECT: sequential */
    a[i] = a[i - 1] * 0.5 + b[i];
}
void squared(int n) {
  for (int i = 1; i < n; i++) /* EXPECT: sequential */
    a[i] = a[i - 1] * a[i - 1] + b[i];
}
void rows(int n) {
  for (int i = 0; i < n; i++) /* EXPECT: parallel */
    for (int j = 1; j < n; j++) /* EXPECT: sequential */
      two[i][j] = two[i][j - 1] + two[i][j];
}
void columns(int n) {
  for (int i = 1; i < n; i++) /* EXPECT: sequential */
    for (int j = 0; j < n; j++) /* EXPECT: parallel */
      two[i][j] += two[i - 1][j];
}
void rows_with_a_scalar(int n) {
  for (int i = 0; i < n; i++) { /* EXPECT: parallel */
    double s = 0;
    for (int j = 0; j < n; j++) { /* EXPECT: sequential */
      s += two[i][j];
      two[i][j] = s;
    }
  }
}
void running_maximum(int n) {
  for (int i = 0; i < n; i++) { /* EXPECT: sequential */
    if (a[i] > best) best = a[i];
    b[i] = best;
  }
}
void maximum(int n) {
  for (int i = 0; i < n; i++) /* EXPECT: reduction(max) */
    if (a[i] > best) best = a[i];
}
void largest(int n) {
  for (int i = 0; i < n; i++) /* EXPECT: sequential */
    if (a[i] > best) {
      best = a[i];
      at = i;
    }
}
void largest_of_a_matrix(int n) {
  for (int i = 0; i < n; i++) /* EXPECT: sequential */
    for (int j = 0; j < n; j++) /* EXPECT: sequential */
      if (two[i][j] > best) {
        best = two[i][j];
        row = i;
        column = j;
      }
}
void counter(int n) {
  for (int i = 0; i < n; i++) { /* EXPECT: sequential */
    if (a[i] > 0) count++;
    ib[i] = count;
  }
}
// NONAFFINE
void last_index(int n) {
  for (int i = 0; i < n; i++) /* EXPECT: sequential */
    if (a[i] > 0) last = i;
}
void last_value(int n) {
  for (int i = 0; i < n; i++) { /* EXPECT: sequential */
    if (a[i] > 0) last = ia[i];
    ib[i] = last;
  }
}
void segments(int n) {
  for (int i = 0; i < n; i++) { /* EXPECT: sequential */
    if (ia[i] % 3 == 0) count = 0;
    count += 2;
    ib[i] = count;
  }
}

#ifdef WL_TRACE
int main(void) {
  RUN(inclusive_sum(n));
  RUN(exclusive_sum(n));
  RUN(sum_without_a_reader(n));
  RUN(sum_in_place(n));
  RUN(sum_downwards(n));
  RUN(sum_of_pairs(n));
  RUN(sum_of_the_others(n));
  RUN(decayed(n));
  RUN(squared(n));
  RUN(rows(n));
  RUN(columns(n));
  RUN(rows_with_a_scalar(n));
  RUN(running_maximum(n));
  RUN(maximum(n));
  RUN(largest(n));
  RUN(largest_of_a_matrix(n));
  RUN(counter(n));
  RUN(last_index(n));
  RUN(last_value(n));
  RUN(segments(n));
}
#endif
