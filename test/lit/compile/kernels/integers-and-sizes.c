// Integers that loops write may be the sizes that these loops read. Launchers ask whether they are.
// RUN: %warploom compile %s -o %t.cu 2>&1 | FileCheck --check-prefix=SAID --allow-empty %s
// RUN: FileCheck %s --input-file %t.cu
// RUN: cc -O1 %s -o %t.plain
// RUN: %t.plain > %t.expected
// RUN: %warploom build %s --target cpu --sanitize -o %t 2>/dev/null
// RUN: env WARPLOOM_DEVICE=gpu WARPLOOM_TIMING=1 %t > %t.out 2> %t.path
// RUN: cmp %t.out %t.expected
// RUN: FileCheck --check-prefix=PATH --input-file %t.path %s
// SAID-NOT: region {{(number|paint|ramp|mark|turn|sum)}}:{{.*}} stays
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  int nx, ny;
} Grid;
typedef struct {
  int w, h, *px;
} Image;
typedef struct {
  int from, to;
} Edge;
typedef struct {
  int count;
  Edge *edges;
} Mesh;
int n;
static int written;

// CHECK: extern "C" int warploom_integers_and_sizes_number_{{[0-9]+}}({{.*}}int* idx, const void* [[NX:address_of_[a-z_]*nx]], unsigned long [[NX]]_bytes, const void* [[NY:address_of_[a-z_]*ny]], unsigned long [[NY]]_bytes
// CHECK: if (warploom::overlap(idx, idx_size * sizeof(int), [[NX]], [[NX]]_bytes)) return region.stayOnHost("idx and g->nx overlap");
// CHECK: if (warploom::overlap(idx, idx_size * sizeof(int), [[NY]], [[NY]]_bytes)) return region.stayOnHost("idx and g->ny overlap");
// PATH: region number:{{.*}} path gpu
// PATH: region number:{{.*}} path host:{{.*}}idx and g->nx overlap
void number(const Grid *g, int *idx) {
  for (int i = 0; i < g->nx * g->ny; i++) idx[i] = 3 * i + 1;
}

// PATH: region paint:{{.*}} path gpu
void paint(Image *im) {
  for (int y = 0; y < im->h; y++)
    for (int x = 0; x < im->w; x++) im->px[y * im->w + x] = x ^ y;
}

// PATH: region ramp:{{.*}} path gpu
// PATH: region ramp:{{.*}} path host:{{.*}}p and n overlap
void ramp(int *p) {
  for (int i = 0; i < n; i++) p[i] = i - 5;
}

// PATH: region mark:{{.*}} path gpu
// PATH: region mark:{{.*}} path host:{{.*}}lab and *m overlap
void mark(unsigned *lab, const int *m) {
  for (int i = 0; i < *m; i++) lab[i] = 2 * i;
}

// PATH: region turn:{{.*}} path gpu
void turn(Mesh *m) {
  for (int i = 0; i < m->count; i++) m->edges[i].to = m->edges[i].from + i;
}

// PATH: region sum:{{.*}} path gpu
// PATH: region sum:{{.*}} path host:{{.*}}written and *m overlap
void sum(const int *a, const int *m) {
  for (int i = 0; i < *m; i++) written += a[i];
}

static unsigned long hash(const int *a, int count) {
  unsigned long h = 5;
  for (int i = 0; i < count; i++) h = h * 31 + (unsigned)a[i];
  return h;
}

int main(void) {
  enum { N = 4000 };
  int *all = calloc(N, sizeof(int));
  Grid grid = {50, 60};
  number(&grid, all);
  printf("%lu\n", hash(all, N));
  // The sizes lie in what is numbered: the loop ends sooner.
  memset(all, 0, N * sizeof *all);
  Grid *inside = (Grid *)(all + 10);
  *inside = (Grid){20, 3};
  number(inside, all);
  printf("%lu %d\n", hash(all, N), inside->nx);
  Image image = {40, 50, all};
  paint(&image);
  printf("%lu\n", hash(all, N));
  n = 3000;
  ramp(all);
  printf("%lu\n", hash(all, N));
  ramp(&n);
  printf("%d\n", n);
  int most = 2000;
  mark((unsigned *)all, &most);
  printf("%lu\n", hash(all, N));
  memset(all, 0, N * sizeof *all);
  all[2] = 900;
  mark((unsigned *)all, all + 2);
  printf("%lu\n", hash(all, N));
  Mesh mesh = {1000, (Edge *)all};
  turn(&mesh);
  printf("%lu\n", hash(all, N));
  for (int i = 0; i < N; i++) all[i] = i % 3;
  sum(all, &most);
  printf("%d\n", written);
  written = 3000;
  for (int i = 0; i < N; i++) all[i] = -1;
  sum(all, &written);
  printf("%d\n", written);
  return 0;
}
