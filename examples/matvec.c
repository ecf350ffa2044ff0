// A matrix times a vector, and the transposed matrix times another: the same data read along rows and along columns.
//
//   cc -O2 matvec.c -o matvec && ./matvec
#include <stdio.h>
#include <stdlib.h>

void matvec(int rows, int columns, const double* a, const double* x, double* y) {
  for (int i = 0; i < rows; i++) {
    double sum = 0;
    for (int j = 0; j < columns; j++)
      sum += a[i * columns + j] * x[j];
    y[i] = sum;
  }
}

void matvec_transposed(int rows, int columns, const double* a, const double* x, double* y) {
  for (int j = 0; j < columns; j++)
    y[j] = 0;
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < columns; j++)
      y[j] += a[i * columns + j] * x[i];
}

int main(int argc, char** argv) {
  int rows = argc > 1 ? atoi(argv[1]) : 3000, columns = argc > 2 ? atoi(argv[2]) : 2000;
  if (rows < 1 || columns < 1 || rows > 30000 || columns > 30000) {
    fprintf(stderr, "usage: matvec [rows [columns]], each at most 30000\n");
    return 1;
  }
  double* a = malloc(sizeof(double) * rows * columns);
  double* ones = malloc(sizeof(double) * (rows > columns ? rows : columns));
  double* along = malloc(sizeof(double) * rows);
  double* across = malloc(sizeof(double) * columns);
  if (!a || !ones || !along || !across) return 1;
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < columns; j++)
      a[i * columns + j] = i + 2 * j;
  for (int i = 0; i < rows || i < columns; i++)
    ones[i] = 1;

  matvec(rows, columns, a, ones, along);
  matvec_transposed(rows, columns, a, ones, across);

  // The sums of rows and columns of this matrix have a closed form, and every number here is a whole one.
  int wrong = 0;
  for (int i = 0; i < rows; i++)
    if (along[i] != (double)columns * i + (double)columns * (columns - 1)) wrong++;
  for (int j = 0; j < columns; j++)
    if (across[j] != 2.0 * rows * j + 0.5 * rows * (rows - 1)) wrong++;
  printf("%d x %d: first row %.0f, last column %.0f\n", rows, columns, along[0], across[columns - 1]);
  printf("%s\n", wrong == 0 ? "all sums are right" : "WRONG");
  free(a);
  free(ones);
  free(along);
  free(across);
  return wrong == 0 ? 0 : 1;
}
