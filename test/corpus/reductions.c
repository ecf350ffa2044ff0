// Reductions, scalar and array, guarded or not, and near misses that are none.
#include <math.h>
double a[64], b[64], c[64];
double two[20][20], rows[20], cols[20];
int ia[64], ib[64];
unsigned ua[64];

double sum(int n) {
  double s = 0;
  for (int i = 0; i < n; i++) /* EXPECT: reduction(+) */
    s += a[i];
  return s;
}

double sum_spelled_out(int n) {
  double s = 0;
  for (int i = 0; i < n; i++) /* EXPECT: reduction(+) */
    s = s + a[i];
  return s;
}

double sum_operand_first(int n) {
  double s = 0;
  for (int i = 0; i < n; i++) /* EXPECT: reduction(+) */
    s = a[i] + s;
  return s;
}

double difference(int n) {
  double s = 0;
  for (int i = 0; i < n; i++) /* EXPECT: reduction(+) */
    s -= a[i];
  return s;
}

double product(int n) {
  double p = 1;
  for (int i = 0; i < n; i++) /* EXPECT: reduction(*) */
    p *= a[i];
  return p;
}

double dot(int n) {
  double s = 0;
  for (int i = 0; i < n; i++) /* EXPECT: reduction(+) */
    s += a[i] * b[i];
  return s;
}

double minimum_if(int n) {
  double m = a[0];
  for (int i = 1; i < n; i++) /* EXPECT: reduction(min) */
    if (a[i] < m)
      m = a[i];
  return m;
}

double maximum_conditional(int n) {
  double m = a[0];
  for (int i = 1; i < n; i++) /* EXPECT: reduction(max) */
    m = a[i] > m ? a[i] : m;
  return m;
}

double maximum_call(int n) {
  double m = a[0];
  for (int i = 1; i < n; i++) /* EXPECT: reduction(max) */
    m = fmax(m, a[i]);
  return m;
}

double minimum_call_reversed(int n) {
  double m = a[0];
  for (int i = 1; i < n; i++) /* EXPECT: reduction(min) */
    m = fmin(a[i], m);
  return m;
}

double maximum_of_magnitudes(int n) {
  double m = 0;
  for (int i = 0; i < n; i++) /* EXPECT: reduction(max) */
    if (fabs(a[i]) > m)
      m = fabs(a[i]);
  return m;
}

int position_of_maximum(int n) {
  double m = a[0];
  int at = 0;
  for (int i = 1; i < n; i++)
    if (a[i] > m) {
      m = a[i];
      at = i;
    }
  return at;
}

double sum_of_positive(int n) {
  double s = 0;
  for (int i = 0; i < n; i++) /* EXPECT: reduction(+) */
    if (a[i] > 0)
      s += a[i];
  return s;
}

double several_at_once(int n) {
  double s = 0, m = a[0];
  for (int i = 0; i < n; i++) { /* EXPECT: reduction(+,max) */
    s += a[i];
    m = fmax(m, b[i]);
  }
  return s + m;
}

int count_matches(int n) {
  int count = 0;
  for (int i = 0; i < n; i++) /* EXPECT: reduction(+) */
    if (ia[i] == ib[i])
      count++;
  return count;
}

unsigned bits(int n) {
  unsigned all = ~0u, any = 0, odd = 0;
  for (int i = 0; i < n; i++) { /* EXPECT: reduction(&,|,^) */
    all &= ua[i];
    any |= ua[i];
    odd ^= ua[i];
  }
  return all + any + odd;
}

int logical(int n) {
  int all = 1, any = 0;
  for (int i = 0; i < n; i++) { /* EXPECT: reduction(&&,||) */
    all = all && ia[i] < 16;
    any = any || ib[i] > 14;
  }
  return all + any;
}

void row_sums(int n) {
  for (int i = 0; i < n; i++) /* EXPECT: parallel */
    for (int j = 0; j < n; j++) /* EXPECT: reduction(+) */
      rows[i] += two[i][j];
}

