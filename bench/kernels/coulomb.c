/* coulomb: the Coulombic potential of point charges (x, y, z, charge: four numbers each) on a plane grid.
   V(j, i) += sum_a charge_a / |(h i, h j, z) - position_a|, element (j, i) at [j*nx+i]. */
#include "bench.h"

static void kernel_coulomb(int nx, int ny, int words, real h, real z, real* atom, real* V) {
  for (int j = 0; j < ny; j++)             /* EXPECT: parallel */
    for (int i = 0; i < nx; i++)           /* EXPECT: parallel */
      for (int a = 0; a < words; a += 4) { /* EXPECT: reduction(+) */
        real dx = h * i - atom[a];
        real dy = h * j - atom[a + 1];
        real dz = z - atom[a + 2];
        V[j * nx + i] += atom[a + 3] / SQRT(dx * dx + dy * dy + dz * dz);
      }
}

int main(void) {
  int nx = bench_size("NX", 24, 60, 1024);
  int ny = bench_size("NY", 20, 50, 1024);
  int atoms = bench_size("ATOMS", 10, 100, 4000);
  real h = (real)0.1;
  real* atom = bench_alloc(sizeof(real[4 * atoms]));
  real* V = bench_alloc(sizeof(real[nx * ny]));
  /* All atoms lie above the plane z = 0, so that no grid point meets one. */
  for (int a = 0; a < atoms; a++) {
    atom[4 * a] = bench_number(1, (uint64_t)a, 0, 0.1 * nx);
    atom[4 * a + 1] = bench_number(2, (uint64_t)a, 0, 0.1 * ny);
    atom[4 * a + 2] = bench_number(3, (uint64_t)a, 0.5, 3);
    atom[4 * a + 3] = bench_number(4, (uint64_t)a, -1, 1);
  }
  bench_fill(V, (size_t)nx * ny, 5, 0, 0);

  double start = bench_now();
  kernel_coulomb(nx, ny, 4 * atoms, h, 0, atom, V);
  bench_time("coulomb", start);

  bench_report("V", V, (size_t)nx * ny);
  free(atom), free(V);
  return 0;
}
