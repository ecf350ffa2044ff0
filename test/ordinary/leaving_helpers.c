/* Functions that return from inside their loops, called in loops; rows that are cleared and copied; sizes in structs while
   integers are written. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  double x, y;
} Point;

typedef struct {
  int corners;
  Point *corner;
} Polygon;

typedef struct {
  int width, height;
  int *labels;
} Map;

static int inside(const Polygon *p, double x, double y) {
  int in = 0;
  for (int i = 0, j = p->corners - 1; i < p->corners; j = i++) {
    if (p->corner[i].x == x && p->corner[i].y == y) return 2;
    if ((p->corner[i].y > y) != (p->corner[j].y > y) &&
        x < (p->corner[j].x - p->corner[i].x) * (y - p->corner[i].y) / (p->corner[j].y - p->corner[i].y) + p->corner[i].x)
      in = !in;
  }
  return in;
}

static void label(Map *m, const Polygon *p) {
  for (int y = 0; y < m->height; y++) /* region: label */
    for (int x = 0; x < m->width; x++)
      m->labels[y * m->width + x] = inside(p, x * 0.25, y * 0.25);
}

static int find(const double *sorted, int n, double value) {
  int low = 0, high = n - 1;
  while (low <= high) {
    int middle = (low + high) / 2;
    if (sorted[middle] == value) return middle;
    if (sorted[middle] < value)
      low = middle + 1;
    else
      high = middle - 1;
  }
  return -1 - low;
}

static void find_all(const double *sorted, int n, const double *values, int m, int *where) {
  for (int i = 0; i < m; i++) /* region: find_all */
    where[i] = find(sorted, n, values[i]);
}

static int first_above(const double *row, int m, double least) {
  if (m > 2) {
    for (int k = 0; k < m; k++)
      for (int l = 0; l < k; l++) {
        if (row[k] + row[l] > least) return 10 * k + l;
        if (row[k] == row[l]) { return -k; }
      }
  }
  for (int k = 0; k < m; k++) {
    if (row[k] > least) return -100 - k;
  }
  return -1000;
}

static void search(const double *a, int n, int m, int *where) {
  for (int i = 0; i < n; i++) /* region: search */
    where[i] = first_above(a + i * m, m, 1.0 + i % 7);
}

static void clear_row(double *row, int m) { memset(row, 0, m * sizeof *row); }

static void spread(double *a, int n, int m) {
  for (int i = 0; i < n; i++) { /* region: spread */
    clear_row(a + i * m, m);
    a[i * m + i % m] = i;
  }
}

static double grid[64][16], copy[64][16];
static unsigned char mask[64 * 40];

static void shift(void) {
  for (int i = 0; i < 64; i++) { /* region: shift */
    memcpy(copy[i], grid[63 - i], sizeof copy[i]);
    memset(mask + 40 * i, i, 25);
  }
}

int main(void) {
  enum { N = 300, M = 12 };
  Point corners[] = {{1, 1}, {9, 2}, {12, 9}, {6, 5}, {2, 10}};
  Polygon polygon = {5, corners};
  Map map = {70, 60, calloc(70 * 60, sizeof(int))};
  label(&map, &polygon);
  long sum = 0;
  for (int i = 0; i < 70 * 60; i++) sum += (long)map.labels[i] * (i % 101);
  printf("%ld\n", sum);

  double *a = malloc(N * M * sizeof *a), *sorted = malloc(N * sizeof *sorted);
  int *where = calloc(N, sizeof *where);
  for (int i = 0; i < N * M; i++) a[i] = (i * 37 % 101) / 50.0;
  for (int i = 0; i < N; i++) sorted[i] = i * 0.5;
  find_all(sorted, N, a, N, where);
  for (int i = 0; i < N; i += 17) printf("%d ", where[i]);
  search(a, N, M, where);
  for (int i = 0; i < N; i += 17) printf("%d ", where[i]);
  puts("");
  spread(a, N, M);
  double total = 0;
  for (int i = 0; i < N * M; i++) total += a[i] * (i % 19);
  for (int i = 0; i < 64 * 16; i++) grid[i / 16][i % 16] = i % 57;
  shift();
  for (int i = 0; i < 64 * 16; i++) total += copy[i / 16][i % 16] * (i % 13);
  for (int i = 0; i < 64 * 40; i++) total += mask[i] * (i % 7);
  printf("%.3f\n", total);
  free(map.labels), free(a), free(sorted), free(where);
  return 0;
}
