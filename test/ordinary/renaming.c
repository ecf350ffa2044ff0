/* Loops that anti and output dependences, or values handed on, keep in order until what they overwrite has places of its own; and
 * loops beside them that must stay in order. */
#include <stdio.h>
/* makes copies */

enum { most = 5000, side = 70 };
static double a[most + 64], b[most + 64], c[most + 64], d[most + 64], e[most + 64], x[side + 10][side + 10], t;
static int q[most + 64];

static void next(int n) {
  for (int i = 0; i < n - 1; i++) /* region: next */
    a[i] = a[i + 1] + b[i];
}
static void both_sides_old(int n) {
  for (int i = 0; i < n - 2; i++) /* region: both_sides_old */
    a[i] = a[i + 1] * 0.5 + a[i + 2] * a[i + 2];
}
static void before_and_after(int n) {
  for (int i = 0; i < n - 1; i++) { /* region: before_and_after */
    a[i] *= c[i];
    b[i] += a[i + 1] * d[i];
  }
}
static void some_way_ahead(int n, int k) {
  for (int i = 0; i < n; i++) /* region: some_way_ahead */
    a[i] = a[i + k] + b[i];
}
static void either_way(int n, int k) {
  for (int i = 40; i < n; i++) /* region: either_way */
    a[i] = a[i + k] + b[i];
}
static void two_ahead(int n, int k, int l) {
  for (int i = 0; i < n; i++) /* region: two_ahead */
    a[i] = a[i + k] + a[i + l] * b[i];
}
static void second_half(int n) {
  for (int i = 0; i < n / 2; i++) /* region: second_half */
    a[i] = a[n / 2 + i] + b[i];
}
static void wrap_around(int n) {
  double last = b[n > 0 ? n - 1 : 0];
  for (int i = 0; i < n; i++) { /* region: wrap_around */
    a[i] = (b[i] + last) * .5;
    last = b[i];
  }
  t = last;
}
static void wrap_downwards(int n) {
  double s = 3;
  for (int i = n - 1; i >= 0; i--) { /* region: wrap_downwards */
    a[i] = s;
    s = c[i];
  }
  t = s;
}
static void handed_on(int n) {
  double p;
  for (int i = 0; i < n; i++) { /* region: handed_on */
    p = b[i] * c[i];
    a[i] = p + t;
    t = p;
  }
}
static void one_in_the_middle(int n) {
  for (int i = 0; i < n; i++) /* region: one_in_the_middle */
    a[i] = a[n / 2] + b[i];
}
static void the_first(int n) {
  for (int i = 0; i < n; i++) /* region: the_first */
    a[i] = a[0] + b[i];
}
static void the_last(int n) {
  for (int i = 0; i < n; i++) /* region: the_last */
    a[i] = a[n - 1] + b[i];
}
static void crossing(int n) {
  for (int i = 0; i < n; i++) /* region: crossing */
    a[i] = a[n - 1 - i] + b[i];
}
static void two_arrays(int n) {
  for (int i = 1; i < n - 1; i++) { /* region: two_arrays */
    a[i] = b[i - 1] + c[i] * d[i];
    b[i] = b[i + 1] - e[i] * d[i];
  }
}
static void other_order(int n) {
  for (int i = 0; i < n - 1; i++) { /* region: other_order */
    a[i] = b[i] + c[i] * d[i];
    b[i] = c[i] + b[i];
    a[i + 1] = b[i] + a[i + 1] * d[i];
  }
}
static void node_splitting(int n) {
  for (int i = 0; i < n - 1; i++) { /* region: node_splitting */
    a[i] = b[i] + c[i];
    d[i] = (a[i] + a[i + 1]) * .5;
  }
}
static void downwards(int n) {
  for (int i = n - 1; i >= 2; i--) /* region: downwards */
    q[i] = q[i - 2];
}
static void in_the_plane(int n) {
  for (int i = 0; i < n - 3; i++) /* region: in_the_plane */
    for (int j = 0; j < n - 4; j++)
      x[i][j] = x[i + 3][j + 4] + b[i];
}
static void under_a_condition(int n) {
  for (int i = 0; i < n - 1; i++) /* region: under_a_condition */
    if (b[i] > 0) a[i] = a[i + 1] * 2;
}
static void again_and_again(int n) {
  for (int k = 0; k < 3; k++) /* region: again_and_again */
    for (int i = 0; i < n - 1; i++)
      a[i] = a[i + 1] + b[i] * k;
}

/* What follows has true dependences from one iteration to the next. */
static void keeps_order(int n) {
  for (int i = 1; i < n - 1; i++) /* in order: keeps_order */
    a[i] = a[i - 1] / 2 + a[i + 1] * b[i];
}
static void keeps_order_both(int n) {
  for (int i = 1; i < n - 1; i++) { /* in order: keeps_order_both */
    a[i] = b[i - 1] * 0.5 + b[i + 1];
    b[i] = a[i] * 0.5 + a[i + 1] + d[i];
  }
}
static void keeps_order_handed(int n) {
  double s = 1, r = 2;
  for (int i = 0; i < n; i++) { /* in order: keeps_order_handed */
    double old = s;
    s = r / (1 + b[i] * b[i] + old * old);
    r = old;
    a[i] = s;
  }
}

static void fill(void) {
  for (int i = 0; i < most + 64; i++) {
    a[i] = i % 17;
    b[i] = i % 5 - 2;
    c[i] = i % 7;
    d[i] = i % 3;
    e[i] = i % 11;
    q[i] = i * 7 % 101;
  }
  for (int i = 0; i < side + 10; i++)
    for (int j = 0; j < side + 10; j++)
      x[i][j] = (i * 7 + j) % 13;
  t = 4;
}

static double sum(void) {
  double s = t;
  for (int i = 0; i < most + 64; i++)
    s += a[i] * (i % 10 + 1) + b[i] * (i % 9 + 1) + d[i] * (i % 8 + 1) + q[i] * (i % 7 + 1);
  for (int i = 0; i < side + 10; i++)
    for (int j = 0; j < side + 10; j++)
      s += x[i][j] * ((i + j) % 5 + 1);
  return s;
}

#define TRY(call) (fill(), call, printf("%s %d %.9g\n", #call, n, sum()))

int main(void) {
  const int sizes[] = {0, 1, 2, 3, 67, 5000};
  for (int k = 0; k < 6; k++) {
    int n = sizes[k], m = n < side ? n : side, k2;
    TRY(next(n)), TRY(both_sides_old(n)), TRY(before_and_after(n)), TRY(some_way_ahead(n, 3)), TRY(some_way_ahead(n, 0));
    if (n > 2) TRY(some_way_ahead(n - 2, 1));
    for (k2 = -9; k2 < 30; k2 += 13) TRY(either_way(n, k2)), TRY(two_ahead(n, 20 + k2, 11));
    if (n < 100) TRY(some_way_ahead(n, n + 7)), TRY(either_way(n, n));
    TRY(second_half(n)), TRY(wrap_around(n)), TRY(wrap_downwards(n)), TRY(handed_on(n)), TRY(one_in_the_middle(n));
    TRY(the_first(n)), TRY(the_last(n)), TRY(crossing(n)), TRY(two_arrays(n)), TRY(other_order(n)), TRY(node_splitting(n));
    TRY(downwards(n)), TRY(in_the_plane(m)), TRY(under_a_condition(n)), TRY(again_and_again(n));
    TRY(keeps_order(n)), TRY(keeps_order_both(n)), TRY(keeps_order_handed(n));
  }
  return 0;
}
