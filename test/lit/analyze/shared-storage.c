// Bit-fields are written together with their neighbours, members of a union in place of each other, and a pointer that
// was cast points where it did before.
// RUN: %warploom analyze --json %s | %verdicts | FileCheck %s
struct bits { unsigned low : 4, high : 4; int other; };
union word { int whole; char part; short halves[2]; struct { short a, b; } pair; float number; };

// CHECK: alone [[# @LINE + 2]] i parallel
void alone(int n, struct bits *b) {
  for (int i = 0; i < n; i++) b[i].low = i;
}

// Two iterations write one word.
// CHECK: both [[# @LINE + 2]] i sequential {{.*}}.high` at line {{.*}} reads what line {{.*}} wrote 1 iteration earlier
void both(int n, struct bits *b) {
  for (int i = 0; i < n; i++)
    if (i % 2) b[i / 2].high = 1; else b[i / 2].low = 1;
}

// The other bytes of `whole` come from the iteration before.
// CHECK: parts [[# @LINE + 2]] i sequential `t` at line {{.*}} reads what line
void parts(int n, const int *restrict a, int *restrict o) { union word t; t.whole = 0;
  for (int i = 0; i < n; i++) {
    t.part = (char)a[i];
    o[i] = t.whole;
    t.whole = a[i];
  }
}

// CHECK: half [[# @LINE + 2]] i sequential `t` at line {{.*}} reads what line
void half(int n, const int *restrict a, int *restrict o) { union word t; t.whole = 0;
  for (int i = 0; i < n; i++) {
    t.halves[0] = (short)a[i];
    o[i] = t.whole;
    t.whole = a[i];
  }
}

// CHECK: within [[# @LINE + 2]] i sequential `t`
void within(int n, const int *restrict a, int *restrict o) { union word t; t.whole = 0;
  for (int i = 0; i < n; i++) {
    o[i] = t.pair.b;
    t.whole = a[i];
  }
}

// A member as large as the union is all of it.
// CHECK: same [[# @LINE + 2]] i parallel
void same(int n, const int *restrict a, float *restrict o) { union word t;
  for (int i = 0; i < n; i++) {
    t.whole = a[i];
    o[i] = t.number;
  }
}

// `a[i]` must be read before iteration 2 * i writes there.
// CHECK: narrower [[# @LINE + 3]] i conditional parallel only if {{.*}} do not overlap
void narrower(int n, int *a) {
  short *s = (short *)a;
  for (int i = 0; i < n; i++) s[i] = (short)a[i];
}

// CHECK: apart [[# @LINE + 2]] i parallel
void apart(int n, int *a, short *s) {
  for (int i = 0; i < n; i++) s[i] = (short)a[i];
}
