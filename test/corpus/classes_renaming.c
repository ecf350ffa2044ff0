// Loops that anti and output dependences, wrap-around scalars, single iterations or the sign of a symbol keep in order, and loops of
// the same looks that values keep in order. HOW says what becomes of each; `host`: nothing of it runs in parallel.
#ifndef SIZE
#define SIZE 64
#endif
double a[SIZE], b[SIZE], c[SIZE], d[SIZE], m[24][SIZE], t, u;
int p[SIZE];

void shift_left(int n) { /* HOW: rename */
  for (int i = 0; i < n; i++)
    a[i] = a[i + 1] + b[i];
}
void shift_left_by_two(int n) { /* HOW: rename */
  for (int i = 0; i < n; i++)
    a[i] = a[i + 2] * 0.5 - b[i];
}
void shift_right_downwards(int n) { /* HOW: rename */
  for (int i = n; i >= 1; i--)
    a[i] = a[i - 1] + b[i];
}
void shift_by_a_symbol(int n, int k) { /* HOW: rename */
  for (int i = 0; i < n; i++)
    a[i] = a[i + k] + b[i];
}
void second_half(int n) { /* HOW: parallel */
  for (int i = 0; i < n / 2; i++)
    a[i] = a[n / 2 + i] + b[i];
}
void average_of_the_next(int n) { /* HOW: rename */
  for (int i = 0; i < n; i++)
    a[i] = (a[i] + a[i + 1] + a[i + 2]) / 4;
}
void every_second_ahead(int n) { /* HOW: rename */
  for (int i = 0; i < n; i += 2)
    a[i] = a[i + 4] + b[i];
}
void odd_from_even(int n) { /* HOW: parallel */
  for (int i = 0; i < n; i++)
    a[2 * i] = a[2 * i + 1] + b[i];
}
void node_to_split(int n) { /* HOW: rename */
  for (int i = 0; i < n; i++) {
    a[i] = b[i] + c[i];
    d[i] = a[i] + a[i + 1];
  }
}
void read_then_overwritten(int n) { /* HOW: parallel */
  for (int i = 0; i < n; i++) {
    b[i] = a[i + 1] * 2;
    a[i] = c[i];
  }
}
void exchanged_with_the_next(int n) { /* HOW: parallel */
  for (int i = 0; i < n; i++) {
    double x = a[i];
    a[i] = b[i + 1];
    b[i] = x;
  }
}
void rows_up(int n) { /* HOW: parallel */
  for (int i = 0; i < 20; i++)
    for (int j = 0; j < n; j++)
      m[i][j] = m[i + 1][j] + b[j];
}
void along_the_diagonal(int n) { /* HOW: parallel */
  for (int i = 0; i < 20; i++)
    for (int j = 0; j < n; j++)
      m[i][j] = m[i + 1][j + 1] + b[j];
}
void columns_left(int n) { /* HOW: parallel */
  for (int i = 0; i < 20; i++)
    for (int j = 0; j < n; j++)
      m[i][j] = m[i][j + 1] * 0.5;
}
void reads_what_the_one_before_wrote(int n) { /* HOW: parallel */
  for (int i = 1; i < n; i++) {
    b[i] = a[i - 1] + 1;
    a[i] = c[i];
  }
}
void writes_then_reads_back(int n) { /* HOW: parallel */
  for (int i = 1; i < n; i++) {
    a[i] = b[i] + 1;
    c[i] = a[i - 1] * 2;
  }
}
void scalar_of_each_iteration(int n) { /* HOW: parallel */
  for (int i = 0; i < n; i++) {
    t = a[i] * 2;
    b[i] = t + t * t;
  }
}
void scalar_and_shift(int n) { /* HOW: rename */
  for (int i = 0; i < n; i++) {
    t = a[i + 1] * 2;
    a[i] = t + b[i];
  }
}
void wrap_around(int n) { /* HOW: rename */
  double before = a[n];
  for (int i = 0; i < n; i++) {
    b[i] = (a[i] + before) * 0.5;
    before = a[i];
  }
}
void wrap_around_twice(int n) { /* HOW: rename */
  double one = a[0], two = a[1];
  for (int i = 0; i < n; i++) {
    b[i] = a[i] + one * 0.5 + two * 0.25;
    two = one;
    one = a[i];
  }
}
void handed_on_twice(int n) { /* HOW: rename */
  for (int i = 0; i < n; i++) {
    a[i] = b[i] + t + u;
    u = t;
    t = b[i];
  }
}
void next_by_a_variable(int n) { /* HOW: rename */
  for (int i = 0; i < n; i++) {
    int next = i + 1;
    a[i] = a[next] + b[i];
  }
}
void stepped_for_nothing(int n) { /* HOW: parallel */
  int k;
  for (int i = 0; i < n; i++) {
    k = p[i];
    a[i] = b[i] + k;
    k += 5;
  }
}
void middle_for_all(int n) { /* HOW: rename */
  for (int i = 0; i < n; i++)
    a[i] = a[n / 2] * 0.5 + b[i];
}
void first_for_all(int n) { /* HOW: parallel */
  for (int i = 0; i < n; i++)
    a[i] = a[0] + b[i];
}
void last_for_all(int n) { /* HOW: parallel */
  for (int i = 0; i < n; i++)
    a[i] = a[n - 1] + b[i];
}
void other_end(int n) { /* HOW: rename */
  for (int i = 0; i < n; i++)
    a[i] = a[n - 1 - i] + 1;
}
void turned_around(int n) { /* HOW: parallel */
  for (int i = 0; i < n / 2; i++) {
    double x = a[i];
    a[i] = a[n - 1 - i];
    a[n - 1 - i] = x;
  }
}
void ahead_if_far(int n, int k) { /* HOW: rename */
  for (int i = 0; i < n / 2; i++)
    a[i] = a[i + k] - 1;
}
void both_ways_of_another(int n) { /* HOW: parallel */
  for (int i = 1; i < n; i++)
    b[i] = a[i - 1] + a[i + 1];
}
void written_twice(int n) { /* HOW: parallel */
  for (int i = 0; i < n; i++) {
    a[i] = b[i];
    a[i] = a[i] * 2 + c[i];
  }
}
void next_is_overwritten(int n) { /* HOW: parallel */
  for (int i = 0; i < n; i++) {
    a[i] = b[i];
    a[i + 1] = c[i];
  }
}
void parts_of_a_row(int n) { /* HOW: parallel */
  for (int i = 0; i < 20; i++) {
    t = m[i][0];
    for (int j = 0; j < n; j++)
      m[i][j] = m[i][j] - t;
  }
}
void squares_of_the_last(int n) { /* HOW: host */
  for (int i = 1; i < n; i++)
    a[i] = a[i - 1] * a[i - 1] * 0.125 + b[i];
}
void squares_upwards(int n) { /* HOW: host */
  for (int i = n - 1; i >= 0; i--)
    a[i] = a[i + 1] * a[i + 1] * 0.125 + b[i];
}
void both_neighbours(int n) { /* HOW: host */
  for (int i = 1; i < n; i++)
    a[i] = a[i + 1] + a[i - 1] * a[i - 1] * 0.125;
}
void of_each_other(int n) { /* HOW: host */
  for (int i = 1; i < n; i++) {
    a[i] = b[i - 1] * 0.5 + 1 / (1 + a[i - 1] * a[i - 1]);
    b[i] = a[i] * a[i] * 0.25;
  }
}
void scalar_that_squares(int n) { /* HOW: host */
  for (int i = 0; i < n; i++) {
    b[i] = t;
    t = t * t * 0.125 + a[i];
  }
}
void two_that_change_places(int n) { /* HOW: host */
  for (int i = 0; i < n; i++) {
    double x = t;
    t = u * u * 0.125 + a[i];
    u = x;
    b[i] = t;
  }
}

