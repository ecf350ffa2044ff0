/* Pointers that walk from a beginning to an end, as much C has it, and small vectors by value, whose sums are sums of their parts. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
  double x, y, z;
} vec3;
typedef struct {
  vec3 position, velocity;
  double mass;
} body;

static void copy(double *o, const double *a, const double *end) {
  while (a < end) /* region: copy */
    *o++ = *a++;
}

static void scale(double *p, double *end, double by) {
  for (; p < end; p++) /* region: scale */
    *p *= by;
}

static void shift(double *p, double *end, double by) {
  for (double *q = p; q != end; ++q) /* region: shift */
    *q += by;
}

static double sum(const double *first, const double *last) {
  double s = 0;
  while (first != last) /* region: sum */
    s += *first++;
  return s;
}

static double product(const double *x, const double *end, const double *y) {
  double s = 0;
  while (end > x) {
    s += *x * *y;
    ++x, y += 1;
  }
  return s;
}

static int above(const float *from, const float *to, float level) {
  int count = 0;
  for (const float *p = from; p < to; p++) /* region: above */
    if (*p > level) count++;
  return count;
}

static void grey(unsigned char *to, const unsigned char *from, const unsigned char *end) {
  while (from < end) { /* region: grey */
    *to = (unsigned char)((from[0] * 77 + from[1] * 150 + from[2] * 29) >> 8);
    to++;
    from += 3;
  }
}

static vec3 plus(vec3 a, vec3 b) { return (vec3){a.x + b.x, a.y + b.y, a.z + b.z}; }
static vec3 times(vec3 a, double by) {
  vec3 r;
  r.x = a.x * by;
  r.y = a.y * by;
  r.z = a.z * by;
  return r;
}

static vec3 centre(const body *b, int n) {
  vec3 c = {0, 0, 0};
  for (int i = 0; i < n; i++)
    c = plus(c, times(b[i].position, b[i].mass));
  return times(c, 1.0 / n);
}

static void move(body *b, int n, double dt) {
  for (int i = 0; i < n; i++) /* region: move */
    b[i].position = plus(b[i].position, times(b[i].velocity, dt));
}

static void rest(double *y, const double *x, int n) {
  for (int i = 0; i < n; i++) /* region: rest */
    y[i] = lgamma(x[i] + 1) + nextafter(x[i], 1e9) + lrint(x[i]) + ilogb(x[i] + 1) + scalbln(x[i], 2);
}

int main(void) {
  static double a[600], b[600], c[600];
  static float f[300];
  static unsigned char colours[900], greys[300];
  static body bodies[100];
  for (int i = 0; i < 600; i++) {
    a[i] = i * 0.5;
    b[i] = 300 - i;
  }
  for (int i = 0; i < 300; i++)
    f[i] = i % 17;
  for (int i = 0; i < 900; i++)
    colours[i] = (unsigned char)(i * 7);
  for (int i = 0; i < 100; i++)
    bodies[i] = (body){{i, i * 0.5, 1}, {1, 2, i}, i % 3};
  copy(c, a, a + 500);
  copy(c + 520, c + 500, c + 500);
  scale(b + 3, b + 500, 0.25);
  shift(c, c + 300, 1.5);
  double s = sum(b, b + 600) + product(a, a + 600, b) + above(f, f + 300, 11);
  grey(greys, colours, colours + 900);
  move(bodies, 100, 0.1);
  vec3 m = centre(bodies, 100);
  rest(a, c, 600);
  for (int i = 0; i < 600; i++)
    s += a[i] + c[i] * i;
  for (int i = 0; i < 300; i++)
    s += greys[i];
  printf("%.5f %.6f %.6f %.6f\n", s, m.x, m.y, m.z);
  return 0;
}
