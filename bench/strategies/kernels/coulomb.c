// The potential of charges at the points of a plane.
#include <math.h>
#ifndef N
#define N 1024
#endif
#ifndef M
#define M 1000
#endif
float atom[4 * M], V[N][N];

void coulomb(void) {
  for (int j = 0; j < N; j++)
    for (int i = 0; i < N; i++)
      for (int n = 0; n < 4 * M; n += 4) {
        float dx = 0.5f * i - atom[n], dy = 0.5f * j - atom[n + 1], dz = atom[n + 2];
        V[j][i] += atom[n + 3] / sqrtf(dx * dx + dy * dy + dz * dz);
      }
}

void begin(void) {
  for (int i = 0; i < M; i++) {
    atom[4 * i] = i % 11;
    atom[4 * i + 1] = i % 9;
    atom[4 * i + 2] = 1 + i % 3;
    atom[4 * i + 3] = i % 5 - 1;
  }
  for (int j = 0; j < N; j++)
    for (int i = 0; i < N; i++)
      V[j][i] = 0;
}

double digest(void) {
  double sum = 0;
  for (int j = 0; j < N; j++)
    for (int i = 0; i < N; i++)
      sum += V[j][i] * ((3 * i + 5 * j) % 31 + 1);
  return sum;
}
