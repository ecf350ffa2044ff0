/* Small arrays of a loop's own that begin with values, tables of functions, structs of which a field is kept, and variables that
   are declared in loops but are not their own. */
#include <complex.h>
#include <stdio.h>

typedef struct {
  double x, y;
} point;

typedef struct {
  long a;
  short c;
} record;

enum { N = 1000 };
static double x[N], y[N];
static float u[N];
static int k[N];
static double complex z[N];
static record records[192];
static double w[3] = {1, 2, 3};
double offset = 2;

static void smooth(void) {
  for (int i = 0; i < N; i++) { /* region: smooth */
    const double w[3] = {0.25, 0.5, 0.25};
    double s = 0;
    for (int j = 0; j < 3; j++)
      s += w[j] * x[(i + j) % N];
    y[i] = s;
  }
}

static void turn(void) {
  for (int i = 0; i < N; i++) { /* region: turn */
    double a[2][2] = {{1, x[i]}, {u[i]}}, old[4] = {0};
    int order[4] = {3, 1, [3] = i % 4};
    old[i % 4] = y[i];
    y[i] = a[0][0] * a[0][1] - a[1][0] * (1 + a[1][1]) + old[order[i % 4]];
  }
}

static void pairs(void) {
  for (int i = 0; i < N; i++) { /* region: pairs */
    point a[2] = {{1, x[i]}, {u[i], 2}};
    y[i] += a[i % 2].x + a[k[i] % 2].y;
  }
}

static void rotated(void) {
  for (int i = 0; i < N; i++) { /* region: rotated */
    double complex both[2] = {z[i], I};
    y[i] += creal(both[0] * both[1]);
    k[i] += z[i];
    if (z[i]) k[i]++;
  }
}

static int days(int month) {
  static const int all[12] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  return all[month % 12];
}

static void calendar(void) {
  for (int i = 0; i < N; i++) /* region: calendar */
    k[i] += days(i);
}

static void fields(int n, int m) {
  for (int i = 0; i < n; i++) /* region: fields */
    for (int j = 1; j < m; j++)
      records[2 * i].c = (short)(k[j] + i);
}

/* These stay as they are. */
static void same_name(void) {
  for (int i = 0; i < N; i++) {
    static const double w[3] = {0.25, 0.5, 0.25};
    y[i] += w[i % 3] * x[i];
  }
  for (int i = 0; i < N; i++) {
    extern double offset;
    y[i] += offset + w[i % 3];
  }
}

static void scratch(int steps) {
  for (int t = 0; t < steps; t++) {
    static double row[N];
    for (int i = 0; i < N; i++)
      row[i] = x[i] + t;
    for (int i = 0; i < N; i++)
      x[i] = row[N - 1 - i];
  }
}

static void large(void) {
  for (int i = 0; i < 20; i++) {
    int bins[300] = {1};
    for (int j = 0; j < 600; j++)
      bins[(i * j) % 300]++;
    k[i] += bins[i] + bins[0];
  }
}

int main(void) {
  for (int i = 0; i < N; i++) {
    u[i] = (float)i;
    x[i] = i * 2;
    k[i] = i % 3;
    z[i] = i % 3 - I * (i % 2);
  }
  for (int i = 0; i < 192; i++)
    records[i] = (record){i, (short)(i % 5)};
  smooth();
  turn();
  pairs();
  rotated();
  calendar();
  fields(50, 20);
  same_name();
  scratch(3);
  large();
  double s = 0;
  long t = 0;
  for (int i = 0; i < N; i++) {
    s += y[i] * (i % 7) + x[i] * (i % 3);
    t += k[i] * (long)(i % 11);
  }
  for (int i = 0; i < 192; i++)
    t += records[i].c * i + records[i].a;
  printf("%.6f %ld\n", s, t);
  return 0;
}
