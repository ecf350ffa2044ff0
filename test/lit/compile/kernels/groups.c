// Loops that only data ends and that do nothing but combine: shared by groups of threads. Others stay in one thread.
// RUN: %warploom compile %s -o %t.cu && FileCheck --input-file=%t.cu %s
// RUN: %warploom compile %s -o %t.strict.cu --strict-fp && FileCheck --check-prefix=STRICT --input-file=%t.strict.cu %s
//
// Several accumulators, a condition, a stride, variables of the loop's own, a bound that is reached.
// CHECK: several_{{[0-9]+}}
// CHECK: double sum_part = warploom::Sum::identity<double>();
// CHECK-NEXT: unsigned bits_part = warploom::BitXor::identity<unsigned>();
// CHECK: for (long long k = (long long)first[i] + 3 * threadIdx.x; k <= last[i]; k += 3 * GROUP) {
// CHECK: bits = warploom::BitXor()(bits, bits_part);
// CHECK: if (threadIdx.x == 0) {
//
// What is summed is read elsewhere in the loop, or the loop may end early: all in order.
// CHECK: static __global__ {{.*}} prefix_
// CHECK: for (int k = first[i]; k < last[i]; ++k) {
// CHECK: for (int k = first[i]; k < last[i]; ++k) {
//
// The sum of one loop is the bound of the next.
// CHECK: static __global__ {{.*}} chained_
// CHECK: for (long long k = threadIdx.x; k < first[i]; k += GROUP) {
// CHECK: for (long long k = threadIdx.x; k < count; k += GROUP) {
//
// Sums of whole numbers are the same in any order.
// STRICT: for (int k = first[i]; k <= last[i]; k += 3) {
// STRICT: static __global__ {{.*}} counts_
// STRICT: k += GROUP
//
// RUN: %exits 0 %warploom verify %s --sanitize | FileCheck --check-prefix=SAME %s
// RUN: %exits 0 %warploom verify %s --sanitize -- -DWARPLOOM_GROUP=32 -DWARPLOOM_BLOCK=64 | FileCheck --check-prefix=SAME %s
// SAME: 0 mismatches
#include <stdio.h>
enum { N = 301, M = 2000 };
int first[N + 1], last[N], column[M], counted[N];
double value[M], x[N], y[N], z[N];
unsigned mask[N];
void several(void) {
  for (int i = 0; i < N; i++) {
    double sum = 1;
    unsigned bits = 0;
    for (int k = first[i]; k <= last[i]; k += 3) {
      double term = value[k] * 2;
      if (term > 3) sum -= term;
      bits ^= 1u << (k % 31);
    }
    y[i] = sum;
    mask[i] = bits;
  }
}
void prefix(void) {
  for (int i = 0; i < N; i++) {
    double sum = 0, most = 0, all = 0;
    for (int k = first[i]; k < last[i]; k++) {
      sum += value[k];
      most += sum;
    }
    for (int k = first[i]; k < last[i]; k++) {
      if (value[k] == 7) break;
      all += value[k];
    }
    z[i] = most + all;
  }
}
void chained(void) {
  for (int i = 0; i < N; i++) {
    int count = 0;
    double sum = 0;
    for (int k = 0; k < first[i]; k++) count += column[k] > 5;
    for (int k = 0; k < count; k++) sum += value[k];
    y[i] = sum;
  }
}
void counts(void) {
  for (int i = 0; i < N; i++) {
    int count = 0;
    for (int k = first[i]; k < last[i]; k++) count += column[k];
    counted[i] = count;
  }
}
int main(void) {
  for (int k = 0; k < M; k++) {
    value[k] = k % 9;
    column[k] = k % 13;
  }
  for (int i = 0; i < N; i++) {
    first[i] = 5 * i;
    last[i] = 5 * i + i % 17;
    x[i] = i;
  }
  several();
  prefix();
  chained();
  counts();
  double s = 0;
  for (int i = 0; i < N; i++) s += y[i] + z[i] + (double)mask[i] + counted[i] * x[i];
  printf("%g\n", s);
  return 0;
}
