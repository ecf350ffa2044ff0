/* mri-q: the matrix Q of non-Cartesian magnetic resonance image reconstruction; samples are an array of
   structs. Q[j] = sum_i |phi_i|^2 exp(2 pi i k_i . x_j), real and imaginary parts apart. */
#include "bench.h"

struct sample {
  real x, y, z, magnitude;
};

static void kernel_mri_q(int samples, int voxels, struct sample K[samples], real x[voxels], real y[voxels],
                         real z[voxels], real Qr[voxels], real Qi[voxels]) {
  const real twoPi = (real)6.28318530717958647692;
  real angle, cosine, sine;

  for (int i = 0; i < samples; i++)    /* EXPECT: reduction(+) */
    for (int j = 0; j < voxels; j++) { /* EXPECT: parallel */
      angle = twoPi * (K[i].x * x[j] + K[i].y * y[j] + K[i].z * z[j]);
      cosine = COS(angle);
      sine = SIN(angle);
      Qr[j] += K[i].magnitude * cosine;
      Qi[j] += K[i].magnitude * sine;
    }
}

int main(void) {
  int samples = bench_size("SAMPLES", 24, 128, 2048);
  int voxels = bench_size("VOXELS", 64, 1024, 262144);
  struct sample* K = bench_alloc(sizeof(struct sample[samples]));
  real* x = bench_alloc(sizeof(real[voxels]));
  real* y = bench_alloc(sizeof(real[voxels]));
  real* z = bench_alloc(sizeof(real[voxels]));
  real* Qr = bench_alloc(sizeof(real[voxels]));
  real* Qi = bench_alloc(sizeof(real[voxels]));
  for (int i = 0; i < samples; i++) {
    K[i].x = bench_number(1, (uint64_t)i, -4, 4);
    K[i].y = bench_number(2, (uint64_t)i, -4, 4);
    K[i].z = bench_number(3, (uint64_t)i, -4, 4);
    K[i].magnitude = bench_number(4, (uint64_t)i, 0, 1);
  }
  bench_fill(x, voxels, 5, 0, 1);
  bench_fill(y, voxels, 6, 0, 1);
  bench_fill(z, voxels, 7, 0, 1);
  bench_fill(Qr, voxels, 8, 0, 0);
  bench_fill(Qi, voxels, 9, 0, 0);

  double start = bench_now();
  kernel_mri_q(samples, voxels, K, x, y, z, Qr, Qi);
  bench_time("mri-q", start);

  bench_report("Qr", Qr, voxels);
  bench_report("Qi", Qi, voxels);
  free(K), free(x), free(y), free(z), free(Qr), free(Qi);
  return 0;
}
