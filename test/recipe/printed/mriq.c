/* The main loop of MRIQ; temporaries are variables of the function, as there. */
#include <math.h>
#ifndef N
#define N 300
#endif
#ifndef M
#define M 130
#endif
#ifndef REAL
#define REAL float
#endif
struct kValues {
  REAL Kx, Ky, Kz, PhiMag;
};
struct kValues kVals[M];
REAL x[N], y[N], z[N], Qr[N], Qi[N];

void mriq(void) {
  REAL expArg, cosArg, sinArg, phi;
  for (int i = 0; i < M; i++)
    for (int j = 0; j < N; j++) {
      expArg = 6.2831853f * (kVals[i].Kx * x[j] + kVals[i].Ky * y[j] + kVals[i].Kz * z[j]);
      cosArg = cosf(expArg);
      sinArg = sinf(expArg);
      phi = kVals[i].PhiMag;
      Qr[j] += phi * cosArg;
      Qi[j] += phi * sinArg;
    }
}

int main(void) {
  for (int i = 0; i < M; i++) {
    kVals[i].Kx = (i % 7) * 0.25f;
    kVals[i].Ky = (i % 5) * 0.5f;
    kVals[i].Kz = (i % 3) * 0.125f;
    kVals[i].PhiMag = i % 4;
  }
  for (int j = 0; j < N; j++) {
    x[j] = (j % 3) * 0.5f;
    y[j] = (j % 5) * 0.25f;
    z[j] = j % 2;
  }
  mriq();
  return 0;
}
