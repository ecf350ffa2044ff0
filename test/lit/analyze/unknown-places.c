// Places of which it is not known where they are may be the same one, also where the region has no array beside them.
// RUN: %warploom analyze --json %s | %verdicts | FileCheck %s
struct __attribute__((packed)) word { int value; };

// CHECK: unaligned 7 i unknown `((struct word *)(p + i))->value` at line 7 may overwrite what line 7 wrote
void unaligned(int n, char *p) {
  for (int i = 0; i < n; i++) ((struct word *)(p + i))->value = i;
}

// CHECK: rows 12 i unknown `(*q)[0]` at line {{.*}} may overwrite what line {{.*}} wrote
void rows(int n, double *p) {
  for (int i = 0; i < n; i++) {
    double (*q)[4] = (double (*)[4])(p + i);
    (*q)[0] = 1;
    (*q)[3] = i;
  }
}

// CHECK: bytes 21 i unknown `*(double *)((char *)a + i * step)` at line 21 may overwrite what line 21 wrote
void bytes(int n, int step, double *a) {
  for (int i = 0; i < n; i++) *(double *)((char *)a + i * step) = i;
}
