// The forces of bodies on each other.
#include <math.h>
#ifndef N
#define N 32768
#endif
float source[4 * N], body[4 * N], force[4 * N];

void bodies(void) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      float dx = source[4 * j] - body[4 * i], dy = source[4 * j + 1] - body[4 * i + 1];
      float dz = source[4 * j + 2] - body[4 * i + 2];
      float inverse = 1 / sqrtf(dx * dx + dy * dy + dz * dz + 0.25f);
      float weight = body[4 * i + 3] * inverse * inverse * inverse;
      force[4 * i] += dx * weight;
      force[4 * i + 1] += dy * weight;
      force[4 * i + 2] += dz * weight;
    }
}

void begin(void) {
  for (int i = 0; i < 4 * N; i++) {
    source[i] = (i * 7 % 13) * 0.5f;
    body[i] = (i * 5 % 11) * 0.25f;
    force[i] = 0;
  }
}

double digest(void) {
  double sum = 0;
  for (int i = 0; i < 4 * N; i++)
    sum += force[i] * (i % 31 + 1);
  return sum;
}
