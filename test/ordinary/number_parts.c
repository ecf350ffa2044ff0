// Numbers taken apart and put together again: whole parts and fractions, exponents and mantissas, sines with
// their cosines; for ordinary numbers and for all that are not.
#define _GNU_SOURCE
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
  double fraction, whole;
} Parts;

static void split(int n, const double *x, Parts *parts) {
  for (int i = 0; i < n; i++) /* region: split */
    parts[i].fraction = modf(x[i], &parts[i].whole);
}

static double hours(int n, const float *days, int *minutes) {
  double sum = 0;
  for (int i = 0; i < n; i++) { /* region: hours */
    float day, rest = modff(days[i], &day);
    minutes[i] = (int)(rest * 1440) + 1440 * (int)day;
    sum += rest * 24;
  }
  return sum;
}

static void exponents(int n, const double *x, double *mantissa, int *exponent, int *most) {
  int greatest = -10000;
  for (int i = 0; i < n; i++) { /* region: exponents */
    int e;
    mantissa[i] = frexp(x[i], &e);
    exponent[i] = e;
    if (e > greatest) greatest = e;
  }
  *most = greatest;
}

// Products of many factors, which would leave the range of numbers.
static void products(int rows, int columns, const double *x, double *mantissa, long *exponent) {
  for (int i = 0; i < rows; i++) { /* region: products */
    double product = 1;
    long sum = 0;
    for (int j = 0; j < columns; j++) {
      int e;
      product = frexp(product * x[i * columns + j], &e);
      sum += e;
    }
    mantissa[i] = product;
    exponent[i] = sum;
  }
}

static void turn(int n, double *x, double *y, const double *angle) {
  for (int i = 0; i < n; i++) { /* region: turn */
    double s, c;
    sincos(angle[i], &s, &c);
    double turned = x[i] * c - y[i] * s;
    y[i] = x[i] * s + y[i] * c;
    x[i] = turned;
  }
}

int main(void) {
  enum { n = 1000, columns = 40 };
  static double x[n], mantissa[n], fx[n], fy[n], angle[n], many[n * columns], product[n];
  static Parts parts[n];
  static float days[n];
  static int exponent[n], minutes[n];
  static long sum[n];
  unsigned seed = 1;
  for (int i = 0; i < n; i++) {
    seed = seed * 1664525u + 1013904223u;
    x[i] = ldexp((int)seed / 2147483648.0, i % 2100 - 1070);
    days[i] = (seed >> 12) / 4096.0f;
    angle[i] = 0.01 * i;
    fx[i] = 1, fy[i] = i;
  }
  const double others[] = {0, -0.0, INFINITY, -INFINITY, NAN, 4.9e-324, -4.9e-324, 2.2250738585072014e-308, 1.7976931348623157e308, 0.5, -1, 1, 4503599627370497.5, -0.25};
  for (int i = 0; i < (int)(sizeof others / sizeof *others); i++) x[i] = others[i];
  for (int i = 0; i < n * columns; i++) {
    seed = seed * 1664525u + 1013904223u;
    many[i] = 1e30 * ((seed >> 8) + 1);
  }
  int most;
  split(n, x, parts);
  exponents(n, x, mantissa, exponent, &most);
  double total = hours(n, days, minutes);
  products(n, columns, many, product, sum);
  turn(n, fx, fy, angle);
  for (int i = 0; i < 20; i++) printf("%a: %a %a, %a %d\n", x[i], parts[i].whole, parts[i].fraction, mantissa[i], exponent[i]);
  double check = 0;
  long minutesSum = 0, exponents = 0;
  for (int i = 20; i < n; i++) {
    int e;
    double whole, fraction = modf(x[i], &whole), m = frexp(x[i], &e);
    if (whole != parts[i].whole || fraction != parts[i].fraction || m != mantissa[i] || e != exponent[i]) printf("%d differs\n", i);
  }
  for (int i = 0; i < n; i++) minutesSum += minutes[i], exponents += sum[i], check += product[i] + fx[i] - fy[i];
  printf("greatest exponent %d, hours %.6f, minutes %ld, exponents %ld, sum %.9e\n", most, total, minutesSum, exponents, check);
  return 0;
}
