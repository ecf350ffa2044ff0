// Where the loops do not tell how much of an array they use, the heap block that it points to does.
// RUN: rm -rf %t && mkdir %t
// RUN: %warploom compile %s -o %t/out.cu --target cpu --explain --build-file %t/Makefile -- -std=gnu11 > %t/says 2>&1
// RUN: FileCheck --check-prefix=SAYS --input-file=%t/says %s
// SAYS-DAG: how much of `x` is used is not known: the whole heap block that begins there is
// SAYS-DAG: cc -O2 -fno-builtin -c {{.*}}warploom_heap.c -o heap.o
// RUN: FileCheck --check-prefix=TEXT --input-file=%t/out.cu %s
// TEXT-LABEL: int warploom_heap_spmv_{{[0-9]+}}(
// TEXT: const long rowptr_size = n + 1;
// TEXT: const long val_size = warploom::elementsAt(val);
// TEXT-NEXT: if (val_size < 0) return region.stayOnHost("how much of val is used is not known");
// TEXT: const long y_size = n;
// TEXT: atomicAdd(&bins[p[i]], 1);
//
// Blocks come from malloc, calloc, realloc; what is inside a block, or on the stack, is not known.
// RUN: %warploom build %s -o %t/program --target cpu -- -std=gnu11 > /dev/null
// RUN: env WARPLOOM_TIMING=1 %t/program 2>&1 | FileCheck --check-prefix=RUNS %s
// RUNS-DAG: region spmv:{{[0-9]+}} {{.*}} path gpu
// RUNS-DAG: region count:{{[0-9]+}} {{.*}} path gpu
// RUNS-DAG: region gather:{{[0-9]+}} {{.*}} path gpu
// RUNS-DAG: region gather:{{[0-9]+}} {{.*}} path host:how much of a is used is not known
// RUNS-DAG: 0 119 50, 3 3 1, 4 2 1
// RUN: %warploom verify %s --sanitize -- -std=gnu11 | FileCheck --check-prefix=VERIFY %s
// VERIFY: 0 mismatches
// RUN: make -s -C %t TARGET=cpu && env WARPLOOM_TIMING=1 %t/out.cpu 2>&1 | FileCheck --check-prefix=RUNS %s
//
// A sanitizer of the user's has its own heap, and so may the program: then nothing is known.
// RUN: %warploom build %s -o %t/own --target cpu -- -std=gnu11 -DOWN_HEAP > /dev/null
// RUN: env WARPLOOM_TIMING=1 %t/own 2>&1 | FileCheck --check-prefix=OWN %s
// OWN-DAG: region spmv:{{[0-9]+}} {{.*}} path host:how much of val is used is not known
// OWN-DAG: 0 119 50, 3 3 1, 4 2 1
// SHOWS: RT-27 RT-29
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef OWN_HEAP
static char arena[1 << 20];
static size_t used;
void* malloc(size_t bytes) {
  void* block = arena + used;
  used += (bytes + 15) / 16 * 16;
  return block;
}
void* calloc(size_t count, size_t bytes) { return memset(malloc(count * bytes), 0, count * bytes); }
void* realloc(void* old, size_t bytes) {
  void* block = malloc(bytes);
  return old ? memcpy(block, old, bytes) : block;
}
void free(void* block) { (void)block; }
#endif

void spmv(int n, const int* rowptr, const int* col, const double* val, const double* x, double* y) {
  for (int i = 0; i < n; i++) {
    double sum = 0;
    for (int k = rowptr[i]; k < rowptr[i + 1]; k++)
      sum += val[k] * x[col[k]];
    y[i] = sum;
  }
}
void count(int n, const unsigned char* p, int* bins) {
  for (int i = 0; i < n; i++)
    bins[p[i]]++;
}
void gather(int n, const int* idx, const float* a, float* b) {
  for (int i = 0; i < n; i++)
    b[i] = a[idx[i]];
}

int main(void) {
  int* rowptr = malloc(4 * sizeof *rowptr);
  int* col = malloc(2 * sizeof *col);
  double *val = malloc(5 * sizeof *val), *x = calloc(4, sizeof *x), y[3];
  col = realloc(col, 5 * sizeof *col);
  for (int k = 0; k < 5; k++) {
    col[k] = 4 - k > 3 ? 3 : 4 - k;
    val[k] = k + 1;
  }
  for (int k = 0; k < 4; k++) {
    rowptr[k] = k == 3 ? 5 : 2 * k;
    x[k] = 10 + k;
  }
  rowptr[1] = 0;
  spmv(3, rowptr, col, val, x, y);
  unsigned char* bytes = malloc(7);
  memcpy(bytes, "abcabba", 7);
  int* bins = calloc(256, sizeof *bins);
  count(7, bytes, bins);
  float *a = malloc(6 * sizeof *a), b[4], onStack[6] = {1, 2, 3, 4, 5, 6};
  for (int k = 0; k < 6; k++)
    a[k] = k;
  gather(4, col, a + 1, b); // inside a block
  float inside = b[0];
  gather(4, col, onStack, b);
  float stack = b[3];
  gather(4, col, a, b);
  printf("%g %g %g, %d %d %d, %g %g %g\n", y[0], y[1], y[2], bins['a'], bins['b'], bins['c'], inside, stack,
         b[3]);
  free(rowptr);
  free(col);
  free(val);
  free(x);
  free(bytes);
  free(bins);
  free(a);
  return 0;
}
