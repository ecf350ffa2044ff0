// Calls inside loops: the math library, visible pure functions, functions with effects, recursion.
#include <math.h>
#include <stdlib.h>
double a[64], b[64], c[64], d[64];
int counter, log_of[64];

static double square(double v) { return v * v; }

static double blend(double p, double q, double t) {
  double s = 1 - t;
  return p * s + q * t;
}

static double at(const double *p, int i) { return p[i]; }

static void put(double *p, int i, double v) { p[i] = v; }

static int next_number(void) {
  counter++;
  return counter;
}

static double tail_sum(int i) { return i <= 0 ? b[0] : b[i] + tail_sum(i - 1); }

static double inner_loop(int i, int n) {
  double s = 0;
  for (int j = 0; j < n; j++) /* EXPECT: reduction(+) */
    s += b[j] * i;
  return s;
}

void math_calls(int n) {
  for (int i = 0; i < n; i++) /* EXPECT: parallel */
    a[i] = sin(b[i]) + exp(c[i]) * pow(b[i], 2.0) + fabs(c[i]);
}

void pure_call(int n) {
  for (int i = 0; i < n; i++) /* EXPECT: parallel */
    a[i] = square(b[i]) + blend(b[i], c[i], 0.25);
}

void pure_call_recurrence(int n) {
  for (int i = 1; i < n; i++) /* EXPECT: sequential */
    a[i] = square(a[i - 1]) * 0.1;
}

void reads_through_call(int n) {
  for (int i = 1; i < n; i++) /* EXPECT: sequential or unknown */
    a[i] = at(a, i - 1) + 1;
}

// NONAFFINE
void writes_through_call(int n) {
  for (int i = 0; i < n; i++)
    put(a, i, b[i]);
}

void writes_one_place_through_call(int n) {
  for (int i = 0; i < n; i++) /* EXPECT: parallel */
    put(a, 3, b[i]);
}

// NONAFFINE
void numbered(int n) {
  for (int i = 0; i < n; i++) /* EXPECT: parallel */
    log_of[i] = next_number();
}

// NONAFFINE
void recursive_callee(int n) {
  for (int i = 0; i < n; i++)
    a[i] = tail_sum(i);
}

// NONAFFINE
void callee_with_loop(int n) {
  for (int i = 0; i < n; i++)
    a[i] = inner_loop(i, n);
}

// NONAFFINE
void random_numbers(int n) {
  for (int i = 0; i < n; i++) /* EXPECT: sequential or unknown */
    a[i] = rand() % 7;
}

// NONAFFINE
void call_in_bound(int n) {
  for (int i = 0; i < abs(n); i++)
    a[i] = b[i];
}

// NONAFFINE
void call_in_subscript(int n) {
  for (int i = 0; i < n; i++)
    a[abs(i - 3)] = b[i];
}

// NONAFFINE
void side_effect_in_condition(int n) {
  for (int i = 0; i < n; i++) /* EXPECT: parallel */
    if (next_number() % 2)
      a[i] = b[i];
}

#ifdef WL_TRACE
int main(void) {
  RUN(math_calls(n));
  RUN(pure_call(n));
  RUN(pure_call_recurrence(n));
  RUN(reads_through_call(n));
  RUN(writes_through_call(n));
  RUN(writes_one_place_through_call(n));
  RUN(numbered(n));
  RUN(recursive_callee(n));
  RUN(callee_with_loop(n));
  RUN(random_numbers(n));
  RUN(call_in_bound(n));
  RUN(call_in_subscript(n));
  RUN(side_effect_in_condition(n));
}
#endif
