/* A small network over pictures: layers that hold their weights, pictures that hold their planes, rows that
   hold their data. Some layers read what others write, some rows are one. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  int inputs, outputs;
  float *w, *bias, *in, *out;
} Layer;

typedef struct {
  int width, height;
  unsigned char *plane[3];
} Picture;

typedef struct {
  Layer *dense;
  Layer heads[2];
  int depth;
} Network;

struct row {
  int length;
  double *v;
  char seen;
};

struct body {
  double at[2], speed[2];
  double *trail;
};

static float *numbers(int n) {
  float *x = malloc(n * sizeof *x);
  if (!x) exit(1);
  return x;
}

static void forward(Layer *layer, int depth, int inputs, int outputs) {
  for (int l = 0; l < depth; l++) /* region: forward */
    for (int o = 0; o < outputs; o++) {
      float sum = layer[l].bias[o];
      for (int i = 0; i < inputs; i++)
        sum += layer[l].w[o * inputs + i] * layer[l].in[i];
      layer[l].out[o] = sum > 0 ? sum : 0;
    }
}

static void decay(Network *net, int inputs, int outputs, float rate) {
  for (int l = 0; l < 2; l++) { /* region: decay */
    Layer *one = &net->heads[l];
    for (int k = 0; k < inputs * outputs; k++)
      one->w[k] -= rate * one->w[k];
  }
}

static void momentum(Layer *layer, int depth, int outputs) {
  for (int l = 1; l < depth; l++) /* region: momentum */
    for (int o = 0; o < outputs; o++)
      layer[l].bias[o] = 0.5f * layer[l - 1].bias[o] + 0.25f * layer[l].bias[o];
}

static void negative(const Picture *from, Picture *to) {
  for (int c = 0; c < 3; c++) /* region: negative */
    for (int y = 0; y < from->height; y++)
      for (int x = 0; x < from->width; x++)
        to->plane[c][y * from->width + x] = 255 - from->plane[c][y * from->width + x];
}

static void scale(struct row *rows, int n, int m, double by) {
  for (int i = 0; i < n; i++) { /* region: scale */
    rows[i].seen = 1;
    for (int j = 0; j < m; j++)
      rows[i].v[j] *= by;
  }
}

static double total(const struct row *rows, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) { /* region: total */
    double own = 0;
    for (int j = 0; j < rows[i].length; j++)
      own += rows[i].v[j] * (j + 1);
    sum += own;
  }
  return sum;
}

static void shift(struct row *rows, int n, int m) {
  for (int i = 0; i + 1 < n; i++) /* region: shift */
    for (int j = 0; j < m; j++)
      rows[i].v[j] = rows[i + 1].v[j] + 1;
}

static void draw(struct body *bodies, int n, int steps) {
  for (int b = 0; b < n; b++) /* region: draw */
    for (int t = 0; t < steps; t++)
      bodies[b].trail[t] = bodies[b].at[0] + t * bodies[b].speed[0];
}

/* Pointers that the loop itself sets. */
static void share(struct row *rows, int n, int m) {
  for (int i = 1; i < n; i++) {
    rows[i].v = rows[0].v;
    for (int j = 0; j < m; j++)
      rows[i].v[j] += 1;
  }
}

int main(void) {
  enum { depth = 4, n = 37, m = 23, bodies = 50, steps = 40 };
  Network net = {malloc(depth * sizeof(Layer)), {{0}}, depth};
  for (int l = 0; l < depth; l++) {
    Layer *one = &net.dense[l];
    one->inputs = m, one->outputs = n;
    one->w = numbers(n * n), one->bias = numbers(n), one->in = numbers(n), one->out = numbers(n);
    for (int k = 0; k < n * n; k++) one->w[k] = (k * 31 + l * 7) % 17 - 8;
    for (int k = 0; k < n; k++) one->bias[k] = k % 5 - l, one->in[k] = k - 10, one->out[k] = 0;
  }
  net.heads[0] = net.dense[1], net.heads[1] = net.dense[3];
  forward(net.dense, depth, m, n);
  decay(&net, m, n, 0.25f);
  momentum(net.dense, depth, n);
  double check = 0;
  for (int l = 0; l < depth; l++)
    for (int o = 0; o < n; o++) check += net.dense[l].out[o] * (o + l) + net.dense[l].bias[o];
  printf("%.3f\n", check);
  for (int l = 1; l < depth; l++) net.dense[l].in = net.dense[l - 1].out;
  forward(net.dense, depth, n, n);
  printf("%.0f\n", net.dense[depth - 1].out[3] + net.dense[1].out[n - 1]);

  Picture a = {19, 11, {0}}, b = {19, 11, {0}};
  for (int c = 0; c < 3; c++) {
    a.plane[c] = malloc(19 * 11);
    b.plane[c] = calloc(19, 11);
    for (int k = 0; k < 19 * 11; k++) a.plane[c][k] = (unsigned char)(k * 3 + c);
  }
  negative(&a, &b);
  long sum = 0;
  for (int c = 0; c < 3; c++)
    for (int k = 0; k < 19 * 11; k++) sum += b.plane[c][k] * (k % 7 + c);
  printf("%ld\n", sum);
  a.plane[2] = a.plane[1];
  negative(&b, &a);
  negative(&a, &a);
  for (int k = 0; k < 19 * 11; k++) sum += a.plane[1][k] * (k % 5) + a.plane[0][k];
  printf("%ld\n", sum);

  struct row *rows = malloc(n * sizeof *rows);
  for (int i = 0; i < n; i++) {
    rows[i].length = m - i % 3;
    rows[i].seen = 0;
    rows[i].v = malloc(m * sizeof(double));
    for (int j = 0; j < m; j++) rows[i].v[j] = i * m - j * 2;
  }
  scale(rows, n, m, 1.5);
  shift(rows, n, m);
  printf("%.1f\n", total(rows, n));
  double *own = rows[5].v;
  rows[5].v = rows[4].v + 1;
  scale(rows, n, m - 1, 2);
  shift(rows, n, m - 1);
  printf("%.1f\n", total(rows, 5));
  rows[5].v = NULL;
  scale(rows, 5, m, 0.5);
  printf("%.1f %d\n", total(rows, 5), rows[6].seen);
  rows[5].v = own;
  share(rows, 6, m);
  printf("%.1f\n", total(rows, 6));

  struct body *all = malloc(bodies * sizeof *all);
  for (int k = 0; k < bodies; k++) {
    all[k].at[0] = k, all[k].speed[0] = k % 3;
    all[k].trail = malloc(steps * sizeof(double));
  }
  draw(all, bodies, steps);
  check = 0;
  for (int k = 0; k < bodies; k++)
    for (int t = 0; t < steps; t++) check += all[k].trail[t] * (k + t);
  printf("%.1f\n", check);
  return 0;
}
