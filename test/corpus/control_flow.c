// Conditions inside loops: affine ones, data-dependent ones, continue, nested ifs, while loops, switch.
// SHOWS: RT-24 RT-25
double a[128], b[128], c[128], d[128], e[128];
double two[24][24];
int ia[64];

void guarded_store(int n) {
  for (int i = 0; i < n; i++) /* EXPECT: parallel */
    if (d[i] > 0)
      a[i] = b[i] * c[i];
}

void if_else_both_write(int n) {
  for (int i = 0; i < n; i++) { /* EXPECT: parallel */
    if (d[i] > 0)
      a[i] = b[i];
    else
      a[i] = c[i];
  }
}

void if_else_different_arrays(int n) {
  for (int i = 0; i < n; i++) { /* EXPECT: parallel */
    if (a[i] > b[i]) {
      c[i] = a[i];
      d[i] = b[i];
    } else {
      e[i] = c[i];
    }
  }
}

void skip_by_continue(int n) {
  for (int i = 0; i < n; i++) {
    if (a[i] < 0)
      continue;
    b[i] = a[i] * 2;
  }
}

void nested_ifs(int n) {
  for (int i = 0; i < n; i++) { /* EXPECT: parallel */
    if (a[i] > 0) {
      if (b[i] > a[i])
        b[i] = a[i];
      else if (c[i] > 0)
        c[i] = a[i] + b[i];
    }
  }
}

void affine_split(int n) {
  for (int i = 0; i < n; i++) { /* EXPECT: parallel */
    if (i < n / 2)
      a[i] = b[i];
    else
      a[i] = c[i];
  }
}

void affine_guard_removes_dependence(int n) {
  for (int i = 1; i < n; i++) /* EXPECT: parallel */
    if (i > n)
      a[i] = a[i - 1];
}

void affine_guard_keeps_dependence(int n) {
  for (int i = 1; i < n; i++) /* EXPECT: sequential */
    if (i > 2)
      a[i] = a[i - 1];
}

void guarded_by_parity(int n) {
  for (int i = 1; i < n; i++) /* EXPECT: parallel */
    if (i % 2 == 0)
      a[i] = a[i - 1] + b[i];
}

void guarded_recurrence(int n) {
  for (int i = 1; i < n; i++) /* EXPECT: sequential */
    if (b[i] > -3)
      a[i] = a[i - 1] + b[i];
}

void temporary_in_branch(int n) {
  double t;
  for (int i = 0; i < n; i++) /* EXPECT: parallel */
    if (a[i] > 0) {
      t = a[i] * b[i];
      c[i] = t + 1;
    }
}

void temporary_maybe_stale(int n) {
  double t = 0;
  for (int i = 0; i < n; i++) { /* EXPECT: sequential */
    if (a[i] > 0)
      t = b[i];
    c[i] = t;
  }
}

void triangular_guard(int n) {
  for (int i = 0; i < n; i++) /* EXPECT: parallel */
    for (int j = 0; j < n; j++) /* EXPECT: parallel */
      if (j < i)
        two[i][j] = two[j][i];
}

void boundary_and_interior(int n) {
  for (int i = 0; i < n; i++) /* EXPECT: parallel */
    for (int j = 0; j < n; j++) { /* EXPECT: parallel */
      if (i == 0 || j == 0 || i == n - 1 || j == n - 1)
        two[i][j] = 0;
      else
        two[i][j] = a[i] * b[j];
    }
}

void diagonal_is_special(int n) {
  for (int i = 0; i < n; i++) /* EXPECT: parallel */
    for (int j = 0; j < n; j++) { /* EXPECT: parallel */
      two[i][j] = 0;
      if (i == j)
        two[i][j] = 1;
    }
}

// NONAFFINE
void while_inside(int n) {
  for (int i = 0; i < n; i++) {
    int k = ia[i];
    double s = 0;
    while (k > 0) {
      s += b[k];
      k--;
    }
    a[i] = s;
  }
}

// NONAFFINE
void switch_inside(int n) {
  for (int i = 0; i < n; i++) {
    switch (ia[i] % 3) {
    case 0:
      a[i] = b[i];
      break;
    case 1:
      a[i] = c[i];
      break;
    default:
      a[i] = 0;
    }
  }
}

// NONAFFINE
void break_on_data(int n) {
  for (int i = 0; i < n; i++) { /* EXPECT: parallel */
    if (a[i] > 3.5)
      break;
    b[i] = a[i];
  }
}

// NONAFFINE
void break_leaves_inner_only(int n) {
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) { /* EXPECT: sequential or unknown */
      if (two[i][j] > 3)
        break;
      two[i][j] = a[i];
    }
  }
}

void conditional_expression(int n) {
  for (int i = 0; i < n; i++) /* EXPECT: parallel */
    a[i] = b[i] > 0 ? b[i] : -b[i];
}

void guarded_subscript(int n) {
  for (int i = 0; i < n; i++) /* EXPECT: parallel */
    a[i] = i > 0 ? b[i - 1] : b[i];
}

#ifdef WL_TRACE
int main(void) {
  RUN(guarded_store(n));
  RUN(if_else_both_write(n));
  RUN(if_else_different_arrays(n));
  RUN(skip_by_continue(n));
  RUN(nested_ifs(n));
  RUN(affine_split(n));
  RUN(affine_guard_removes_dependence(n));
  RUN(affine_guard_keeps_dependence(n));
  RUN(guarded_by_parity(n));
  RUN(guarded_recurrence(n));
  RUN(temporary_in_branch(n));
  RUN(temporary_maybe_stale(n));
  RUN(triangular_guard(n));
  RUN(boundary_and_interior(n));
  RUN(diagonal_is_special(n));
  RUN(while_inside(n));
  RUN(switch_inside(n));
  RUN(break_on_data(n));
  RUN(break_leaves_inner_only(n));
  RUN(conditional_expression(n));
  RUN(guarded_subscript(n));
}
#endif
