// An accumulator that is cut off at every step, or ordered by another type than what goes into it, depends on the order.
// RUN: %warploom analyze --json %s | %verdicts | FileCheck %s

// CHECK: any [[# @LINE + 2]] i reduction
int any(int n, const int *a) { _Bool r = 0;
  for (int i = 0; i < n; i++) r |= a[i];
  return r;
}

// CHECK: sum [[# @LINE + 2]] i sequential
int sum(int n, const int *a) { _Bool r = 1;
  for (int i = 0; i < n; i++) r += a[i];
  return r;
}

// CHECK: parity [[# @LINE + 2]] i sequential
int parity(int n, const int *a) { _Bool r = 0;
  for (int i = 0; i < n; i++) r ^= a[i];
  return r;
}

// CHECK: narrow [[# @LINE + 2]] i sequential
int narrow(int n, const int *a) { char m = 0;
  for (int i = 0; i < n; i++) if (a[i] > m) m = a[i];
  return m;
}

// CHECK: sign [[# @LINE + 2]] i sequential
int sign(int n, const unsigned *a) { int m = 0;
  for (int i = 0; i < n; i++) if (a[i] > m) m = a[i];
  return m;
}

// CHECK: wide [[# @LINE + 2]] i reduction
long wide(int n, const int *a) { long m = 0;
  for (int i = 0; i < n; i++) m = a[i] > m ? a[i] : m;
  return m;
}

// CHECK: bytes [[# @LINE + 2]] i reduction
int bytes(int n, const unsigned char *a) { unsigned char s = 0;
  for (int i = 0; i < n; i++) s += a[i];
  return s;
}

// `i - 1` wraps around in the first iteration, whatever n is.
// CHECK: first [[# @LINE + 2]] i unknown {{.*}} wraps around
void first(unsigned n, int *a) {
  for (unsigned i = 0; i < n; i++) a[(i - 1) % 8] = i;
}
