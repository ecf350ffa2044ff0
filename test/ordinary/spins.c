/* A lattice of spins in `int ***`, periodic by neighbour tables and by `%`, measured by planes; colours on a checkerboard. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
  int lx, ly, lz;
  signed char ***spin;
  int *up, *down;
  double beta, field;
} Lattice;

static signed char ***cube(int a, int b, int c) {
  signed char ***s = malloc(a * sizeof(*s));
  for (int i = 0; i < a; ++i) {
    s[i] = malloc(b * sizeof(**s));
    for (int j = 0; j < b; ++j) s[i][j] = malloc(c);
  }
  return s;
}

static unsigned hashed(unsigned x) {
  x ^= x >> 16;
  x *= 0x7feb352du;
  x ^= x >> 15;
  x *= 0x846ca68bu;
  return x ^ (x >> 16);
}

static void start(Lattice *l, unsigned seed) {
  for (int x = 0; x < l->lx; ++x) /* region: start */
    for (int y = 0; y < l->ly; ++y)
      for (int z = 0; z < l->lz; ++z) l->spin[x][y][z] = hashed(seed + (x * l->ly + y) * l->lz + z) & 1 ? 1 : -1;
}

static int around(const Lattice *l, int x, int y, int z) {
  return l->spin[(x + 1) % l->lx][y][z] + l->spin[(x + l->lx - 1) % l->lx][y][z] + l->spin[x][(y + 1) % l->ly][z] +
         l->spin[x][(y + l->ly - 1) % l->ly][z] + l->spin[x][y][(z + 1) % l->lz] + l->spin[x][y][(z + l->lz - 1) % l->lz];
}

static long energy(const Lattice *l) {
  long e = 0;
  for (int x = 0; x < l->lx; ++x) /* region: energy */
    for (int y = 0; y < l->ly; ++y)
      for (int z = 0; z < l->lz; ++z) e -= l->spin[x][y][z] * around(l, x, y, z);
  return e / 2;
}

static void planes(const Lattice *l, double *m) {
  for (int x = 0; x < l->lx; ++x) { /* region: planes */
    int sum = 0;
    for (int y = 0; y < l->ly; ++y)
      for (int z = 0; z < l->lz; ++z) sum += l->spin[x][y][z];
    m[x] = (double)sum / (l->ly * l->lz);
  }
}

static void majority(const Lattice *from, Lattice *to) {
  for (int x = 0; x < from->lx; ++x) /* region: majority */
    for (int y = 0; y < from->ly; ++y)
      for (int z = 0; z < from->lz; ++z) {
        int s = around(from, x, y, z);
        to->spin[x][y][z] = s > 0 ? 1 : s < 0 ? -1 : from->spin[x][y][z];
      }
}

static void correlate(const Lattice *l, int reach, double *c) {
  for (int r = 0; r < reach; ++r) { /* region: correlate */
    long sum = 0;
    for (int x = 0; x < l->lx; ++x)
      for (int y = 0; y < l->ly; ++y)
        for (int z = 0; z < l->lz; ++z) sum += l->spin[x][y][z] * l->spin[x][y][(z + r) % l->lz];
    c[r] = (double)sum / ((double)l->lx * l->ly * l->lz);
  }
}

int main(void) {
  Lattice a = {10, 12, 14, cube(10, 12, 14), 0, 0, 0.3, 0}, b = a;
  b.spin = cube(10, 12, 14);
  start(&a, 42u);
  double m[10], c[6], sum = 0;
  for (int sweep = 0; sweep < 4; sweep++) {
    printf("%ld ", energy(&a));
    majority(&a, &b);
    Lattice t = a;
    a = b;
    b = t;
  }
  planes(&a, m);
  correlate(&a, 6, c);
  for (int x = 0; x < 10; x++) sum += m[x] * (x + 1);
  for (int r = 0; r < 6; r++) sum += c[r] * (r + 2);
  printf("%.6f\n", sum);
  return 0;
}
