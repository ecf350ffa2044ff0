// The thirteen loops on which dependence tests are told apart (crink.md 9.4), each with its true answer.
// SHOWS: CR-15 CR-17 CR-18 CR-19 CR-21
double a[256], x[32][32], z1[64], z[20][40][40];

void offset_beyond_range(void) {
  for (int j = 1; j <= 10; j++) /* EXPECT: parallel */
    a[j] = a[j + 10];
}

void even_from_odd(void) {
  for (int j = 1; j <= 10; j++) /* EXPECT: parallel */
    a[2 * j] = a[4 * j + 3];
}

void crossing(void) {
  for (int j = 1; j <= 9; j++) /* EXPECT: carried(2) */
    a[j] = a[10 - j];
}

void same_element(void) {
  for (int j = 1; j <= 9; j++) /* EXPECT: parallel */
    a[j] = a[j] + 1;
}

void backward_inner(void) {
  for (int i = 1; i <= 10; i++) /* EXPECT: sequential */
    for (int j = 1; j <= 9; j++) /* EXPECT: parallel */
      x[i + 1][j] = x[i][j + 1];
}

void triangular_rows(void) {
  for (int i = 1; i <= 7; i++) /* EXPECT: sequential */
    for (int j = i; j <= 7; j++) /* EXPECT: parallel */
      x[i + 1][j] = x[i][j];
}

void two_arrays(void) {
  for (int i = 2; i <= 20; i++) { /* EXPECT: sequential */
    a[i] = z1[i];
    z1[i] = a[i - 1] + a[i] + a[i + 1];
  }
}

void lower_from_upper(void) {
  for (int i = 2; i <= 30; i++) /* EXPECT: parallel */
    for (int j = 1; j <= i - 1; j++) /* EXPECT: parallel */
      x[i][j] = x[j][i];
}

void stride_two_offset_four(void) {
  for (int i = 2; i <= 10; i++) /* EXPECT: carried(2) */
    a[2 * i + 2] = a[2 * i - 2];
}

void coupled_subscript(void) {
  for (int i = 1; i <= 20; i++) /* EXPECT: sequential */
    for (int j = 2; j <= 10; j++) /* EXPECT: parallel */
      a[i + 2 * j] = a[i + 2 * j - 1];
}

void triangular_gather(void) {
  for (int i = 0; i <= 20; i++) /* EXPECT: sequential */
    for (int j = i; j <= 20; j++) /* EXPECT: sequential */
      a[j] = a[2 * i + 1];
}

void upper_half_from_lower(void) {
  for (int i = 0; i <= 99; i++) /* EXPECT: parallel */
    a[i + 100] = 2 * a[i];
}

void three_dimensions(void) {
  for (int i = 1; i <= 10; i++)
    for (int j = 1; j <= 10; j++)
      for (int k = 1; k <= 10; k++) /* EXPECT: parallel */
        z[i + 2][2 * j + 4][3 * k - 1] = z[2 * i - 1][j][2 * k + 1];
}

#ifdef WL_TRACE
int main(void) {
  RUN(offset_beyond_range());
  RUN(even_from_odd());
  RUN(crossing());
  RUN(same_element());
  RUN(backward_inner());
  RUN(triangular_rows());
  RUN(two_arrays());
  RUN(lower_from_upper());
  RUN(stride_two_offset_four());
  RUN(coupled_subscript());
  RUN(triangular_gather());
  RUN(upper_half_from_lower());
  RUN(three_dimensions());
}
#endif
