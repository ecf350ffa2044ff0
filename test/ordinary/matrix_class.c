/* A matrix as a class: accessors that return pointers or values, and check their arguments. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
  int rows, columns, stride;
  float *data;
} Matrix;

static Matrix *matrix_new(int rows, int columns) {
  Matrix *m = malloc(sizeof *m);
  m->rows = rows;
  m->columns = columns;
  m->stride = columns + 3;
  m->data = calloc((size_t)rows * m->stride, sizeof(float));
  return m;
}

static float *at(const Matrix *m, int i, int j) { return m->data + i * m->stride + j; }

static float get(const Matrix *m, int i, int j) {
  assert(i >= 0 && i < m->rows);
  assert(j >= 0 && j < m->columns);
  return m->data[i * m->stride + j];
}

static void set(Matrix *m, int i, int j, float value) {
  assert(i >= 0 && i < m->rows && j >= 0 && j < m->columns);
  m->data[i * m->stride + j] = value;
}

static void matrix_fill(Matrix *m, int seed) {
  for (int i = 0; i < m->rows; i++) /* region: matrix_fill */
    for (int j = 0; j < m->columns; j++)
      set(m, i, j, (float)((i * 5 + j * 3 + seed) % 13) * 0.25f);
}

static void matrix_multiply(Matrix *c, const Matrix *a, const Matrix *b) {
  for (int i = 0; i < c->rows; i++) /* region: matrix_multiply */
    for (int j = 0; j < c->columns; j++) {
      float sum = 0.0f;
      for (int k = 0; k < a->columns; k++)
        sum += *at(a, i, k) * *at(b, k, j);
      *at(c, i, j) = sum;
    }
}

static void matrix_transpose(Matrix *t, const Matrix *a) {
  for (int i = 0; i < a->rows; i++) /* region: matrix_transpose */
    for (int j = 0; j < a->columns; j++)
      set(t, j, i, get(a, i, j));
}

static double matrix_sum(const Matrix *m) {
  double sum = 0.0;
  for (int i = 0; i < m->rows; i++) /* region: matrix_sum */
    for (int j = 0; j < m->columns; j++)
      sum += get(m, i, j);
  return sum;
}

int main(void) {
  Matrix *a = matrix_new(33, 21), *b = matrix_new(21, 27), *c = matrix_new(33, 27), *t = matrix_new(27, 33);
  matrix_fill(a, 1);
  matrix_fill(b, 2);
  matrix_multiply(c, a, b);
  matrix_transpose(t, c);
  printf("%.4f %.4f %.4f\n", matrix_sum(c), matrix_sum(t), get(t, 20, 30));
  return 0;
}
