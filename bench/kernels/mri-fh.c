/* mri-fh: the vector F^H d of non-Cartesian magnetic resonance image reconstruction.
   fh[x] = sum_k rho[k] exp(2 pi i k_k . r_x), real and imaginary parts apart. */
#include "bench.h"

static void kernel_mri_fh(int voxels, int samples, real kx[samples], real ky[samples], real kz[samples],
                          real rhoR[samples], real rhoI[samples], real rx[voxels], real ry[voxels],
                          real rz[voxels], real fhR[voxels], real fhI[voxels]) {
  const real twoPi = (real)6.28318530717958647692;

  for (int x = 0; x < voxels; x++)      /* EXPECT: parallel */
    for (int k = 0; k < samples; k++) { /* EXPECT: reduction(+) */
      real angle = twoPi * (kx[k] * rx[x] + ky[k] * ry[x] + kz[k] * rz[x]);
      real cosine = COS(angle);
      real sine = SIN(angle);
      fhR[x] += rhoR[k] * cosine - rhoI[k] * sine;
      fhI[x] += rhoI[k] * cosine + rhoR[k] * sine;
    }
}

int main(void) {
  int voxels = bench_size("VOXELS", 64, 1024, 262144);
  int samples = bench_size("SAMPLES", 24, 128, 2048);
  real* kx = bench_alloc(sizeof(real[samples]));
  real* ky = bench_alloc(sizeof(real[samples]));
  real* kz = bench_alloc(sizeof(real[samples]));
  real* rhoR = bench_alloc(sizeof(real[samples]));
  real* rhoI = bench_alloc(sizeof(real[samples]));
  real* rx = bench_alloc(sizeof(real[voxels]));
  real* ry = bench_alloc(sizeof(real[voxels]));
  real* rz = bench_alloc(sizeof(real[voxels]));
  real* fhR = bench_alloc(sizeof(real[voxels]));
  real* fhI = bench_alloc(sizeof(real[voxels]));
  bench_fill(kx, samples, 1, -4, 4);
  bench_fill(ky, samples, 2, -4, 4);
  bench_fill(kz, samples, 3, -4, 4);
  bench_fill(rhoR, samples, 4, -1, 1);
  bench_fill(rhoI, samples, 5, -1, 1);
  bench_fill(rx, voxels, 6, 0, 1);
  bench_fill(ry, voxels, 7, 0, 1);
  bench_fill(rz, voxels, 8, 0, 1);
  bench_fill(fhR, voxels, 9, 0, 0);
  bench_fill(fhI, voxels, 10, 0, 0);

  double start = bench_now();
  kernel_mri_fh(voxels, samples, kx, ky, kz, rhoR, rhoI, rx, ry, rz, fhR, fhI);
  bench_time("mri-fh", start);

  bench_report("fhR", fhR, voxels);
  bench_report("fhI", fhI, voxels);
  free(kx), free(ky), free(kz), free(rhoR), free(rhoI), free(rx), free(ry), free(rz), free(fhR), free(fhI);
  return 0;
}
