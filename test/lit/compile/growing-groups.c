// Distances that grow with the index: groups begin where iterations depend on those before, and soon are large. The loop over groups is the host's, with one
// kernel. Along several loops at a time they are shells. Where the published way of finding peaks is none, those of the dependences themselves are taken, and
// it says so; or why there are none.
// SHOWS: CR-32 CR-33 CR-34
// RUN: %warploom compile %s -o %t.cu --shrink ecs --explain 2>&1 | FileCheck --check-prefix=HOW %s
// HOW: the region neighbours:{{[0-9]+}} stays as it was: {{.*}}loop `i` does not run in groups: all distances are 1
// HOW: region small:{{[0-9]+}} runs in the order of the program; loop `i` runs in groups along `i` that begin at 0, 2, 8, 26, 80, 242: 6 groups
// HOW: region fast:{{[0-9]+}} {{.*}}groups along `i` that begin at 0, 1000, 3000, 7000, 15000, 31000, 63000, 127000, 255000: 9 groups
// HOW: region crossing:{{[0-9]+}} {{.*}}groups along `i` that begin at 0, 50, since what depends on iterations of `i` comes the sooner the later they are: 2 groups
// HOW: region standing:{{[0-9]+}} {{.*}}groups along `i` that begin at 0, 3, 9, 27, 81, 243, since groups along `i` make no progress at 0: 6 groups
// HOW: region rows:{{[0-9]+}} {{.*}}shells along `i` that begin at 0, 4, 10, 19, 32, 52, along `j` that begin at 0, 1, 3, 7, 15, 31, 63: 6 groups
// HOW: region square:{{[0-9]+}} {{.*}}shells along `i` that begin at 0, 4, 10, 19, along `j` that begin at 0, 1, 3, 7, 15: 4 groups
// HOW: region any:{{[0-9]+}} {{.*}}groups along `i` that begin at 0, 2, 8, 26, 80, 242, 728, {{.*}}: 19 groups
//
// Along the best loop alone: by the dependences, of which some are between fewer iterations than the equations of their subscripts have.
// RUN: %warploom compile %s -o %t.slabs.cu --shrink slabs --explain 2>&1 | FileCheck --check-prefix=SLABS %s
// SLABS: region rows:{{[0-9]+}} {{.*}}groups along `i` that begin at 0, 5, 11, 20, 35, 56: 6 groups
//
// RUN: FileCheck --input-file=%t.cu %s
// CHECK: for (long i_groups = 0; i_groups <= 5; ++i_groups) {
// CHECK-NEXT: region.launch(warploom::line((i_groups == 0 ? 0 : i_groups == 1 ? 2 : i_groups == 2 ? 8 :
//
// Nobody says how: where groups are large enough.
// RUN: %warploom compile %s -o %t.auto.cu --explain 2>&1 | FileCheck --check-prefix=AUTO %s
// AUTO-NOT: region small:{{[0-9]+}} {{.*}}groups along
// AUTO: region fast:{{[0-9]+}} {{.*}}groups along `i` that begin at 0, 1000,
//
// The steps that were taken, replayed, make the same kernels.
// RUN: %warploom compile %s -o %t.one.cu --shrink ecs --emit-recipe %t.lua && grep 'strip("i", {2, 8, 26, 80, 242}, "i_groups")' %t.lua
// RUN: %warploom compile %s -o %t.two.cu --recipe %t.lua
// RUN: grep -v "^// Generated" %t.one.cu > %t.one && grep -v "^// Generated" %t.two.cu > %t.two && diff %t.one %t.two
//
// RUN: %exits 0 %warploom verify %s --sanitize --shrink ecs -o %t.prog | FileCheck --check-prefix=SAME %s
// SAME-NOT: sanitize:
// SAME: 7 regions compared, {{[0-9]+}} arrays, 0 mismatches
// RUN: env WARPLOOM_DEVICE=gpu WARPLOOM_LAUNCH=launches WARPLOOM_TIMING=1 %exits 0 %t.prog 2>&1 | FileCheck --check-prefix=RUNS %s
// RUNS-DAG: region small:{{[0-9]+}} {{.*}} launches 6 path gpu
// RUNS-DAG: region rows:{{[0-9]+}} {{.*}} launches 6 path gpu
// RUNS-DAG: region square:{{[0-9]+}} {{.*}} launches 4 path gpu
int w[2000], v[1001000], P[300][300], Q[300][300];
void small(void) {
  for (int i = 0; i < 400; i++) w[3 * i + 2] = w[i] % 1000 + i;
}
void fast(void) {
  for (int i = 0; i < 500000; i++) v[2 * i + 1000] = v[i] % 1000 + i;
}
void crossing(void) {
  for (int i = 0; i < 100; i++) w[i] = w[99 - i] % 1000 + 5;
}
void standing(void) {
  for (int i = 0; i < 400; i++) w[3 * i] = w[i] % 1000 + i;
}
void rows(void) {
  for (int i = 0; i < 80; i++)
    for (int j = 0; j < 90; j++) {
      P[3 * i + 8][2 * j + 6] = Q[2 * i][j + 3] + 23;
      Q[3 * i + 7][3 * j + 7] = P[i][j + 5];
    }
}
void square(void) {
  for (int i = 1; i <= 21; i++)
    for (int j = 1; j <= 21; j++) {
      P[3 * i + 5][2 * j + 4] = Q[2 * i - 2][j + 2] + 23;
      Q[3 * i + 4][3 * j + 4] = P[i - 1][j + 4];
    }
}
/* How many iterations there are is known when it runs. */
void any(int n) {
  for (int i = 0; i < n; i++) w[3 * i + 2] = w[i] % 1000 + i;
}
void neighbours(void) {
  for (int i = 0; i < 400; i++) w[i + 1] = w[i] % 1000 + i;
}
int main(void) {
  small();
  fast();
  crossing();
  standing();
  rows();
  square();
  any(333);
  neighbours();
  return w[77] == v[1001] && v[5] == 3;
}
