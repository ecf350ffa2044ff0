// Loop headers: descending, strided, !=, <=, min/max and conditional bounds, empty loops, several index types.
// SHOWS: CR-02 CR-05 RT-12
#include <stddef.h>
#define MIN(p, q) ((p) < (q) ? (p) : (q))
#define MAX(p, q) ((p) > (q) ? (p) : (q))
double a[256], b[256], c[256];
double A[20][20], B[20][20];

void not_equal(int n) {
  for (int i = 0; i != n; i++) /* EXPECT: parallel or conditional */
    a[i] = b[i];
}

void descending_recurrence(int n) {
  for (int i = n; i > 0; i--) /* EXPECT: sequential */
    a[i] = a[i + 1] + b[i];
}

void descending_anti(int n) {
  for (int i = n; i > 0; i--) /* EXPECT: sequential */
    a[i] = a[i - 1] + b[i];
}

void descending_by_three(int n) {
  for (int i = 3 * n; i >= 3; i -= 3) /* EXPECT: sequential */
    a[i] = a[i - 3] + b[i];
}

void descending_by_three_independent(int n) {
  for (int i = 3 * n; i >= 3; i -= 3) /* EXPECT: parallel */
    a[i] = a[i - 2] + b[i];
}

void index_declared_before(int n) {
  int i;
  for (i = 0; i < n; i++) /* EXPECT: parallel */
    a[i] = b[i] + 1;
  c[0] = i;
}

void inner_index_declared_before(int n) {
  int i, j;
  for (i = 0; i < n; i++) /* EXPECT: parallel */
    for (j = 0; j < n; j++) /* EXPECT: parallel */
      A[i][j] = B[i][j] + 1;
}

void minimum_bound(int n, int m) {
  for (int i = 0; i < MIN(n, m); i++) /* EXPECT: parallel */
    a[i] = b[i] + 1;
}

void tile_by_four(int n) {
  for (int ii = 0; ii < n; ii += 4) /* EXPECT: parallel */
    for (int i = ii; i < MIN(ii + 4, n); i++) /* EXPECT: parallel */
      a[i] = b[i] * 2;
}

void tile_recurrence(int n) {
  for (int ii = 1; ii < n; ii += 4) /* EXPECT: sequential */
    for (int i = ii; i < MIN(ii + 4, n); i++) /* EXPECT: sequential */
      a[i] = a[i - 1] * 2;
}

void maximum_bound(int n) {
  for (int i = 0; i < n; i++) /* EXPECT: parallel */
    for (int j = MAX(0, i - 2); j <= MIN(n - 1, i + 2); j++) /* EXPECT: parallel */
      A[i][j] = B[i][j];
}

void band_recurrence(int n) {
  for (int i = 1; i < n; i++) /* EXPECT: sequential */
    for (int j = MAX(0, i - 2); j <= MIN(n - 1, i + 2); j++) /* EXPECT: parallel */
      A[i][j] = A[i - 1][j];
}

void conditional_bound(int n, int flag) {
  for (int i = 0; i < (flag ? n : n / 2); i++) /* EXPECT: parallel */
    a[i] = b[i] + 1;
}

void never_runs(int n) {
  for (int i = 1; i < n; i++) /* EXPECT: parallel */
    for (int j = 5; j < 4; j++) /* EXPECT: parallel */
      A[i][j] = A[i - 1][j - 1];
}

void once(int n) {
  for (int i = n; i <= n; i++) /* EXPECT: parallel */
    a[i] = a[i - 1] + a[i + 1];
}

void unsigned_index(unsigned n) {
  for (unsigned i = 0; i < n; i++) /* EXPECT: parallel or conditional */
    a[i] = b[i] + 1;
}

void size_index(size_t n) {
  for (size_t i = 1; i < n; i++) /* EXPECT: sequential */
    a[i] = a[i - 1] + 1;
}

void long_index(long n) {
  for (long i = 0; i < n; i++) /* EXPECT: parallel */
    a[i] = b[i] + 1;
}

void short_index(int n) {
  for (short i = 0; i < n; i++) /* EXPECT: parallel or conditional */
    a[i] = b[i] + 1;
}

void mixed_widths(int n) {
  long offset = 3;
  for (int i = 0; i < n; i++) /* EXPECT: parallel */
    a[i + offset] = b[(long)i * 2] + 1;
}

void unsigned_offset(unsigned n) {
  for (unsigned i = 1; i < n; i++) /* EXPECT: sequential */
    a[i] = a[i - 1u] + 1;
}

void index_changed_in_body(int n) {
  for (int i = 0; i < n; i++) { /* EXPECT: sequential or unknown or none */
    a[i] = b[i];
    if (b[i] > 0)
      i++;
  }
}

void bound_changed_in_body(int n) {
  int m = n;
  for (int i = 0; i < m; i++) { /* EXPECT: sequential or unknown or none */
    a[i] = b[i];
    if (b[i] > 2)
      m--;
  }
}

void bound_from_memory(int n) {
  int limit[1];
  limit[0] = n;
  for (int i = 0; i < limit[0]; i++)
    a[i] = b[i];
}

void less_equal(int n) {
  for (int i = 0; i <= n; ++i) /* EXPECT: parallel */
    a[i] = b[i] + c[i];
}

void step_in_assignment(int n) {
  for (int i = 0; i < n; i = i + 2) /* EXPECT: parallel */
    a[i] = a[i + 1];
}

// NONAFFINE
void doubling_index(int n) {
  for (int i = 1; i < 4 * n; i *= 2)
    a[i] = a[i / 2] + b[i];
}

// NONAFFINE
void symbolic_step(int n, int s) {
  for (int i = 0; i < n; i += s)
    a[i] = b[i];
}

#ifdef WL_TRACE
int main(void) {
  RUN(not_equal(n));
  RUN(descending_recurrence(n));
  RUN(descending_anti(n));
  RUN(descending_by_three(n));
  RUN(descending_by_three_independent(n));
  RUN(index_declared_before(n));
  RUN(inner_index_declared_before(n));
  RUN(minimum_bound(n, 8));
  RUN(tile_by_four(n));
  RUN(tile_recurrence(n));
  RUN(maximum_bound(n));
  RUN(band_recurrence(n));
  RUN(conditional_bound(n, 1));
  RUN(never_runs(n));
  RUN(once(n));
  RUN(unsigned_index(n));
  RUN(size_index(n));
  RUN(long_index(n));
  RUN(short_index(n));
  RUN(mixed_widths(n));
  RUN(unsigned_offset(n));
  RUN(index_changed_in_body(n));
  RUN(bound_changed_in_body(n));
  RUN(bound_from_memory(n));
  RUN(less_equal(n));
  RUN(step_in_assignment(n));
  RUN(doubling_index(n));
  RUN(symbolic_step(n, 2));
}
#endif