void column_sums(int n) {
  for (int i = 0; i < n; i++) /* EXPECT: reduction(+) */
    for (int j = 0; j < n; j++) /* EXPECT: parallel */
      cols[j] += two[i][j];
}

void row_and_column_sums(int n) {
  for (int i = 0; i < n; i++) /* EXPECT: reduction(+) */
    for (int j = 0; j < n; j++) { /* EXPECT: reduction(+) */
      rows[i] += two[i][j];
      cols[j] += two[i][j];
    }
}

double prefix_is_no_reduction(int n) {
  double s = 0;
  for (int i = 0; i < n; i++) { /* EXPECT: sequential */
    s += a[i];
    b[i] = s;
  }
  return s;
}

double reversed_difference(int n) {
  double s = 0;
  for (int i = 0; i < n; i++) /* EXPECT: sequential */
    s = a[i] - s;
  return s;
}

double horner(int n) {
  double s = 0;
  for (int i = 0; i < n; i++) /* EXPECT: sequential */
    s = s * 0.5 + a[i];
  return s;
}

double mixed_operators(int n) {
  double s = 0;
  for (int i = 0; i < n; i++) { /* EXPECT: sequential */
    s += a[i];
    s *= b[i];
  }
  return s;
}

double sum_with_itself(int n) {
  double s = 1;
  for (int i = 0; i < n; i++) /* EXPECT: sequential */
    s += a[i] * s;
  return s;
}

double guarded_by_itself(int n) {
  double s = 0;
  for (int i = 0; i < n; i++) /* EXPECT: sequential */
    if (s < 3)
      s += a[i];
  return s;
}

double sum_in_two_statements(int n) {
  double s = 0;
  for (int i = 0; i < n; i++) { /* EXPECT: reduction(+) */
    s += a[i];
    s += b[i];
  }
  return s;
}

double whole_matrix(int n) {
  double s = 0;
  for (int i = 0; i < n; i++) /* EXPECT: reduction(+) */
    for (int j = 0; j < n; j++) /* EXPECT: reduction(+) */
      s += two[i][j];
  return s;
}

double unrolled_dot(int n) {
  double s = 0;
  for (int i = 0; i + 3 < n; i += 4) /* EXPECT: reduction(+) */
    s += a[i] * b[i] + a[i + 1] * b[i + 1] + a[i + 2] * b[i + 2] + a[i + 3] * b[i + 3];
  return s;
}

void into_pointer(double *result, int n) {
  for (int i = 0; i < n; i++) /* EXPECT: reduction(+) or conditional */
    *result += a[i];
}

void into_global_element(int n) {
  for (int i = 0; i < n; i++) /* EXPECT: reduction(+) */
    c[2] += a[i];
}

#ifdef WL_TRACE
int main(void) {
  RUN(sum(n));
  RUN(sum_spelled_out(n));
  RUN(sum_operand_first(n));
  RUN(difference(n));
  RUN(product(n));
  RUN(dot(n));
  RUN(minimum_if(n));
  RUN(maximum_conditional(n));
  RUN(maximum_call(n));
  RUN(minimum_call_reversed(n));
  RUN(maximum_of_magnitudes(n));
  RUN(position_of_maximum(n));
  RUN(sum_of_positive(n));
  RUN(several_at_once(n));
  RUN(count_matches(40));
  RUN(bits(n));
  RUN(logical(n));
  RUN(row_sums(n));
  RUN(column_sums(n));
  RUN(row_and_column_sums(n));
  RUN(prefix_is_no_reduction(n));
  RUN(reversed_difference(n));
  RUN(horner(n));
  RUN(mixed_operators(n));
  RUN(sum_with_itself(n));
  RUN(guarded_by_itself(n));
  RUN(sum_in_two_statements(n));
  RUN(whole_matrix(n));
  RUN(unrolled_dot(n));
  RUN(into_pointer(c, n));
  RUN(into_global_element(n));
}
#endif
