// What MRI reconstruction calls Q: sums over samples for each voxel.
#include <math.h>
#ifndef N
#define N 131072
#endif
#ifndef M
#define M 1024
#endif
float px[N], py[N], pz[N], Qr[N], Qi[N], kx[M], ky[M], kz[M], size[M];

void mri(void) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < M; j++) {
      float angle = kx[j] * px[i] + ky[j] * py[i] + kz[j] * pz[i];
      Qr[i] += size[j] * cosf(angle);
      Qi[i] += size[j] * sinf(angle);
    }
}

void begin(void) {
  for (int i = 0; i < N; i++) {
    px[i] = (i % 3) * 0.5f;
    py[i] = (i % 5) * 0.25f;
    pz[i] = i % 2;
    Qr[i] = Qi[i] = 0;
  }
  for (int j = 0; j < M; j++) {
    kx[j] = (j % 7) * 0.25f;
    ky[j] = (j % 5) * 0.5f;
    kz[j] = (j % 3) * 0.125f;
    size[j] = j % 4;
  }
}

double digest(void) {
  double sum = 0;
  for (int i = 0; i < N; i++)
    sum += (Qr[i] + 2 * Qi[i]) * (i % 31 + 1);
  return sum;
}
