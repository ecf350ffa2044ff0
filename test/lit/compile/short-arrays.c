// Arrays that are shorter than the loops that use them under conditions on data. Where they are, or memory ends behind them, the program's own loops run; where
// there is memory but it is not known whose, kernels run, and only elements that have changed go back.
// RUN: %warploom compile %s -o %t.cu > /dev/null
// RUN: FileCheck --input-file=%t.cu %s
// CHECK-LABEL: extern "C" int warploom_short_arrays_sum_
// CHECK-NOT: reaches(c
// CHECK: if (!warploom::reaches(p, p_size)) return region.stayOnHost("p may be shorter than its loop");
// CHECK: region.copyIn(p_device, p);
// CHECK-LABEL: extern "C" int warploom_short_arrays_mark_
// CHECK: if (!warploom::reaches(p, p_size)) return region.stayOnHost("p may be shorter than its loop");
// CHECK: region.copyInKept(p_device, p);
// CHECK: region.copyOutChanged(p, p_device);
// CHECK-LABEL: extern "C" int warploom_short_arrays_table_
// CHECK: if (!(10 >= {{.*}})) return region.stayOnHost("ten may be shorter than its loop");
// What is used whatever the data are is there.
// CHECK-LABEL: extern "C" int warploom_short_arrays_halves_
// CHECK-NOT: shorter
// CHECK: region.finish()
//
// RUN: %warploom build %s -o %t.prog --target cpu --sanitize -- -w 2> /dev/null
// RUN: cc -O1 -w %s -o %t.plain && %t.plain > %t.expected
// RUN: env WARPLOOM_DEVICE=gpu WARPLOOM_TIMING=1 %t.prog > %t.out 2> %t.paths && diff %t.out %t.expected && FileCheck --check-prefix=PATHS --input-file=%t.paths %s
// PATHS: region sum:{{.*}} path host:p may be shorter than its loop
// PATHS: region mark:{{.*}} path host:p may be shorter than its loop
// PATHS: region marked:{{.*}} path host:
// PATHS: region mark:{{.*}} launches 1 path gpu
// PATHS: region sum:{{.*}} launches 1 path gpu
// PATHS-DAG: region table:{{.*}} launches {{[1-9]}} path gpu
// PATHS-DAG: region table:{{.*}} path host:ten may be shorter than its loop
// PATHS: region halves:{{.*}} launches {{[1-9]}} path gpu
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>
enum { n = 5000 };
static int c[n], ten[10];
int sum(int m, const int* p) {
  int s = 0;
  for (int i = 0; i < m; i++)
    if (c[i]) s += p[i];
  return s;
}
void mark(int m, int* p) {
  for (int i = 0; i < m; i++)
    if (c[i]) p[i] = i + 1;
}
void marked(int m, int* restrict p, int* restrict q) {
  for (int i = 0; i < m; i++) {
    if (c[i] && i % 2) p[i] = i;
    q[i] = i * 3;
  }
}
int table(int m) {
  int s = 0;
  for (int i = 0; i < m; i++)
    if (c[i]) s += ten[i];
  return s;
}
void halves(int m, int* p) {
  for (int i = 0; i < m; i++) {
    if (c[i]) p[i] = 7;
    p[i] += 2;
  }
}
static int before(const int* p) {
  int s = 0;
  for (volatile int i = 0; i < 10; i++) s = s * 3 + p[i];
  return s;
}
int main(void) {
  const long page = sysconf(_SC_PAGESIZE);
  char* memory = mmap(0, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  munmap(memory + page, page);
  int *p = (int*)(memory + page) - 10, around[2000];
  for (volatile int i = 0; i < 10; i++) c[i] = i % 3 == 0, p[i] = i, ten[i] = i * i;
  for (volatile int i = 0; i < 2000; i++) around[i] = i;
  /* Ten elements in front of memory that is not there. */
  printf("%d\n", sum(n, p));
  mark(n, p);
  printf("%d\n", before(p));
  /* Two arrays of which one begins where the other ends. */
  marked(500, around, around + 10);
  printf("%d %d\n", before(around), before(around + 400));
  /* Ten elements in front of others. */
  mark(1500, around + 300);
  printf("%d %d\n", before(around + 300), before(around + 310));
  printf("%d\n", sum(1500, around));
  printf("%d %d\n", table(10), table(n));
  halves(900, around);
  printf("%d\n", before(around));
  return 0;
}
