/* What variables hold after their loops: indices of loops of all kinds, sums that threads share, in loops that may be empty. */
#include <stdio.h>

typedef struct {
  double v[3];
} vector;

typedef struct {
  vector in;
  double v[3];
} nested;

enum { N = 300 };
static double a[N], b[N], m[N][3], r[N];
static double total;
static vector weights = {{0.5, 2, 1}};

static int after_do(int n) {
  int d = 0;
  do { /* region: after_do */
    a[d] += 1;
    d++;
  } while (d < n);
  return d;
}

static int after_for(int n) {
  int i = 0;
  for (int twice = 2; i < n; i++) /* region: after_for */
    a[i] = i * twice;
  return i;
}

static int after_two(int n) {
  int i = 0;
  for (int j = n - 1; i < n; i++, j--) /* region: after_two */
    a[i] += j;
  return i;
}

static void halvings(void) {
  for (int i = 1; i < N; i++) { /* region: halvings */
    int x = i, it = 0;
    do {
      if (x == 1) break;
      x /= 2;
      it++;
    } while (it < 100);
    b[i] = it;
  }
}

static double rows(int n, int most) {
  double s = 0;
  for (int i = 0; i < n; i++) { /* region: rows */
    s = 0;
    for (int j = 0; j <= i && j < most; j++)
      s += b[j];
    a[i] = s;
  }
  return s;
}

/* In the last row nothing is added. */
static double emptied(int n) {
  double s = 0;
  for (int i = 0; i < n; i++) { /* region: emptied */
    s = i;
    for (int j = i + 1; j < n; j++)
      s += b[j];
    a[i] += s;
  }
  return s;
}

static double both(int n) {
  double p = 1, q = 0;
  for (int i = 0; i < n; i++) { /* region: both */
    p = 1;
    q = 0;
    for (int j = 0; j < 40; j++) {
      p *= 1 + (j + i) % 2;
      q += b[j] * i;
    }
    a[i] += p / 1024 - q;
  }
  return p + q;
}

static void shared(int n) {
  for (int i = 0; i < n; i++) { /* region: shared */
    total = 0;
    for (int j = 0; j < N; j++)
      total += b[j] * (i % 3);
    r[i] = total;
  }
}

/* Rows of a sparse matrix, the last of which may be empty. */
static double sparse(const int *start, const int *column, int n) {
  double s = 0;
  int most = 0;
  for (int i = 0; i < n; i++) { /* region: sparse */
    s = 0;
    most = -5;
    for (int j = start[i]; j < start[i + 1]; j++) {
      s += b[j % N] * (j % 3);
      if (column[j] > most) most = column[j];
    }
    a[i] += s + most;
  }
  return s * 1000 + most;
}

static void times(vector v) {
  for (int i = 0; i < N; i++) /* region: times */
    for (int j = 0; j < 3; j++)
      r[i] += m[i][j] * v.v[j] + m[i][j] * weights.v[j];
}

static void deeper(nested g) {
  for (int i = 0; i < N; i++) /* region: deeper */
    for (int j = 0; j < 3; j++)
      r[i] -= m[i][j] * g.in.v[j] * g.v[j];
}

int main(void) {
  int d = after_do(N), one = after_do(0), i = after_for(N), none = after_for(-3), k = after_two(N);
  printf("%d %d %d %d %d\n", d, one, i, none, k);
  halvings();
  printf("%.1f %.1f %.1f %.1f ", rows(N, N), rows(N, 7), emptied(N), both(N - 1));
  static int start[N + 1], column[3000];
  for (int i = 0; i < N; i++)
    start[i + 1] = start[i] + i % 10;
  for (int j = 0; j < 3000; j++)
    column[j] = j * 7 % N;
  printf("%.1f %.1f ", sparse(start, column, N), sparse(start, column, N - 19));
  shared(N - 3);
  for (int i = 0; i < N; i++)
    for (int j = 0; j < 3; j++)
      m[i][j] = i + j;
  vector v = {{1, 2, 3}};
  nested g = {{{3, 1, 2}}, {1, 0, 1}};
  times(v);
  deeper(g);
  double s = total;
  for (int i = 0; i < N; i++)
    s += (a[i] + r[i]) * (i % 7);
  printf("%.1f %.1f\n", total, s);
  return 0;
}
