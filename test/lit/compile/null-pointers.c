// What a launcher is given is read before any loop runs: only where no pointer on the way is null, which the loops, of no
// iterations, may leave so. A struct chosen by a fixed index is one of many; an index that only some iterations use is not read early.
// RUN: %warploom compile %s -o %t.cu
// RUN: grep -v "//" %t.host.c | FileCheck %s
typedef struct {
  int n;
  double *data;
} list;
typedef struct {
  list *lists;
} table;

void one(list *s, int n) {
  // CHECK: if (!(s && warploom_null_pointers_one_{{[0-9]+}}(n, (double*)s->data))) {
  for (int i = 0; i < n; i++) s->data[i] = 0;
}

void chosen(table *t, int k, int n) {
  // CHECK: if (!(t && t->lists && warploom_null_pointers_chosen_{{[0-9]+}}(n, t->lists[k].n, (double*)t->lists[k + 1].data))) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < t->lists[k].n; j++) t->lists[k + 1].data[i * t->lists[k].n + j] = i;
}

// CHECK-LABEL: void sometimes(
// CHECK-NOT: lists[k].n,
void sometimes(table *t, double *x, int k, int n) {
  for (int i = 0; i < n; i++)
    if (k > 0) x[i] = t->lists[k].n;
}
