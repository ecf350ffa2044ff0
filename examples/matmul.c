// The product of two matrices, as everybody writes it first.
//
//   cc -O2 matmul.c -o matmul && ./matmul
#include <stdio.h>
#include <stdlib.h>

void matmul(int n, const double* a, const double* b, double* c) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double sum = 0;
      for (int k = 0; k < n; k++)
        sum += a[i * n + k] * b[k * n + j];
      c[i * n + j] = sum;
    }
}

int main(int argc, char** argv) {
  int n = argc > 1 ? atoi(argv[1]) : 500;
  double* a = malloc(sizeof(double) * n * n);
  double* b = malloc(sizeof(double) * n * n);
  double* c = malloc(sizeof(double) * n * n);
  if (n < 1 || n > 10000 || !a || !b || !c) {
    fprintf(stderr, "usage: matmul [size, at most 10000]\n");
    return 1;
  }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      a[i * n + j] = i + j;
      b[i * n + j] = i - j;
    }

  matmul(n, a, b, c);

  // The sum of (i + k) (k - j) over k has a closed form, and every number here is a whole one.
  double sum1 = 0.5 * n * (n - 1), sum2 = sum1 * (2 * n - 1) / 3;
  int wrong = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      if (c[i * n + j] != sum2 + (i - j) * sum1 - (double)n * i * j) wrong++;
  printf("%d x %d matrices: c[0][0] = %.0f, c[n-1][n-1] = %.0f\n", n, n, c[0], c[n * n - 1]);
  printf("%s\n", wrong == 0 ? "all elements are right" : "WRONG");
  free(a);
  free(b);
  free(c);
  return wrong == 0 ? 0 : 1;
}
