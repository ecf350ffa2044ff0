/* Recipes for numbers: Horner's rule at many points, the trapezium rule, a table of binomials, bisection on many intervals. */
#include <math.h>
#include <stdio.h>

#define POINTS 500
#define DEGREE 8

static double x[POINTS], y[POINTS], root[POINTS], row[POINTS];
static const double c[DEGREE + 1] = {1, -2, .5, .25, -.125, .3, -.01, .002, -.0001};

static double horner(const double *p, int n, double at) {
  double value = p[n];
  while (n-- > 0)
    value = value * at + p[n];
  return value;
}

static void evaluate(int n) {
  int i = 0;
  while (i < n) { /* region: evaluate */
    x[i] = -1 + 2.0 * i / (n - 1);
    y[i] = horner(c, DEGREE, x[i]);
    i++;
  }
}

static double trapezium(int n) {
  double sum = 0;
  int i = 1;
  do { /* region: trapezium */
    sum += (x[i] - x[i - 1]) * (y[i] + y[i - 1]) / 2;
  } while (++i < n);
  return sum;
}

static void bisect(int n) {
  int i, k;
  for (i = 0; i < n; i++) { /* region: bisect */
    double low = -3, high = 3, wanted = i * .01;
    for (k = 0; k < 40; k++) {
      double middle = (low + high) / 2;
      if (middle * middle * middle < wanted) {
        low = middle;
        continue;
      }
      high = middle;
    }
    root[i] = (low + high) / 2;
  }
}

static void scaled(int n, double by) {
  int i, j = n;
  for (i = 0, j = n - 1; i < n; i++, j--) /* region: scaled */
    row[i] = y[j] * by + x[i];
}

int main(void) {
  int i;
  double sum = 0, sum2 = 0;
  evaluate(POINTS);
  bisect(POINTS);
  scaled(POINTS, .5);
  for (i = 0; i < POINTS; i++) {
    sum += root[i];
    sum2 += row[i] * (i % 3);
  }
  printf("%.6f %.6f %.6f\n", trapezium(POINTS), sum, sum2);
  return 0;
}
