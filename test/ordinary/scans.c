/* Loops in which each iteration changes a value in a way that composes: scans; and loops beside them that must stay in order. */
#include <stddef.h>
#include <stdio.h>

enum { most = 20000, side = 300 };
static double a[most + 8], b[most + 8], c[most + 8], w[most + 8], x[8][side], y[8][side], t;
static float f[most + 8];
static int q[most + 8], r[most + 8], k;

static void prefix_sum(int n) {
  double s = 0;
  for (int i = 0; i < n; i++) { /* region: prefix_sum */
    s += a[i];
    b[i] = s;
  }
  t = s;
}
static void exclusive_sum(int n) {
  int s = 0;
  for (int i = 0; i < n; i++) { /* region: exclusive_sum */
    r[i] = s;
    s += q[i];
  }
  k = s;
}
static void in_place(int n) {
  for (int i = 1; i < n; i++) /* region: in_place */
    q[i] = q[i] + q[i - 1];
}
static void added_up(int n) {
  for (int i = 1; i < n; i++) /* region: added_up */
    a[i] = a[i - 1] + b[i];
}
static void linear(int n) {
  for (int i = 1; i < n; i++) /* region: linear */
    a[i] = a[i - 1] * c[i] + b[i];
}
static void from_the_end(int n) {
  int s = 7;
  for (int i = n - 1; i >= 0; i--) { /* region: from_the_end */
    s += q[i];
    r[i] = s;
  }
  k = s;
}
static void carried_down(int n) {
  for (int i = n - 2; i >= 0; i--) /* region: carried_down */
    a[i] = a[i + 1] * 0.5 - b[i];
}
static void every_third(int n) {
  int s = 1;
  for (int i = 1; i < n; i += 3) { /* region: every_third */
    s -= q[i];
    r[i] = s;
  }
  k = s;
}
static void running_maximum(int n) {
  double m = -100;
  for (int i = 0; i < n; i++) { /* region: running_maximum */
    if (a[i] > m) m = a[i];
    b[i] = m;
  }
  t = m;
}
static void running_minimum(int n) {
  int m = 1 << 30;
  for (int i = 0; i < n; i++) { /* region: running_minimum */
    m = q[i] < m ? q[i] : m;
    r[i] = m;
  }
  k = m;
}
static void running_product(int n) {
  double p = 1;
  for (int i = 0; i < n; i++) { /* region: running_product */
    p *= c[i];
    b[i] = p;
  }
  t = p;
}
/* The product of the factors is far beyond what a double holds; what the loop computes is not. */
static void doubled_nothing(int n) {
  double s = 0;
  for (int i = 0; i < n; i++) { /* region: doubled_nothing */
    s = s * 3.0;
    b[i] = s;
  }
  t = s;
}
static void small_and_large(int n) {
  float s = 1;
  for (int i = 0; i < n; i++) { /* region: small_and_large */
    s = s * f[i];
    b[i] = s;
  }
}
static void segments(int n) {
  int s = 0;
  for (int i = 0; i < n; i++) { /* region: segments */
    if (q[i] > 15) s = 0;
    s += q[i];
    r[i] = s;
  }
  k = s;
}
static void hashes(int n) {
  unsigned h = 5381;
  for (int i = 0; i < n; i++) { /* region: hashes */
    h = h * 33u + (unsigned)q[i];
    r[i] = (int)(h >> 8);
  }
  k = (int)(h >> 8);
}
static void wrapping(int n) {
  int s = 2147483000;
  for (int i = 0; i < n; i++) { /* region: wrapping */
    s += i % 2 ? 600 : -600;
    r[i] = s;
  }
  k = s;
}
static void long_sum(int n) {
  long s = 0;
  for (int i = 0; i < n; i++) { /* region: long_sum */
    s += (long)q[i] << 30;
    r[i] = (int)(s >> 20);
  }
  k = (int)(s >> 30);
}
static void two_sums(int n) {
  int s = 0, p = 1;
  for (int i = 0; i < n; i++) { /* region: two_sums */
    s += q[i];
    p ^= q[i];
    r[i] = s - p;
  }
  k = s + p;
}
static void of_a_temporary(int n) {
  double s = 0, u;
  for (int i = 0; i < n; i++) { /* region: of_a_temporary */
    u = a[i] * c[i];
    if (u > 3) u = 3;
    s += u;
    b[i] = s + u;
  }
  t = s;
}
static void again_and_again(int n) {
  for (int step = 0; step < 3; step++) { /* region: again_and_again */
    int s = step;
    for (int i = 0; i < n; i++) {
      s += q[i] % 5;
      q[i] = s;
    }
  }
}

static void row_sums(int n) {
  for (int i = 0; i < 8; i++) { /* region: row_sums */
    double s = i;
    for (int j = 0; j < n % side; j++) {
      s += x[i][j];
      y[i][j] = s;
    }
    a[i] = s;
  }
}
static void rows_in_place(int n) {
  for (int i = 0; i < 8; i++) /* region: rows_in_place */
    for (int j = 1; j < n % side; j++)
      x[i][j] = x[i][j - 1] * 0.75 + y[i][j];
}

