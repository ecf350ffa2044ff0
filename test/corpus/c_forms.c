// Forms of C that real programs use: two-index headers, do-while, goto, pointers to pointers, typedefs, small types,
// globals as bounds, marked regions, negative offsets, blocked products.
typedef double real;
typedef struct {
  real re, im;
} complex_number;
enum { WIDTH = 8 };
real a[128], b[128], c[128];
real A[20][20], B[20][20], C[20][20];
complex_number Z[40], W[40];
unsigned char bytes[64], mapped[64];
int key[64], perm[64], bound;
long long wide[64];
double *rows[20];
double pool[400];
double S0[40], S1[40], P0[40];

void two_indices(int n) {
  int i, j;
  for (i = 0, j = n - 1; i < j; i++, j--)
    a[i] = b[j];
}

void two_indices_swap(int n) {
  for (int i = 0, j = n - 1; i < j; i++, j--) {
    real t = a[i];
    a[i] = a[j];
    a[j] = t;
  }
}

// NONAFFINE
void do_while_inside(int n) {
  for (int i = 0; i < n; i++) {
    int k = 0;
    do {
      c[i] = b[k] + c[i];
      k++;
    } while (k < key[i]);
  }
}

// NONAFFINE
void goto_out(int n) {
  for (int i = 0; i < n; i++) { /* EXPECT: parallel */
    if (key[i] == 15)
      goto done;
    a[i] = b[i];
  }
done:
  c[0] = 1;
}

// NONAFFINE
void pointers_to_rows(double **r, int n) {
  for (int i = 0; i < n; i++)
    for (int j = 1; j < n; j++)
      r[i][j] = r[i][j - 1] + 1;
}

void typedef_struct(int n) {
  for (int i = 0; i < n; i++) { /* EXPECT: parallel */
    Z[i].re = W[i].re * W[i].re - W[i].im * W[i].im;
    Z[i].im = 2 * W[i].re * W[i].im;
  }
}

void typedef_struct_recurrence(int n) {
  for (int i = 1; i < n; i++) { /* EXPECT: sequential */
    Z[i].re = Z[i - 1].im;
    Z[i].im = W[i].re;
  }
}

void byte_map(int n) {
  for (int i = 0; i < n; i++) /* EXPECT: parallel */
    mapped[i] = (unsigned char)(bytes[i] * 3 + 1);
}

void byte_recurrence(int n) {
  for (int i = 1; i < n; i++) /* EXPECT: sequential */
    bytes[i] ^= bytes[i - 1];
}

void global_bound(void) {
  for (int i = 0; i < bound; i++) /* EXPECT: parallel */
    a[i] = b[i];
}

void constant_width(int n) {
  for (int i = 0; i < n; i++) /* EXPECT: parallel */
    for (int j = 0; j < WIDTH; j++) /* EXPECT: parallel */
      A[i][j] = B[i][j] + WIDTH;
}

void negative_offset(real *restrict p, int n) {
  for (int i = 1; i < n; i++) /* EXPECT: sequential */
    p[i] = p[i - 1] - (p + 1)[-1];
}

void array_parameter(real p[], const real q[restrict], int n) {
  for (int i = 0; i < n; i++) /* EXPECT: parallel or conditional */
    p[i] = q[i];
}

void marked_region(int n) {
#pragma scop
  for (int i = 0; i < n; i++) /* EXPECT: parallel */
    for (int j = 0; j < n; j++) /* EXPECT: parallel */
      A[i][j] = B[j][i];
#pragma endscop
  for (int i = 1; i < n; i++)
    a[i] = a[i - 1];
}

void blocked_product(int n) {
  for (int ii = 0; ii < n; ii += 4) /* EXPECT: parallel */
    for (int jj = 0; jj < n; jj += 4) /* EXPECT: parallel */
      for (int kk = 0; kk < n; kk += 4) /* EXPECT: reduction(+) */
        for (int i = ii; i < (ii + 4 < n ? ii + 4 : n); i++) /* EXPECT: parallel */
          for (int j = jj; j < (jj + 4 < n ? jj + 4 : n); j++) /* EXPECT: parallel */
            for (int k = kk; k < (kk + 4 < n ? kk + 4 : n); k++) /* EXPECT: reduction(+) */
              C[i][j] += A[i][k] * B[k][j];
}

// NONAFFINE
void three_level_indirect(int n) {
  for (int i = 0; i < n; i++)
    for (int j = n - 1; j >= 0; j--)
      A[key[perm[i]]][key[j]] = A[perm[key[j]]][i] + 1;
}

