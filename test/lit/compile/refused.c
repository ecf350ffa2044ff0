// A region that cannot be mapped stays as it was, with the reason; a file with none that can is written back unchanged.
// RUN: rm -rf %t && mkdir %t
// RUN: %exits 0 %warploom compile %s -o %t/out.cu --explain 2> %t/err | FileCheck --check-prefix=SAYS %s
// SAYS: 0 of {{[0-9]+}} regions of
// RUN: diff %s %t/out.host.c
// RUN: FileCheck --input-file=%t/err %s
// CHECK: refused.c:[[# @LINE + 8]]:5: remark: the region log_all:[[# @LINE + 7]] stays as it was: `printf` {{.+}}
// CHECK-NEXT: [[# @LINE + 7]] |     printf("%d ", x[i]);
// CHECK-NEXT: |     ^~~~
// RUN: %exits 0 %warploom build %s -o %t/program --target cpu && %t/program | FileCheck --check-prefix=RUNS %s
// RUNS: 1 2 3
#include <stdio.h>
void log_all(int n, const int* x) {
  for (int i = 0; i < n; i++)
    printf("%d ", x[i]);
}
// Characters may be part of the size itself, and a bit-field has no address by which a launcher could tell.
// CHECK: refused.c:[[# @LINE + 3]]:3: remark: the region clear:[[# @LINE + 3]] stays as it was: it cannot be checked that no write changes `s->n`
struct sizes { int n : 20; };
void clear(const struct sizes* s, char* text) {
  for (int i = 0; i < s->n; i++) text[i] = 0;
}
// What keeps an inner loop here is what keeps the one around it: it is said once.
// CHECK: refused.c:[[# @LINE + 5]]:7: remark: the region log_rows:[[# @LINE + 3]] stays as it was: `printf` {{.+}}
// CHECK-NOT: the region log_rows
void log_rows(int n, const int* x) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      printf("%d ", x[i * n + j]);
}
int main(void) {
  int x[] = {1, 2, 3};
  log_all(3, x);
  return 0;
}
