// Loops whose iterations need others only some way back, which leaves groups, chains, whole rows or wavefronts to run at the same time;
// and loops that need the one just before. HOW says what becomes of each; `host`: nothing of it runs in parallel.
#ifndef SIZE
#define SIZE 64
#endif
double a[SIZE], b[SIZE], c[SIZE], m[24][SIZE], o[24][SIZE];
int p[SIZE], q[SIZE];

void four_back(int n) { /* HOW: host */
  for (int i = 4; i < n; i++)
    a[i] = a[i - 4] * a[i - 4] * 0.125 + b[i];
}
void sixteen_back(int n) { /* HOW: host */
  for (int i = 16; i < n; i++)
    a[i] = a[i - 16] * a[i - 16] * 0.125 + b[i];
}
void eight_back_downwards(int n) { /* HOW: host */
  for (int i = n; i >= 8; i--)
    a[i - 8] = a[i] * a[i] * 0.125 + b[i];
}
void six_and_nine_back(int n) { /* HOW: host */
  for (int i = 9; i < n; i++)
    a[i] = a[i - 6] * 0.5 + a[i - 9] * a[i - 9] * 0.125;
}
void two_arrays_back(int n) { /* HOW: host */
  for (int i = 8; i < n; i++) {
    a[i] = b[i - 4] * b[i - 4] * 0.125 + 1;
    b[i] = a[i - 8] * 0.5 - 1;
  }
}
void beyond_the_end(int n) { /* HOW: parallel */
  for (int i = 0; i < 10; i++)
    a[i] = a[i + 10] + n;
}
void half_back(int n) { /* HOW: parallel */
  for (int i = 0; i < n; i++)
    a[i + n] = a[i] * 0.5 + 1;
}
void a_symbol_back(int n, int k) { /* HOW: rename */
  for (int i = 0; i < n; i++)
    a[i + k] = a[i] * a[i] * 0.125 + b[i];
}
void rows_down(int n) { /* HOW: parallel */
  for (int i = 1; i < 20; i++)
    for (int j = 0; j < n; j++)
      m[i][j] = m[i - 1][j] * m[i - 1][j] * 0.125 + b[j];
}
void two_rows_down(int n) { /* HOW: parallel */
  for (int i = 2; i < 20; i++)
    for (int j = 0; j < n; j++)
      m[i][j] = m[i - 2][j] * m[i - 2][j] * 0.125 + b[j];
}
void row_and_column(int n) { /* HOW: parallel */
  for (int i = 2; i < 20; i++)
    for (int j = 3; j < n; j++)
      m[i][j] = m[i - 2][j - 3] * m[i - 2][j - 3] * 0.125 + b[j];
}
void down_and_left(int n) { /* HOW: parallel */
  for (int i = 2; i < 20; i++)
    for (int j = 0; j < n; j++)
      m[i][j] = m[i - 2][j + 3] * m[i - 2][j + 3] * 0.125 + b[j];
}
void two_matrices(int n) { /* HOW: parallel */
  for (int i = 3; i < 20; i++)
    for (int j = 4; j < n; j++) {
      m[i][j] = o[i - 3][j - 4] * o[i - 3][j - 4] * 0.125 + 1;
      o[i][j] = m[i - 2][j - 3] * 0.5 - 1;
    }
}
void both_directions(int n) { /* HOW: parallel */
  for (int i = 1; i < 20; i++)
    for (int j = 1; j < n; j++)
      m[i][j] = m[i - 1][j] * 0.25 + m[i][j - 1] * m[i][j - 1] * 0.125;
}
void diagonals(int n) { /* HOW: parallel */
  for (int i = 1; i < 20; i++)
    for (int j = 1; j < n; j++)
      m[i][j] = m[i - 1][j - 1] * m[i - 1][j - 1] * 0.125 + 1;
}
void triangle(int n) { /* HOW: parallel */
  for (int i = 1; i < 20; i++)
    for (int j = i; j < n; j++)
      m[i][j] = m[i - 1][j] * m[i - 1][j] * 0.125 + b[j];
}
void five_points(int n) { /* HOW: parallel */
  for (int i = 1; i < 20; i++)
    for (int j = 1; j < n; j++)
      m[i][j] = (m[i - 1][j] + m[i + 1][j] + m[i][j - 1] + m[i][j + 1]) * 0.25;
}
void red_points(int n) { /* HOW: parallel */
  for (int i = 0; i < n; i++)
    a[2 * i + 1] = a[2 * i] * 0.5 + a[2 * i + 2] * 0.5;
}
void every_second_iteration(int n) { /* HOW: parallel */
  for (int i = 4; i < n; i += 2)
    a[i] = a[i - 3] * a[i - 3] * 0.125 + b[i];
}
void sums_of_rows_before(int n) { /* HOW: parallel */
  for (int i = 1; i < 20; i++)
    for (int j = 0; j < n; j++)
      m[i][j] = m[i - 1][n - 1 - j] * m[i - 1][n - 1 - j] * 0.125 + 1;
}
void three_times_the_place(int n) { /* HOW: host */
  for (int i = 0; i < n / 3; i++)
    a[3 * i + 2] = a[i] * a[i] * 0.125 + 1;
}
void three_times_row_and_column(int n) { /* HOW: parallel */
  for (int i = 0; i < 7; i++)
    for (int j = 0; j < n / 3; j++)
      m[3 * i + 2][3 * j + 2] = m[i][j] * m[i][j] * 0.125 + 1;
}
void three_times_the_column(int n) { /* HOW: parallel */
  for (int i = 1; i < 20; i++)
    for (int j = 0; j < n / 3; j++)
      m[i][3 * j + 2] = m[i - 1][j] * m[i - 1][j] * 0.125 + m[i][j];
}
void just_before(int n) { /* HOW: host */
  for (int i = 1; i < n; i++)
    a[i] = a[i - 1] * a[i - 1] * 0.125 + b[i];
}
void just_before_in_two(int n) { /* HOW: host */
  for (int i = 1; i < n; i++) {
    a[i] = b[i - 1] * b[i - 1] * 0.125 + 1;
    b[i] = a[i] * 0.5 - 1;
  }
}
void one_and_five_back(int n) { /* HOW: host */
  for (int i = 5; i < n; i++)
    a[i] = a[i - 1] * a[i - 5] * 0.125 + b[i];
}
void through_all_rows(int n) { /* HOW: host */
  for (int i = 1; i < 20; i++)
    for (int j = 1; j < n; j++) {
      a[0] = a[0] * a[0] * 0.125 + m[i][j];
      m[i][j] = a[0];
    }
}
void greatest_before(int n) { /* HOW: levels */
  for (int i = 1; i < n; i++)
    a[i] = a[i / 2] * a[i / 2] * 0.125 + b[i];
}

#ifdef WL_TRACE
int main(void) {
  RUN(four_back(n)); RUN(sixteen_back(n)); RUN(eight_back_downwards(n)); RUN(six_and_nine_back(n)); RUN(two_arrays_back(n)); RUN(beyond_the_end(n));
  RUN(half_back(n)); RUN(a_symbol_back(n, 3)); RUN(rows_down(n)); RUN(two_rows_down(n)); RUN(row_and_column(n)); RUN(down_and_left(n));
  RUN(two_matrices(n)); RUN(both_directions(n)); RUN(diagonals(n)); RUN(triangle(n)); RUN(five_points(n)); RUN(red_points(n));
  RUN(every_second_iteration(n)); RUN(sums_of_rows_before(n)); RUN(three_times_the_place(n)); RUN(three_times_row_and_column(n)); RUN(three_times_the_column(n)); RUN(just_before(n)); RUN(just_before_in_two(n));
  RUN(one_and_five_back(n)); RUN(through_all_rows(n)); RUN(greatest_before(n));
}
#endif
