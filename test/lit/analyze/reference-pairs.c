// The dump lists every pair of references that depend on one another, and no other: crink.md 3.3.1 and example 9.
// SHOWS: CR-9
// RUN: %warploom analyze --json %s | %python -c "import json, sys; [print(d['kind'], d['source'], '->', d['sink'], d['distance']) for r in json.load(sys.stdin)['regions'] for d in r['dependences']]" | FileCheck %s
double a[40][40], b[40][40], x[40][40], va[50], vb[50], d[50], vx[50], w[50];
void snippet(void) {
  // CHECK: flow a[i][j] -> a[i - 3][j - 5] [3, 5]
  // CHECK-NEXT: flow a[i][j] -> a[i - 4][j - 2] [4, 2]
  for (int i = 4; i < 40; i++)
    for (int j = 5; j < 40; j++) {
      a[i][j] = b[i - 2][j] + a[i - 3][j - 5];
      x[i][j] = a[i - 4][j - 2];
    }
}
void example_9(int n) {
  // CHECK-NEXT: anti d[i] -> d[i] [0]
  // CHECK-NEXT: flow va[i] -> va[i] [0]
  for (int i = n; i >= 0; i--) {
    va[i] = vb[i] + d[i];
    d[i] = va[i] + vx[i];
  }
}
void write_after_write(void) {
  // CHECK-NEXT: output w[i + 1] -> w[i] [1]
  // CHECK-NOT: {{.}}
  for (int i = 0; i < 30; i++) {
    w[i] = 1;
    w[i + 1] = 0;
  }
}