static void counted(int n) {
  int j = 0;
  for (int i = 0; i < n; i++) { /* region: counted */
    if (b[i] > 0) j++;
    r[i] = j;
  }
  k = j;
}
static void compaction(int n) {
  int j = 0;
  for (int i = 0; i < n; i++) /* region: compaction */
    if (b[i] > 0) {
      a[j] = b[i];
      j++;
    }
  k = j;
}
static void indices(int n) {
  size_t j = 2;
  for (int i = 0; i < n; i++) /* region: indices */
    if (q[i] > 0) r[j++] = i;
  k = (int)j;
}
static void two_lists(int n) {
  int j = 0, l = n;
  for (int i = 0; i < n; i++) /* region: two_lists */
    if (b[i] > 0)
      a[j++] = b[i];
    else {
      l--;
      c[l] = b[i];
    }
  k = j - l;
}
/* The launcher sees whether they overlap. */
static void perhaps_apart(int n, double *to, const double *from) {
  int j = 0;
  for (int i = 0; i < n; i++) /* region: perhaps_apart */
    if (from[i] > 0) to[j++] = from[i] * 2;
  k = j;
}

static void last_index(int n) {
  int j = -1;
  for (int i = 0; i < n; i++) /* region: last_index */
    if (a[i] > 14) j = i;
  k = j;
}
static void any(int n) {
  int found = 0;
  for (int i = 0; i < n; i++) /* region: any */
    if (a[i] > 15) found = 1;
  k = found;
}
static void seen_so_far(int n) {
  double last = -1;
  for (int i = 0; i < n; i++) { /* region: seen_so_far */
    if (b[i] > 1) last = a[i];
    c[i] = last;
  }
  t = last;
}

static void largest(int n) {
  double m = 3;
  int at = -1;
  for (int i = 0; i < n; i++) /* region: largest */
    if (w[i] > m) { /* some are no numbers */
      m = w[i];
      at = i;
    }
  k = at;
  t = m;
}
static void last_smallest(int n) {
  int m = 1 << 30, at = 0;
  for (int i = 0; i < n; i++) /* region: last_smallest */
    if (m >= q[i]) {
      at = 2 * i + 1;
      m = q[i];
    }
  k = at - m;
}
static void largest_so_far(int n) {
  double m = 0, v;
  int at = 0;
  for (int i = 0; i < n; i++) { /* region: largest_so_far */
    v = b[i] * c[i];
    if (q[i] > 0 && v > m) {
      m = v;
      at = i;
    }
    r[i] = at;
    a[i] = m;
  }
  k = at;
}
static void of_a_matrix(int n) {
  double m = -1e9;
  int row = -1, column = -1;
  for (int i = 0; i < 8; i++) /* region: of_a_matrix */
    for (int j = 0; j < n % side; j++)
      if (y[i][j] > m) {
        m = y[i][j];
        row = i;
        column = j;
      }
  k = row * 1000 + column;
  t = m;
}
static void all_rows(int n) {
  int l = 0;
  for (int i = 7; i >= 0; i--) /* region: all_rows */
    for (int j = 0; j < n % side; j++)
      if (x[i][j] > 0) a[l++] = x[i][j];
  k = l;
}
static void totals(int n) {
  double s = 0;
  for (int i = 0; i < 8; i++) { /* region: totals */
    for (int j = 0; j < n % side; j++)
      s += x[i][j];
    a[i] = s;
  }
}

