// Sums into few elements that data choose: blocks combine into copies in shared memory where there is room for all of
// them, and then into the arrays. Other uses of an array, and elements that loops choose, are not for copies.
// RUN: %warploom compile %s -o %t.cu && FileCheck --input-file=%t.cu %s
// RUN: %warploom compile --explain-steps %s -o %t.cu 2>&1 | FileCheck --check-prefix=TREE %s
// RUN: %warploom verify %s | FileCheck --check-prefix=VERIFY %s
//
// CHECK: count_{{[0-9]+}}(Index n,{{.*}}warploom::Bins<int, warploom::Sum> counts
// CHECK-NEXT: const int* __restrict__ group
// CHECK: counts.clear();
// CHECK-NEXT: sums.clear();
// CHECK-NEXT: marks.clear();
// CHECK-NEXT: __syncthreads();
// CHECK-NEXT: for (Index i =
// CHECK: atomicAdd(&counts[group[i]], 1);
// CHECK: atomicAdd(&sums[group[i] * 4 + d], -{{.*}}values[i * 4 + d]
// CHECK: warploom::atomicUpdate(&marks[group[i]], i % 3, warploom::BitXor());
// CHECK: __syncthreads();
// CHECK-NEXT: counts.combine();
// CHECK: const warploom::BinCopies [[BINS:count_[0-9]+_bins]](instances, counts_device, sums_device, marks_device);
// CHECK: dim3(BLOCK), [[BINS]].bytes()}
// CHECK: [[BINS]].of(counts_device, warploom::Sum())
//
// CHECK: columns_{{[0-9]+}}(
// CHECK-NOT: Bins
//
// TREE: a copy of counts for each block, combined by +
// VERIFY: 0 mismatches
#include <stdio.h>
#include <stdlib.h>

void count(int n, const int* group, const float* values, int* counts, double* sums, long* marks) {
  for (int i = 0; i < n; i++) {
    counts[group[i]]++;
    for (int d = 0; d < 4; d++) sums[group[i] * 4 + d] -= values[i * 4 + d];
    marks[group[i]] ^= i % 3;
  }
}

void columns(int n, float m[n][n], float* sums) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) sums[j] += m[i][j];
}

// Few groups, of which blocks have copies; and more than fit.
static void run(int n, int groups) {
  int* group = malloc(n * sizeof *group);
  float* values = malloc(4 * n * sizeof *values);
  int* counts = calloc(groups, sizeof *counts);
  double* sums = calloc(4 * groups, sizeof *sums);
  long* marks = calloc(groups, sizeof *marks);
  for (int i = 0; i < n; i++) {
    group[i] = (int)((i * 7919L) % groups);
    for (int d = 0; d < 4; d++) values[i * 4 + d] = 0.25f * (i % 16) + d;
  }
  count(n, group, values, counts, sums, marks);
  double all = 0;
  for (int g = 0; g < groups; g++) all += counts[g] * (g + 1.0) + sums[4 * g + 3] + marks[g];
  printf("%.6e\n", all);
  free(group), free(values), free(counts), free(sums), free(marks);
}

int main(void) {
  run(20001, 37);
  run(9000, 3000);
  static float m[40][40], sums[40];
  for (int i = 0; i < 1600; i++) m[i / 40][i % 40] = i % 7;
  columns(40, m, sums);
  printf("%g\n", sums[3]);
  return 0;
}
