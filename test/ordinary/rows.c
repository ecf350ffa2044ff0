/* Matrices as tables of pointers to rows: rows one by one or in one block, from 1 on as in old books, of growing length, of structs,
   three dimensions, rows that are missing, shared or swapped. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
  float mass, v[2];
} Cell;

typedef struct {
  int nx, ny;
  double **u, **next;
} Grid;

static double **rows(int n, int m) {
  double **a = malloc(n * sizeof *a);
  for (int i = 0; i < n; i++)
    a[i] = calloc(m, sizeof **a);
  return a;
}

static float **one_block(int n, int m) {
  float **a = malloc(n * sizeof *a);
  a[0] = calloc((size_t)n * m, sizeof **a);
  for (int i = 1; i < n; i++)
    a[i] = a[0] + (size_t)i * m;
  return a;
}

static double ***lattice(int l, int n, int m) {
  double ***u = malloc(l * sizeof *u);
  for (int k = 0; k < l; k++)
    u[k] = rows(n, m);
  return u;
}

/* Rows and columns from 1 on: the pointers point before what they lead to. */
static double **from_one(int n, int m) {
  double **a = malloc((n + 1) * sizeof *a);
  for (int i = 1; i <= n; i++)
    a[i] = (double *)malloc(m * sizeof **a) - 1;
  return a;
}

static void fill(double **a, int n, int m, int seed) {
  for (int i = 0; i < n; i++) /* region: fill */
    for (int j = 0; j < m; j++)
      a[i][j] = (i * 7 + j * 3 + seed) % 11 - 5;
}

static void smooth(Grid *g) {
  for (int i = 1; i < g->nx - 1; i++) /* region: smooth */
    for (int j = 1; j < g->ny - 1; j++)
      g->next[i][j] = 0.25 * (g->u[i - 1][j] + g->u[i + 1][j] + g->u[i][j - 1] + g->u[i][j + 1]);
  double **swap = g->u;
  g->u = g->next;
  g->next = swap;
}

static void product(double **a, double **b, double **c, int n, int m, int p) {
  for (int i = 0; i < n; i++) /* region: product */
    for (int j = 0; j < p; j++) {
      double sum = 0;
      for (int k = 0; k < m; k++)
        sum += a[i][k] * b[k][j];
      c[i][j] = sum;
    }
}

static void edges(double **a, int n, int m) {
  for (int j = 0; j < m; j++) { /* region: edges */
    a[0][j] = a[1][j];
    a[n - 1][j] = a[n - 2][j];
  }
}

static void relax(double ***u, double ***v, int l, int n, int m) {
  for (int k = 1; k < l - 1; k++) /* region: relax */
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        v[k][i][j] = (u[k - 1][i][j] + u[k + 1][i][j] + u[k][i - 1][j] + u[k][i + 1][j] + u[k][i][j - 1] + u[k][i][j + 1]) / 6;
}

static void scale_from_one(double **a, int n, int m) {
  for (int i = 1; i <= n; i++) /* region: scale_from_one */
    for (int j = 1; j <= m; j++)
      a[i][j] = a[i][j] * 0.5 + i - j;
}

static void distances(float **point, int n, int dim, const float *centre, float *d) {
  for (int i = 0; i < n; i++) { /* region: distances */
    const float *p = point[i];
    float sum = 0;
    for (int k = 0; k < dim; k++)
      sum += (p[k] - centre[k]) * (p[k] - centre[k]);
    d[i] = sum;
  }
}

static void lower(double **l, int n) {
  for (int i = 0; i < n; i++) /* region: lower */
    for (int j = 0; j <= i; j++)
      l[i][j] = 1.0 / (1 + i + j);
}

static double weigh(Cell **cell, int n, int m) {
  for (int i = 0; i < n; i++) /* region: weigh */
    for (int j = 0; j < m; j++) {
      cell[i][j].v[0] = cell[i][j].mass * (i + 1);
      cell[i][j].v[1] = cell[i][j].mass * (j + 1);
    }
  double sum = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      sum += cell[i][j].v[0] - cell[i][j].v[1];
  return sum;
}

static void some(double **a, const int *is_there, int n, int m, double by) {
  for (int i = 0; i < n; i++) /* region: some */
    if (is_there[i])
      for (int j = 0; j < m; j++)
        a[i][j] += by;
}

static void threshold(unsigned char **image, int h, int w, int at) {
  for (int y = 0; y < h; y++) /* region: threshold */
    for (int x = 0; x < w; x++)
      image[y][x] = image[y][x] > at ? 255 : 0;
}

static void add_rows(double **a, double **b, int n, int m) {
  for (int i = 0; i < n; i++) /* region: add_rows */
    for (int j = 0; j < m; j++)
      a[i][j] += b[i][j];
}

