// One-dimensional loops with linear subscripts: offsets, strides, symbolic offsets, crossing thresholds, peeling.
double a[256], b[256], c[256], d[256], e[256];
double two[40][40];

void copy_shifted_up(int n) {
  for (int i = 0; i < n; i++) /* EXPECT: sequential */
    a[i] = a[i + 1] + b[i];
}

void copy_shifted_down(int n) {
  for (int i = 1; i < n; i++) /* EXPECT: sequential */
    a[i] = a[i - 1] + b[i];
}

void every_other_shifted(int n) {
  for (int i = 0; i < n; i += 2) /* EXPECT: parallel */
    a[i + 1] = a[i] + b[i];
}

void double_stride_write(int n) {
  for (int i = 0; i < n; i++) /* EXPECT: parallel */
    a[2 * i] = a[2 * i + 1] * b[i];
}

void symbolic_offset_read(int n, int m) {
  for (int i = 0; i < n; i++)
    a[i] = a[i + m] + b[i];
}

void symbolic_offset_known_large(int n) {
  for (int i = 0; i < n; i++) /* EXPECT: parallel */
    a[i] = a[i + n] + b[i];
}

void symbolic_offset_write(int n, int m) {
  for (int i = 0; i < n; i++)
    a[i + m] = a[i] + b[i];
}

void symbolic_strides(int n, int m) {
  for (int i = 0; i < n; i++) /* EXPECT: parallel */
    a[i + 2 * m] = b[i + m];
}

void both_neighbours(int n) {
  for (int i = 1; i < n; i++) /* EXPECT: parallel */
    a[i] = b[i - 1] + b[i + 1];
}

void halves(int n) {
  for (int i = 0; i < n / 2; i++) /* EXPECT: parallel */
    a[i] = a[i + n / 2] + b[i];
}

void halves_plus_one(int n) {
  for (int i = 0; i < n / 2 + 1; i++)
    a[i] = a[i + n / 2] + b[i];
}

void crossing_reversal(int n) {
  for (int i = 0; i < n; i++)
    a[i] = a[n - 1 - i] + b[i];
}

void crossing_to_other(int n) {
  for (int i = 0; i < n; i++) /* EXPECT: parallel */
    a[i] = b[n - 1 - i] + c[i];
}

void first_element(int n) {
  for (int i = 0; i < n; i++) /* EXPECT: sequential */
    a[i] = a[0] + b[i];
}

void first_element_peeled(int n) {
  for (int i = 1; i < n; i++) /* EXPECT: parallel */
    a[i] = a[0] + b[i];
}

void last_element(int n) {
  for (int i = 0; i < n - 1; i++) /* EXPECT: parallel */
    a[i] = a[n - 1] + b[i];
}

void fixed_store(int n) {
  for (int i = 0; i < n; i++) /* EXPECT: sequential */
    a[3] = a[i] + b[i];
}

void distance_four(int n) {
  for (int i = 4; i < 2 * n; i++) /* EXPECT: carried(4) */
    a[i] = a[i - 4] + b[i];
}

void distances_two_and_three(int n) {
  for (int i = 3; i < 2 * n; i++) /* EXPECT: carried(2) */
    a[i] = a[i - 2] + a[i - 3];
}

void step_three_distance_two(int n) {
  for (int i = 6; i < 4 * n; i += 3) /* EXPECT: carried(2) */
    a[i] = a[i - 6] + 1;
}

void step_three_never_meets(int n) {
  for (int i = 6; i < 4 * n; i += 3) /* EXPECT: parallel */
    a[i] = a[i - 4] + 1;
}

void column_offset(int n) {
  for (int i = 1; i < n; i++) /* EXPECT: sequential */
    two[i][0] = two[i - 1][0] + two[i][1];
}

void gcd_disproves(int n) {
  for (int i = 0; i < n; i++) /* EXPECT: parallel */
    a[4 * i] = a[6 * i + 3] + 1;
}

void doubling_distance(int n) {
  for (int i = 1; i < n; i++) /* EXPECT: sequential */
    a[2 * i] = a[i] + 1;
}

#ifdef WL_TRACE
int main(void) {
  RUN(copy_shifted_up(n));
  RUN(copy_shifted_down(n));
  RUN(every_other_shifted(n));
  RUN(double_stride_write(n));
  RUN(symbolic_offset_read(n, 3));
  RUN(symbolic_offset_read(n, n));
  RUN(symbolic_offset_known_large(n));
  RUN(symbolic_offset_write(n, 2));
  RUN(symbolic_offset_write(n, n + 1));
  RUN(symbolic_strides(n, 4));
  RUN(both_neighbours(n));
  RUN(halves(n));
  RUN(halves_plus_one(n));
  RUN(crossing_reversal(n));
  RUN(crossing_to_other(n));
  RUN(first_element(n));
  RUN(first_element_peeled(n));
  RUN(last_element(n));
  RUN(fixed_store(n));
  RUN(distance_four(n));
  RUN(distances_two_and_three(n));
  RUN(step_three_distance_two(n));
  RUN(step_three_never_meets(n));
  RUN(column_offset(n));
  RUN(gcd_disproves(n));
  RUN(doubling_distance(n));
}
#endif
