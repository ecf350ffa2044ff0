// A loop that is parallel under a condition on its sizes is mapped, and the launcher asks for the condition; where the
// condition only means that nothing is done, it is not.
// RUN: %warploom compile %s -o %t.cu -- -w 2>&1 | FileCheck %s
// RUN: FileCheck --check-prefix=TEXT %s < %t.cu
// RUN: %warploom verify %s --target cpu --sanitize -- -w 2>&1 | FileCheck --check-prefix=RIGHT %s
// RIGHT: region shifted:{{[0-9]+}} array a {{.*}}ok

// TEXT: warploom_conditional_shifted_[[@LINE+3]]
// TEXT: k >= n)) return region.stayOnHost(
void shifted(int n, int k, double *a) {
  for (int i = 0; i < n; i++) a[i + k] = a[i] * 2;
}

void first(int n, int m, int a[n][m], int *restrict p) {
  // CHECK: [[@LINE+1]]:3: remark: the region first:[[@LINE+1]] stays as it was: no loop of it can run in parallel
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      if (a[i][j]) {
        p[0] = j;
        break;
      }
}

int main(void) {
  static double a[8000];
  static int marks[40][50];
  for (int i = 0; i < 8000; i++) a[i] = i % 7;
  int found = -1;
  shifted(4000, 4000, a);
  shifted(4000, 3, a);
  shifted(4000, 0, a);
  first(40, 50, marks, &found);
  return 0;
}