static void not_the_same(int n) {
  double m = 0;
  int at = 0;
  for (int i = 0; i < n; i++) /* in order: not_the_same */
    if (a[i] > m) {
      m = a[i] - 1;
      at = i;
    }
  k = at;
}
static void records(int n) {
  double m = 0;
  int count = 0;
  for (int i = 0; i < n; i++) /* in order: records */
    if (a[i] > m) {
      m = a[i];
      count++;
    }
  k = count;
}
static void only_where_it_is_chosen(int n) {
  double m = 0;
  int of = 0;
  for (int i = 0; i < n; i++) /* in order: only_where_it_is_chosen */
    if (b[i] > m) {
      m = b[i];
      of = r[q[i] + 11];
    }
  k = of;
}
static void not_composed(int n) {
  double s = 1;
  for (int i = 0; i < n; i++) { /* in order: not_composed */
    s = a[i] / (s * s + 1);
    b[i] = s;
  }
  t = s;
}
static void squared(int n) {
  for (int i = 1; i < n; i++) /* in order: squared */
    b[i] = b[i - 1] * b[i - 1] * 1e-3 + c[i];
}
static void cut_off(int n) {
  int s = 1000;
  for (int i = 0; i < n; i++) { /* in order: cut_off */
    s = s / 2 + q[i];
    r[i] = s;
  }
}
static void rounded(int n) {
  int s = 0;
  for (int i = 0; i < n; i++) { /* in order: rounded */
    s = s * 0.75 + q[i];
    r[i] = s;
  }
}
static void short_sum(int n) {
  short s = 0;
  for (int i = 0; i < n; i++) { /* in order: short_sum */
    s += q[i] * 1000;
    r[i] = s;
  }
}
static void saturating(int n) {
  int s = 0;
  for (int i = 0; i < n; i++) { /* in order: saturating */
    if (s < 100) s += q[i] & 7;
    r[i] = s;
  }
}
static void not_counted(int n) {
  int j = 0;
  for (int i = 0; i < n; i++) { /* in order: not_counted */
    a[j] = b[i];
    if (b[i] > 0) j++;
  }
  k = j;
}
static void read_where_it_counts(int n) {
  int j = 0;
  for (int i = 0; i < n; i++) { /* in order: read_where_it_counts */
    if (b[i] > 0) a[j++] = b[i];
    c[i] = a[j];
  }
  k = j;
}
static void written_twice(int n) {
  int j = 0;
  for (int i = 0; i < n; i++) { /* in order: written_twice */
    if (b[i] > 0) a[j++] = b[i];
    if (b[i] > 1) a[i] = 1;
  }
  k = j;
}
static void onto_itself(int n) {
  int j = 0;
  for (int i = 0; i < n; i++) /* in order: onto_itself */
    if (b[i] > 0) b[j++] = b[i];
  k = j;
}
static void of_each_other(int n) {
  int s = 1, p = 1;
  for (int i = 0; i < n; i++) { /* in order: of_each_other */
    s += p & 3;
    p += s & 1;
    r[i] = p;
  }
  k = s + p;
}

static void fill(void) {
  volatile double zero = 0;
  for (int i = 0; i < most + 8; i++) {
    a[i] = i * 7 % 17;
    b[i] = i % 5 - 2;
    c[i] = i % 3 == 0 ? 0.5 : i % 3 == 1 ? 2 : -1;
    f[i] = i % 512 < 120 ? 0.5f : i % 512 < 240 ? 2.0f : i % 512 < 350 ? 2.0f : i % 512 < 460 ? 0.5f : -1.0f;
    q[i] = i * 13 % 31 - 11;
    r[i] = 0;
    w[i] = i % 3 ? i * 7 % 4001 * 0.5 : zero / zero;
  }
  for (int i = 0; i < 8; i++)
    for (int j = 0; j < side; j++) {
      x[i][j] = (i + 3 * j) % 11 - 4;
      y[i][j] = (7 * i + j) % 13 - 6;
    }
  t = 4;
  k = 3;
}
static double sum(void) {
  double s = t + k;
  for (int i = 0; i < most + 8; i++)
    s += a[i] * (i % 10 + 1) + b[i] * (i % 9 + 1) + c[i] * (i % 6 + 1) + (q[i] % 1000) * (i % 7 + 1) + (r[i] % 1000) * (i % 8 + 1);
  for (int i = 0; i < 8; i++)
    for (int j = 0; j < side; j++)
      s += x[i][j] * (j % 9 + 1) + y[i][j] * (j % 7 + i);
  return s;
}
#define TRY(call) (fill(), call, printf("%s %d %.9g\n", #call, n, sum()))

int main(void) {
  const int sizes[] = {0, 1, 2, 67, 2048, 2049, 20000};
  for (int s = 0; s < 7; s++) {
    int n = sizes[s];
    TRY(prefix_sum(n)), TRY(exclusive_sum(n)), TRY(in_place(n)), TRY(added_up(n)), TRY(linear(n)), TRY(from_the_end(n));
    TRY(carried_down(n)), TRY(every_third(n)), TRY(running_maximum(n)), TRY(running_minimum(n)), TRY(running_product(n));
    TRY(doubled_nothing(n)), TRY(small_and_large(n)), TRY(segments(n)), TRY(hashes(n)), TRY(wrapping(n)), TRY(long_sum(n));
    TRY(two_sums(n)), TRY(of_a_temporary(n)), TRY(again_and_again(n)), TRY(row_sums(n)), TRY(rows_in_place(n));
    TRY(counted(n)), TRY(compaction(n)), TRY(indices(n)), TRY(two_lists(n)), TRY(perhaps_apart(n, a, b)), TRY(perhaps_apart(n, a, a));
    TRY(perhaps_apart(n, b + 3, b)), TRY(last_index(n)), TRY(any(n)), TRY(seen_so_far(n));
    TRY(largest(n)), TRY(last_smallest(n)), TRY(largest_so_far(n)), TRY(of_a_matrix(n)), TRY(all_rows(n)), TRY(totals(n));
    TRY(not_the_same(n)), TRY(records(n)), TRY(only_where_it_is_chosen(n));
    TRY(not_composed(n)), TRY(squared(n)), TRY(cut_off(n)), TRY(rounded(n)), TRY(short_sum(n)), TRY(saturating(n));
    TRY(not_counted(n)), TRY(read_where_it_counts(n)), TRY(written_twice(n)), TRY(onto_itself(n)), TRY(of_each_other(n));
  }
  return 0;
}
