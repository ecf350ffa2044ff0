// Storage: equivalenced (unions, overlapping pointers), structs, statics, const tables, fields, casts.
struct particle {
  double x, v;
  int kind;
};
struct grid {
  double cell[32];
  double flux[32];
  int count;
};
union overlay {
  double d[32];
  float f[64];
};
double a[128], b[128], c[128];
struct particle P[40], Q[40];
struct grid G;
union overlay O;
static double hidden[64];
const double weight[4] = {0.1, 0.2, 0.3, 0.4};
double total;
int ticks;

void fields_apart(int n) {
  for (int i = 0; i < n; i++) /* EXPECT: parallel */
    P[i].x = P[i].v + 1;
}

void fields_shifted_apart(int n) {
  for (int i = 1; i < n; i++) /* EXPECT: parallel */
    P[i].x = P[i - 1].v + 1;
}

void field_recurrence(int n) {
  for (int i = 1; i < n; i++) /* EXPECT: sequential */
    P[i].x = P[i - 1].x + P[i].v;
}

void array_fields(int n) {
  for (int i = 0; i < n; i++) /* EXPECT: parallel */
    G.flux[i] = G.cell[i] + G.cell[i + 1];
}

void array_field_recurrence(int n) {
  for (int i = 1; i < n; i++) /* EXPECT: sequential */
    G.cell[i] = G.cell[i - 1] * 0.5;
}

void field_through_pointer(struct particle *p, int n) {
  for (int i = 0; i < n; i++) /* EXPECT: parallel */
    p[i].x = p[i].x + p[i].v;
}

// NONAFFINE
void union_views(int n) {
  for (int i = 0; i < n; i++)
    O.d[i] = O.f[2 * i + 4];
}

void union_same_view(int n) {
  for (int i = 1; i < n; i++) /* EXPECT: sequential */
    O.d[i] = O.d[i - 1] + 1;
}

void pointers_may_overlap(double *p, const double *q, int n) {
  for (int i = 0; i < n; i++) /* EXPECT: conditional */
    p[i] = q[i] + 1;
}

void restrict_pointers(double *restrict p, const double *restrict q, int n) {
  for (int i = 0; i < n; i++) /* EXPECT: parallel */
    p[i] = q[i] + 1;
}

void three_pointers(double *p, const double *q, const double *r, int n) {
  for (int i = 0; i < n; i++) /* EXPECT: conditional */
    p[i] = q[i] + r[i];
}

void distance_three_unless_aliased(double *p, double *q, int n) {
  for (int i = 0; i < n; i++) {
    p[i + 3] = p[i] + 1;
    q[i] = q[i] * 2;
  }
}

void local_alias(int n) {
  double *p = a + 1;
  for (int i = 0; i < n; i++)
    p[i] = a[i] + 1;
}

void pointer_and_global(double *p, int n) {
  for (int i = 0; i < n; i++) /* EXPECT: conditional */
    p[i] = a[i] + 1;
}

void static_array(int n) {
  for (int i = 1; i < n; i++) /* EXPECT: sequential */
    hidden[i] = hidden[i - 1] + b[i];
}

void static_local(int n) {
  static double last;
  for (int i = 0; i < n; i++) { /* EXPECT: sequential */
    a[i] = last;
    last = b[i];
  }
}

void const_table(int n) {
  for (int i = 0; i < n; i++) /* EXPECT: parallel */
    a[i] = b[i] * weight[0] + b[i + 1] * weight[1] + b[i + 2] * weight[2];
}

void global_scalar_sum(int n) {
  for (int i = 0; i < n; i++) /* EXPECT: reduction(+) */
    total += a[i];
}

void global_scalar_temporary(int n) {
  for (int i = 0; i < n; i++) { /* EXPECT: parallel */
    total = a[i] * 2;
    b[i] = total;
  }
}

void narrow_cast(int n) {
  for (int i = 0; i < n; i++) /* EXPECT: parallel */
    P[i].kind = (int)(a[i] * 10);
}

void same_pointer_twice(double *p, double *q, int n) {
  for (int i = 1; i < n; i++) {
    p[i] = b[i];
    c[i] = q[i - 1];
  }
}

void scalar_through_pointer(double *restrict s, int n) {
  for (int i = 0; i < n; i++) /* EXPECT: parallel or conditional */
    a[i] = b[i] * *s;
}

#ifdef WL_TRACE
int main(void) {
  RUN(fields_apart(n));
  RUN(fields_shifted_apart(n));
  RUN(field_recurrence(n));
  RUN(array_fields(n));
  RUN(array_field_recurrence(n));
  RUN(field_through_pointer(P, n));
  RUN(union_views(n));
  RUN(union_same_view(n));
  RUN(pointers_may_overlap(a, b, n));
  RUN(pointers_may_overlap(a + 1, a, n));
  RUN(restrict_pointers(a, b, n));
  RUN(three_pointers(a, b, c, n));
  RUN(three_pointers(a + 1, b, a, n));
  RUN(distance_three_unless_aliased(a, b, n));
  RUN(distance_three_unless_aliased(a + 1, a, n));
  RUN(local_alias(n));
  RUN(pointer_and_global(b, n));
  RUN(pointer_and_global(a + 2, n));
  RUN(static_array(n));
  RUN(static_local(n));
  RUN(const_table(n));
  RUN(global_scalar_sum(n));
  RUN(global_scalar_temporary(n));
  RUN(narrow_cast(n));
  RUN(same_pointer_twice(a, b, n));
  RUN(same_pointer_twice(a, a, n));
  RUN(scalar_through_pointer(c, n));
}
#endif
