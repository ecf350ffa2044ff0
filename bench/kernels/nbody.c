/* nbody: the gravity that all bodies exert on each of n bodies; bodies are groups of four numbers x, y, z,
   mass. f_i += sum_j m_j d / (|d|^2 + 0.01)^(3/2), d = source_j - body_i. */
#include "bench.h"

static void kernel_nbody(int n, real* source, real* body, real* force) {
  for (int i = 0; i < n; i++)     /* EXPECT: parallel */
    for (int j = 0; j < n; j++) { /* EXPECT: reduction(+) */
      real dx = source[4 * j] - body[4 * i];
      real dy = source[4 * j + 1] - body[4 * i + 1];
      real dz = source[4 * j + 2] - body[4 * i + 2];
      real inverse = 1 / SQRT(dx * dx + dy * dy + dz * dz + (real)0.01);
      real weight = source[4 * j + 3] * inverse * inverse * inverse;
      force[4 * i] += dx * weight;
      force[4 * i + 1] += dy * weight;
      force[4 * i + 2] += dz * weight;
    }
}

int main(void) {
  int n = bench_size("N", 50, 400, 65536);
  real* source = bench_alloc(sizeof(real[4 * n]));
  real* body = bench_alloc(sizeof(real[4 * n]));
  real* force = bench_alloc(sizeof(real[4 * n]));
  bench_fill(source, (size_t)4 * n, 1, 0, 1);
  bench_fill(body, (size_t)4 * n, 1, 0, 1);
  bench_fill(force, (size_t)4 * n, 2, 0, 0);

  double start = bench_now();
  kernel_nbody(n, source, body, force);
  bench_time("nbody", start);

  bench_report("force", force, (size_t)4 * n);
  free(source), free(body), free(force);
  return 0;
}