void wide_arithmetic(long long n) {
  for (long long i = 2; i < n; i++) /* EXPECT: carried(2) */
    wide[i] = wide[i - 2] * 3 + 1;
}

// NONAFFINE
void bubble(int n) {
  for (int i = 0; i < n - 1; i++) /* EXPECT: sequential */
    for (int j = 0; j < n - 1 - i; j++) /* EXPECT: sequential */
      if (a[j] > a[j + 1]) {
        real t = a[j];
        a[j] = a[j + 1];
        a[j + 1] = t;
      }
}

// NONAFFINE
void insertion(int n) {
  for (int i = 1; i < n; i++) { /* EXPECT: sequential or unknown or none */
    int k = i;
    real t = a[i];
    while (k > 0 && a[k - 1] > t) {
      a[k] = a[k - 1];
      k--;
    }
    a[k] = t;
  }
}

void comma_and_increment(int n) {
  int k = 0;
  for (int i = 0; i < n; i++)
    a[k++] = b[i];
}

void assignment_chain(int n) {
  for (int i = 0; i < n; i++) /* EXPECT: parallel */
    a[i] = c[i] = b[i] * 2;
}

void assignment_chain_recurrence(int n) {
  for (int i = 1; i < n; i++) /* EXPECT: sequential */
    a[i] = c[i] = a[i - 1] * 2;
}

void nested_ternaries(int n) {
  for (int i = 1; i < n - 1; i++) /* EXPECT: parallel */
    a[i] = b[i] > b[i - 1] ? (b[i] > b[i + 1] ? b[i] : b[i + 1]) : b[i - 1];
}

void scope_shadows(int n) {
  real t = 2;
  for (int i = 0; i < n; i++) { /* EXPECT: parallel */
    real t = b[i];
    a[i] = t * 3;
  }
  c[0] = t;
}

void sizeof_stride(int n) {
  for (unsigned i = 0; i < n * sizeof(int); i += sizeof(int)) /* EXPECT: parallel or conditional or unknown */
    a[i] = b[i];
}

void names_like_ours(int n) {
  for (int i = 1; i < n; i++) { /* EXPECT: sequential */
    S0[i] = S1[i - 1];
    S1[i] = P0[i] + S0[i];
  }
}

void statements_of_a_macro(int n) {
  for (int i = 0; i < n; i++) /* EXPECT: parallel */
    do {
      real kept = a[i];
      a[i] = b[i];
      b[i] = kept;
    } while (0);
}

void statements_of_a_macro_in_order(int n) {
  for (int i = 0; i < n; i++) /* EXPECT: sequential */
    do {
      real kept = a[i];
      a[i] = a[i + 1];
      a[i + 1] = kept;
    } while (0);
}

void block_that_breaks_off(int n) {
  for (int i = 0; i < n; i++) /* EXPECT: parallel */
    do {
      if (b[i] > 2) break;
      a[i] = 1;
    } while (0);
}

#ifdef WL_TRACE
static void make_rows(void) {
  int k = 0;
  while (k < 20) {
    rows[k] = pool + 20 * k;
    k++;
  }
  bound = 10;
}
int main(void) {
  RUN(two_indices(n));
  RUN(two_indices_swap(n));
  RUN(do_while_inside(n));
  RUN(goto_out(n));
  RUN(make_rows(); pointers_to_rows(rows, n));
  RUN(typedef_struct(n));
  RUN(typedef_struct_recurrence(n));
  RUN(byte_map(n));
  RUN(byte_recurrence(n));
  RUN(make_rows(); global_bound());
  RUN(constant_width(n));
  RUN(negative_offset(a, n));
  RUN(array_parameter(a, b, n));
  RUN(marked_region(n));
  RUN(blocked_product(n));
  RUN(three_level_indirect(n));
  RUN(wide_arithmetic(n));
  RUN(bubble(n));
  RUN(insertion(n));
  RUN(comma_and_increment(n));
  RUN(assignment_chain(n));
  RUN(assignment_chain_recurrence(n));
  RUN(nested_ternaries(n));
  RUN(scope_shadows(n));
  RUN(sizeof_stride(n));
  RUN(names_like_ours(n));
  RUN(statements_of_a_macro(n));
  RUN(statements_of_a_macro_in_order(n));
  RUN(block_that_breaks_off(n));
}
#endif
