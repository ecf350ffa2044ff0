// Subscript forms: division and modulo by constants, pointer arithmetic, linearised 2-D and 3-D, VLA parameters, rows.
// SHOWS: RT-4
double a[400], b[400], c[400], w[2000];
double M[20][20], R[20][20];
int ring[8];

void halved(int n) {
  for (int i = 0; i < n; i++)
    a[i / 2] = b[i];
}

void halved_read(int n) {
  for (int i = 0; i < n; i++) /* EXPECT: parallel */
    a[i] = b[i / 2];
}

void modulo_write(int n) {
  for (int i = 0; i < 2 * n; i++)
    ring[i % 8] = i;
}

void modulo_recurrence(int n) {
  for (int i = 1; i < 2 * n; i++) /* EXPECT: sequential */
    a[i % 8] = a[(i - 1) % 8] + b[i];
}

void alternating_planes(int n) {
  for (int t = 0; t < n; t++) /* EXPECT: sequential */
    for (int i = 1; i < n - 1; i++) /* EXPECT: parallel */
      M[(t + 1) % 2][i] = M[t % 2][i - 1] + M[t % 2][i + 1];
}

void split_index(int n) {
  for (int i = 0; i < 4 * n; i++) /* EXPECT: parallel */
    M[i / 4][i % 4] = b[i];
}

void split_index_recurrence(int n) {
  for (int i = 4; i < 4 * n; i++) /* EXPECT: carried(4) */
    M[i / 4][i % 4] = M[i / 4 - 1][i % 4] + b[i];
}

void linear_2d(double *restrict p, const double *restrict q, int n) {
  for (int i = 0; i < n; i++) /* EXPECT: parallel */
    for (int j = 0; j < n; j++) /* EXPECT: parallel */
      p[i * n + j] = q[j * n + i];
}

// NONAFFINE
void linear_2d_offset(double *restrict p, int n) {
  for (int i = 1; i < n; i++)
    for (int j = 1; j < n; j++)
      p[i * n + j] = p[(i - 1) * n + j - 1];
}

void linear_2d_row(double *restrict p, int n, int m) {
  for (int i = 0; i < n; i++) /* EXPECT: parallel */
    for (int j = 1; j < m; j++) /* EXPECT: sequential */
      p[i * m + j] = p[i * m + j - 1] + 1;
}

// NONAFFINE
void linear_2d_too_wide(double *restrict p, int n, int m) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= m; j++)
      p[i * m + j] = p[i * m + j] * 0.5 + i;
}

void linear_3d(double *restrict p, const double *restrict q, int n, int m, int l) {
  for (int i = 0; i < n; i++) /* EXPECT: parallel */
    for (int j = 0; j < m; j++) /* EXPECT: parallel */
      for (int k = 0; k < l; k++) /* EXPECT: parallel */
        p[(i * m + j) * l + k] = q[(i * m + j) * l + k] * 2;
}

void linear_constant_width(int n) {
  for (int i = 0; i < n; i++) /* EXPECT: parallel */
    for (int j = 0; j < 10; j++) /* EXPECT: parallel */
      a[10 * i + j] = b[10 * i + j];
}

void linear_constant_width_overlaps(int n) {
  for (int i = 0; i < n; i++) /* EXPECT: sequential */
    for (int j = 0; j < 12; j++) /* EXPECT: parallel */
      a[10 * i + j] = a[10 * i + j] * 0.5 + b[j];
}

void pointer_arithmetic(double *restrict p, const double *restrict q, int n) {
  for (int i = 0; i < n; i++) /* EXPECT: parallel */
    *(p + i) = *(q + i + 1) * 2;
}

void pointer_arithmetic_recurrence(double *p, int n) {
  for (int i = 1; i < n; i++) /* EXPECT: sequential */
    *(p + i) = *(p + i - 1) * 2;
}

void vla_parameter(int n, int m, double p[n][m], double q[n][m]) {
  for (int i = 0; i < n; i++) /* EXPECT: parallel or conditional */
    for (int j = 0; j < m; j++) /* EXPECT: parallel or conditional */
      p[i][j] = q[i][j] + 1;
}

void vla_recurrence(int n, int m, double p[n][m]) {
  for (int i = 1; i < n; i++) /* EXPECT: sequential */
    for (int j = 0; j < m; j++) /* EXPECT: parallel */
      p[i][j] = p[i - 1][j] + 1;
}

void pointer_to_rows(int n, double (*p)[20]) {
  for (int i = 0; i < n; i++) /* EXPECT: parallel */
    for (int j = 1; j < n; j++) /* EXPECT: sequential */
      p[i][j] = p[i][j - 1] + 1;
}

void local_vla(int n) {
  double t[n];
  for (int i = 0; i < n; i++) /* EXPECT: parallel */
    t[i] = b[i] * 2;
  for (int i = 0; i < n; i++) /* EXPECT: parallel */
    a[i] = t[n - 1 - i];
}

// NONAFFINE
void walking_pointer(double *p, const double *q, int n) {
  for (int i = 0; i < n; i++)
    *p++ = *q++ + 1;
}

void scaled_sum(int n) {
  for (int i = 0; i < n; i++) /* EXPECT: sequential */
    for (int j = 0; j < n; j++) /* EXPECT: parallel */
      a[i + j] = b[i] + c[j];
}

void exact_tiles(int n) {
  for (int i = 0; i < n; i++) /* EXPECT: parallel */
    for (int j = 0; j < 3; j++) /* EXPECT: parallel */
      a[3 * i + j] = b[i] + c[j];
}

// NONAFFINE
void butterflies(double *restrict p, const double *restrict q, int n, int half, int m) {
  for (int g = 0; g < n; g++) /* EXPECT: parallel */
    for (int k = 0; k < half; k++) { /* EXPECT: parallel */
      int at = g * half + k;
      p[2 * g * half + k] = q[at] + q[at + m / 2];
      p[(2 * g + 1) * half + k] = q[at] - q[at + m / 2];
    }
}

// NONAFFINE
void butterflies_in_place(double *p, int n, int half, int m) {
  for (int g = 0; g < n; g++)
    for (int k = 0; k < half; k++)
      p[g * half + k] = p[g * half + k + m / 2] + 1;
}

#ifdef WL_TRACE
int main(void) {
  RUN(halved(n));
  RUN(halved_read(n));
  RUN(modulo_write(n));
  RUN(modulo_recurrence(n));
  RUN(alternating_planes(n));
  RUN(split_index(n));
  RUN(split_index_recurrence(n));
  RUN(linear_2d(a, b, n));
  RUN(linear_2d_offset(a, n));
  RUN(linear_2d_row(a, n, n + 1));
  RUN(linear_2d_too_wide(a, n, n + 1));
  RUN(linear_3d(w, w + 1000, n - 4, n - 3, n - 2));
  RUN(linear_constant_width(n));
  RUN(linear_constant_width_overlaps(n));
  RUN(pointer_arithmetic(a, b, n));
  RUN(pointer_arithmetic_recurrence(a, n));
  RUN(vla_parameter(n, n + 1, (void *)a, (void *)b));
  RUN(vla_recurrence(n, n + 1, (void *)a));
  RUN(pointer_to_rows(n, M));
  RUN(local_vla(n));
  RUN(walking_pointer(a, b, n));
  RUN(scaled_sum(n));
  RUN(exact_tiles(n));
  RUN(butterflies(w, w + 1000, n, 3, 6 * n));
  RUN(butterflies_in_place(w, n, 3, n));
}
#endif
