/* A network whose layers are an array of structs with pointers, one layer at a time; lists that may be empty or not there. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
  int rows, cols;
  double *w, *b, *out;
} layer;

typedef struct {
  int n;
  layer *layers;
} net;

typedef struct {
  int n;
  double weight, *data;
} list;

static void forward(net *t, const double *in) {
  for (int l = 0; l < t->n; l++) {
    const double *x = l ? t->layers[l - 1].out : in;
    for (int i = 0; i < t->layers[l].rows; i++) { /* region: forward */
      double s = t->layers[l].b[i];
      for (int j = 0; j < t->layers[l].cols; j++)
        s += t->layers[l].w[i * t->layers[l].cols + j] * x[j];
      t->layers[l].out[i] = tanh(s);
    }
  }
}

static void decay(net *t, double by) {
  for (int l = 0; l < t->n; l++)
    for (int i = 0; i < t->layers[l].rows * t->layers[l].cols; i++) /* region: decay */
      t->layers[l].w[i] *= by;
}

static void mix(layer *layers, int from, int to, double part) {
  for (int i = 0; i < layers[to].rows; i++) /* region: mix */
    layers[to].out[i] += part * layers[from].out[i];
}

static double total(const layer *layers, int l) {
  double s = 0;
  for (int i = 0; i < layers[l].rows; i++) /* region: total */
    s += layers[l].out[i] * (i % 7);
  return s;
}

/* An index that is an expression where the function is called, and one that is read through a pointer. */
static void add_from(layer *ls, int a, int b, int n) {
  for (int i = 0; i < n; i++) /* region: add_from */
    ls[a - 1].out[i] += ls[b + a].out[i];
}

static void steps(layer *ls, int l, int count) {
  for (int t = 0; t < count; t++) {
    decay(&(net){1, ls + l + 1}, 0.5); /* inlined or not, its names are not ours */
    add_from(ls, l + 1, l, 40);
  }
}

static void picked(layer *ls, const int *which, int n) {
  for (int i = 0; i < n; i++)
    ls[*which].out[i] += i;
}

/* The list may be null where there is nothing to do, or where it is not used. */
static void clear(list *s, int n) {
  for (int i = 0; i < n; i++) /* region: clear */
    s->data[i] = 0;
}

static void tables(list *s, int n) {
  for (int i = 0; i < n; i++) /* region: tables */
    for (int j = 0; j < s->n; j++)
      s->data[i * s->n + j] += s->weight * i;
}

static void add(double *y, const double *x, const list *w, int n) {
  for (int i = 0; i < n; i++) { /* region: add */
    y[i] = x[i] * 2;
    if (w) y[i] += w->data[i];
  }
}

static void scaled(double *y, const list *w, const int *counts, int use, int k, int n) {
  for (int i = 0; i < n; i++) { /* region: scaled */
    y[i] *= 0.5;
    if (use) y[i] += w->data[i] + counts[k];
  }
}

static void chosen(double *y, const layer *layers, int l, int n) {
  for (int i = 0; i < n; i++) {
    y[i] += 1;
    if (l >= 0) y[i] += layers[l].out[i % 10];
  }
}

int main(void) {
  net t = {3, malloc(3 * sizeof(layer))};
  for (int l = 0; l < 3; l++) {
    layer *y = &t.layers[l];
    y->rows = 90 - 20 * l;
    y->cols = l ? 110 - 20 * l : 100;
    y->w = malloc(sizeof(double) * y->rows * y->cols);
    y->b = calloc(y->rows, sizeof(double));
    y->out = calloc(y->rows, sizeof(double));
    for (int i = 0; i < y->rows * y->cols; i++)
      y->w[i] = (i % 13 - 6) * 0.02;
  }
  double in[100], y[100];
  for (int i = 0; i < 100; i++)
    in[i] = i * 0.02, y[i] = i;
  for (int k = 0; k < 4; k++) {
    forward(&t, in);
    decay(&t, 0.9);
  }
  mix(t.layers, 0, 2, 0.25);
  mix(t.layers, 1, 1, 0.5);
  int last = 2;
  steps(t.layers, 0, 3);
  steps(t.layers, 1, 0);
  picked(t.layers, &last, 20);
  picked(t.layers, NULL, 0);
  printf("%.6f %.6f\n", total(t.layers, 2), total(t.layers, 0));

  int counts[3] = {4, 5, 6};
  list some = {10, 1.5, malloc(100 * sizeof(double))};
  clear(NULL, 0);
  clear(&some, 100);
  tables(NULL, 0);
  tables(&some, 10);
  add(y, in, NULL, 100);
  add(y + 50, in, &some, 50);
  scaled(y, NULL, NULL, 0, -100000000, 100);
  scaled(y, &some, counts, 1, 2, 100);
  chosen(y, NULL, -100000000, 100);
  chosen(y, t.layers, 1, 100);
  double s = 0;
  for (int i = 0; i < 100; i++)
    s += y[i] * (i % 9) + some.data[i];
  printf("%.6f\n", s);
  return 0;
}
