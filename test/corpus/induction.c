// Induction variables beside the loop index, and wrap-around variables.
double a[256], b[256], c[256], d[256], e[256];
double two[40][40];

void step_two_induction(int n) {
  int k = -1;
  for (int i = 0; i < n; i++) { /* EXPECT: parallel */
    k += 2;
    a[k] = b[i] + 1;
  }
}

void induction_after_use(int n) {
  int k = 0;
  for (int i = 0; i < n; i++) { /* EXPECT: parallel */
    a[k] = b[i] + 1;
    k = k + 3;
  }
}

void two_inductions(int n) {
  int k = 0, l = 60;
  for (int i = 0; i < n; i++) { /* EXPECT: parallel */
    a[k] = b[l];
    k += 2;
    l -= 1;
  }
}

void induction_makes_recurrence(int n) {
  int k = 0;
  for (int i = 0; i < n; i++) { /* EXPECT: sequential */
    a[k + 2] = a[k] + b[i];
    k += 2;
  }
}

void induction_across_nest(int n) {
  int k = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) { /* EXPECT: parallel */
      a[k] = two[i][j];
      k++;
    }
}

// NONAFFINE
void induction_triangular(int n) {
  int k = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++) { /* EXPECT: parallel or sequential */
      a[k] = two[i][j];
      k++;
    }
}

// NONAFFINE
void conditional_induction(int n) {
  int k = 0;
  for (int i = 0; i < n; i++)
    if (b[i] > 0) {
      k++;
      a[k] = b[i];
    }
}

void induction_in_both_branches(int n) {
  int k = 0;
  for (int i = 0; i < n; i++) {
    if (b[i] > 0) {
      k++;
      a[k] = b[i];
    } else {
      k++;
      a[k] = c[i];
    }
  }
}

void derived_induction(int n) {
  int k = 0, l;
  for (int i = 0; i < n; i++) { /* EXPECT: parallel */
    l = 2 * k + 1;
    a[l] = b[i];
    k++;
  }
}

void descending_induction(int n) {
  int k = n;
  for (int i = 0; i < n; i++) { /* EXPECT: parallel */
    k--;
    a[k] = b[i];
  }
}

void wrap_around_once(int n) {
  int before = n - 1;
  for (int i = 0; i < n; i++) { /* EXPECT: sequential or parallel */
    a[i] = b[i] + b[before];
    before = i;
  }
}

void wrap_around_twice(int n) {
  int before = n - 1, before2 = n - 2;
  for (int i = 0; i < n; i++) { /* EXPECT: sequential or parallel */
    a[i] = b[i] + b[before] + b[before2];
    before2 = before;
    before = i;
  }
}

void wrap_around_recurrence(int n) {
  int before = n - 1;
  for (int i = 0; i < n; i++) { /* EXPECT: sequential */
    a[i] = a[before] + b[i];
    before = i;
  }
}

void wrap_around_from_middle(int n) {
  int before = 2;
  for (int i = 0; i < n; i++) { /* EXPECT: sequential */
    a[i + 3] = a[before + 3] + b[i];
    before = i;
  }
}

void wrap_around_guarded(int n) {
  int before = 0;
  for (int i = 0; i < n; i++) { /* EXPECT: sequential or unknown */
    a[i] = b[before];
    if (b[i] > 0)
      before = i;
  }
}

void carry_around_value(int n) {
  double before = b[n - 1];
  for (int i = 0; i < n; i++) { /* EXPECT: sequential */
    a[i] = before + b[i];
    before = b[i];
  }
}

void induction_by_index_copy(int n) {
  int k;
  for (int i = 0; i < n; i++) { /* EXPECT: parallel */
    k = i;
    a[k] = b[k] * 2;
  }
}

void reset_each_row(int n) {
  for (int i = 0; i < n; i++) { /* EXPECT: parallel */
    int k = 0;
    for (int j = 0; j < n; j++) { /* EXPECT: parallel */
      two[i][k] = b[j];
      k += 2;
    }
  }
}

#ifdef WL_TRACE
int main(void) {
  RUN(step_two_induction(n));
  RUN(induction_after_use(n));
  RUN(two_inductions(n));
  RUN(induction_makes_recurrence(n));
  RUN(induction_across_nest(n));
  RUN(induction_triangular(n));
  RUN(conditional_induction(n));
  RUN(induction_in_both_branches(n));
  RUN(derived_induction(n));
  RUN(descending_induction(n));
  RUN(wrap_around_once(n));
  RUN(wrap_around_twice(n));
  RUN(wrap_around_recurrence(n));
  RUN(wrap_around_from_middle(n));
  RUN(wrap_around_guarded(n));
  RUN(carry_around_value(n));
  RUN(induction_by_index_copy(n));
  RUN(reset_each_row(n));
}
#endif