#ifdef WL_TRACE
int main(void) {
  RUN(shift_left(n)); RUN(shift_left_by_two(n)); RUN(shift_right_downwards(n)); RUN(shift_by_a_symbol(n, 3)); RUN(second_half(n));
  RUN(average_of_the_next(n)); RUN(every_second_ahead(n)); RUN(odd_from_even(n)); RUN(node_to_split(n)); RUN(read_then_overwritten(n));
  RUN(exchanged_with_the_next(n)); RUN(rows_up(n)); RUN(along_the_diagonal(n)); RUN(columns_left(n)); RUN(reads_what_the_one_before_wrote(n));
  RUN(writes_then_reads_back(n)); RUN(scalar_of_each_iteration(n)); RUN(scalar_and_shift(n)); RUN(wrap_around(n)); RUN(wrap_around_twice(n));
  RUN(handed_on_twice(n)); RUN(next_by_a_variable(n)); RUN(stepped_for_nothing(n)); RUN(middle_for_all(n)); RUN(first_for_all(n)); RUN(last_for_all(n)); RUN(other_end(n)); RUN(turned_around(n)); RUN(ahead_if_far(n, 5));
  RUN(both_ways_of_another(n)); RUN(written_twice(n)); RUN(next_is_overwritten(n)); RUN(parts_of_a_row(n)); RUN(squares_of_the_last(n));
  RUN(squares_upwards(n)); RUN(both_neighbours(n)); RUN(of_each_other(n)); RUN(scalar_that_squares(n)); RUN(two_that_change_places(n));
}
#endif