static double sum_of(double **a, int n, int m) {
  double sum = 0;
  for (int i = 0; i < n; i++) /* region: sum_of */
    for (int j = 0; j < m; j++)
      sum += a[i][j] * (i + 2 * j + 1);
  return sum;
}

int main(void) {
  const int n = 61, m = 47;
  Grid g = {n, m, rows(n, m), rows(n, m)};
  fill(g.u, n, m, 1);
  fill(g.next, n, m, 2);
  for (int t = 0; t < 3; t++) {
    smooth(&g);
    edges(g.u, n, m);
  }
  printf("%.6f %.6f\n", sum_of(g.u, n, m), sum_of(g.next, n, m));

  double **a = rows(n, m), **b = rows(m, n), **c = rows(n, n);
  fill(a, n, m, 3);
  fill(b, m, n, 4);
  product(a, b, c, n, m, n);
  printf("%.6f\n", sum_of(c, n, n));
  product(a, b, c, 0, m, n);
  product(a, b, c, 1, 1, 1);
  printf("%.6f\n", sum_of(c, n, n));

  double ***u = lattice(9, 14, 23), ***v = lattice(9, 14, 23);
  for (int k = 0; k < 9; k++)
    fill(u[k], 14, 23, k);
  relax(u, v, 9, 14, 23);
  relax(v, u, 9, 14, 23);
  double all = 0;
  for (int k = 0; k < 9; k++)
    all += sum_of(u[k], 14, 23) + 2 * sum_of(v[k], 14, 23);
  printf("%.6f\n", all);

  double **old = from_one(17, 29);
  for (int i = 1; i <= 17; i++)
    for (int j = 1; j <= 29; j++)
      old[i][j] = i * j;
  scale_from_one(old, 17, 29);
  double check = 0;
  for (int i = 1; i <= 17; i++)
    for (int j = 1; j <= 29; j++)
      check += old[i][j] * (i - 2 * j);
  printf("%.6f\n", check);

  float **point = one_block(200, 5), centre[5] = {1, 2, 3, 4, 5}, *d = malloc(200 * sizeof *d);
  for (int i = 0; i < 200; i++)
    for (int k = 0; k < 5; k++)
      point[i][k] = (float)((i * 31 + k * 17) % 23);
  distances(point, 200, 5, centre, d);
  float far = 0;
  for (int i = 0; i < 200; i++)
    far = fmaxf(far, d[i]);
  printf("%.3f\n", far);

  double **l = malloc(n * sizeof *l);
  for (int i = 0; i < n; i++)
    l[i] = malloc((i + 1) * sizeof **l);
  lower(l, n);
  double ends = 0;
  for (int i = 0; i < n; i++)
    ends += l[i][i] * (i + 1);
  printf("%.6f\n", ends);

  Cell **cell = malloc(13 * sizeof *cell);
  for (int i = 0; i < 13; i++) {
    cell[i] = calloc(8, sizeof **cell);
    for (int j = 0; j < 8; j++)
      cell[i][j].mass = i * 3 + j;
  }
  printf("%.6f\n", weigh(cell, 13, 8));

  /* Rows that are not there, and are not used. */
  int *is_there = malloc(n * sizeof *is_there);
  double **gaps = calloc(n, sizeof *gaps);
  for (int i = 0; i < n; i++)
    if ((is_there[i] = i % 3 == 0)) gaps[i] = calloc(m, sizeof **gaps);
  some(gaps, is_there, n, m, 1.5);
  double found = 0;
  for (int i = 0; i < n; i += 3)
    for (int j = 0; j < m; j++)
      found += gaps[i][j] * (i + j);
  printf("%.6f\n", found);

  unsigned char **image = malloc(40 * sizeof *image);
  for (int y = 0; y < 40; y++) {
    image[y] = malloc(50 + y % 2);
    for (int x = 0; x < 50; x++)
      image[y][x] = (unsigned char)((x * x + y * 3) % 256);
  }
  threshold(image, 40, 50, 100);
  int white = 0;
  for (int y = 0; y < 40; y++)
    for (int x = 0; x < 50; x++)
      white += image[y][x] == 255 ? x + y : 0;
  printf("%d\n", white);

  /* Rows in another order, a matrix added to itself, and one row in two places: each counts twice. */
  double *row = a[3];
  a[3] = a[n - 1];
  a[n - 1] = row;
  add_rows(a, a, n, m);
  printf("%.6f\n", sum_of(a, n, m));
  add_rows(a, g.u, n, m);
  a[5] = a[6];
  add_rows(a, g.u, n, m);
  add_rows(a, a + 1, n - 1, m);
  printf("%.6f\n", sum_of(a, n, m));
  return 0;
}
