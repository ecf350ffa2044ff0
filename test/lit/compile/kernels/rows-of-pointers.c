// Rows behind pointers: kernels see a matrix, which is the rows themselves where they lie in one block, and a copy of what is used of
// them where not. Where the rows overlap what the loops write, the original loops run.
// RUN: %warploom compile %s -o %t.cu 2>&1 | FileCheck --check-prefix=SAID --allow-empty %s
// RUN: FileCheck %s --input-file %t.cu
// RUN: %warploom build %s --target cpu --sanitize -o %t 2>/dev/null
// RUN: env WARPLOOM_DEVICE=gpu WARPLOOM_TIMING=1 %t 2>&1 | FileCheck --check-prefix=PATH %s
//
// SAID-NOT: region {{lower|twice|invert|some}}:{{[0-9]+}} stays
//
// Nothing is read of a triangle but what there is.
// CHECK: extern "C" int warploom_rows_of_pointers_lower_[[LOWER:[0-9]+]](long n, const void* l_table)
// CHECK: warploom::Rows<double> l_rows(l_table, {n}, [&](long l_row) {
// CHECK-NEXT: return warploom::RowPart{0, l_row + 1};
// CHECK: if (l_rows.problem()) return region.stayOnHost(l_rows.problem());
// CHECK-NEXT: double* const l = l_rows.first();
// CHECK-NEXT: const long l_extent = l_rows.extent(1);
// CHECK: if (l_rows.overlap()) return region.stayOnHost("rows of l overlap");
// CHECK: l_rows.gather();
// CHECK-NEXT: region.copyIn(l_device, l);
// CHECK: region.copyOut(l, l_device);
// CHECK-NEXT: l_rows.scatter(region);
// CHECK-NEXT: return region.finish();
//
// What is only read may overlap itself. Two tables lead to one matrix of three dimensions.
// CHECK: v[(k * v_extent1 + i) * v_extent + j] = u[(k * u_extent1 + i) * u_extent + j] * 2;
// CHECK: warploom::Rows<float> u_rows(u_table, {l, n}, [&](long, long) {
// CHECK-NEXT: return warploom::RowPart{0, m};
// CHECK-NOT: u_rows.overlap()
// CHECK: if (u_rows.overlap(v_rows)) return region.stayOnHost("u and v overlap");
// CHECK: if (v_rows.overlap()) return
// CHECK-NOT: u_rows.scatter
//
// Bytes may be those of the pointers.
// CHECK: if (image_rows.tablesOverlap(image_rows)) return region.stayOnHost("image and pointers to rows of image overlap");
//
// Only data tell which rows there are.
// CHECK: warploom::Rows<double> a_rows(a_table, {n}, [&](long) {
// CHECK-NEXT: return warploom::RowPart{0, m};
// CHECK-NEXT: }, true);
#include <stdio.h>
#include <stdlib.h>

void lower(int n, double **l) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++)
      l[i][j] = i - j;
}

void twice(int l, int n, int m, float ***u, float ***v) {
  for (int k = 0; k < l; k++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < m; j++)
        v[k][i][j] = u[k][i][j] * 2;
}

void invert(unsigned char **image, int h, int w) {
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++)
      image[y][x] = 255 - image[y][x];
}

void some(int n, int m, double **a, const int *is_there) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      if (is_there[i]) a[i][j] += j;
}

// PATH: region some:{{[0-9]+}} {{.*}} path host:a row is a null pointer
// PATH: region invert:{{[0-9]+}} {{.*}} path gpu
// PATH: region invert:{{[0-9]+}} {{.*}} path host:image and pointers to rows of image overlap
// PATH: region lower:{{[0-9]+}} {{.*}} path gpu
// PATH: region lower:{{[0-9]+}} {{.*}} path host:rows of l overlap
// PATH: region twice:{{[0-9]+}} {{.*}} path gpu
// PATH: right
int main(void) {
  enum { N = 70 };
  int there[N], wrong = 0;
  double **a = calloc(N, sizeof *a), **l = malloc(N * sizeof *l);
  for (int i = 0; i < N; i++) {
    there[i] = i % 2;
    if (i % 2) a[i] = calloc(N, sizeof **a);
    l[i] = malloc((i + 1) * sizeof **l);
  }
  some(N, N, a, there);
  for (int i = 1; i < N; i += 2) wrong += a[i][N - 1] != N - 1;

  unsigned char **image = malloc(N * sizeof *image);
  for (int i = 0; i < N; i++) image[i] = calloc(N, 1);
  invert(image, N, N);
  wrong += image[N - 1][N - 1] != 255;
  // The last row is the table. What was inverted before is used in C's order.
  unsigned char *kept = image[N - 1];
  image[N - 1] = (unsigned char *)image;
  unsigned char **copy = malloc(N * sizeof *copy);
  for (int i = 0; i < N; i++) copy[i] = image[i];
  invert(image, N, 8);
  wrong += (unsigned char *)((size_t)image[0] ^ (size_t)-1) != copy[0] || copy[0][0] != 0 || kept[0] != 255;

  lower(N, l);
  for (int i = 0; i < N; i++) wrong += l[i][i] != 0 || l[i][0] != i;
  l[3] = l[N - 1];
  lower(N, l);
  wrong += l[3][0] != N - 1;

  float ***u = malloc(3 * sizeof *u), ***v = malloc(3 * sizeof *v);
  for (int k = 0; k < 3; k++) {
    u[k] = malloc(N * sizeof *u[k]), v[k] = malloc(N * sizeof *v[k]);
    for (int i = 0; i < N; i++) u[k][i] = calloc(N, sizeof(float)), v[k][i] = calloc(N, sizeof(float)), u[k][i][i] = k + i;
  }
  twice(3, N, N, u, v);
  for (int i = 0; i < N; i++) wrong += v[2][i][i] != 2 * (2 + i);
  puts(wrong ? "wrong" : "right");
  return 0;
}
