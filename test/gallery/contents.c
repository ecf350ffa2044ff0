// What kernels can contain, for docs/compile.md: a struct, a function, a loop as it stands.
struct particle { double x, v; float mass; };
static double bounded(double v, double most) { return v > most ? most : v < -most ? -most : v; }

void move(int n, double dt, struct particle p[n]) {
  for (int i = 0; i < n; i++) {
    p[i].v = bounded(p[i].v, 10);
    p[i].x += dt * p[i].v;
  }
}

void find(int n, int m, double A[n][m], double least, int where[n]) {
  for (int i = 0; i < n; i++) {
    where[i] = -1;
    for (int j = 0; j < m; j++)
      if (A[i][j] > least) {
        where[i] = j;
        break;
      }
  }
}
