// The kernels of cuda-chill.md 6.1, and the matrix product of guarded-actions.md E1 written as loops.
// SHOWS: CH-6 CH-7 CH-9 CH-10
#include <math.h>
struct sample {
  float x, y, z, phi;
};
float a[16][16], b[16][16], c[16][16], big[24][24], mask[5][5], v[64], w[64], r[64], im[64], cur[64];
float qr[64], qi[64], px[64], py[64], pz[64], atoms[64], energy[256];
float pos[64], mass[64], force[64];
struct sample K[16];
int ma[16][16], mb[16][16], mc[16][16];

void gemm(int n) {
  for (int i = 0; i < n; i++) /* EXPECT: parallel */
    for (int j = 0; j < n; j++) /* EXPECT: parallel */
      for (int k = 0; k < n; k++) /* EXPECT: reduction(+) */
        c[j][i] += a[k][i] * b[j][k];
}

void gemv(int n) {
  for (int i = 0; i < n; i++) /* EXPECT: parallel */
    for (int j = 0; j < n; j++) /* EXPECT: reduction(+) */
      v[i] += c[j][i] * w[j];
}

void tmv(int n) {
  for (int i = 0; i < n; i++) /* EXPECT: parallel */
    for (int j = 0; j < n; j++) /* EXPECT: reduction(+) */
      v[i] += c[i][j] * w[j];
}

void convolution(int n) {
  for (int i = 0; i < n; i++) /* EXPECT: parallel */
    for (int j = 0; j < n; j++) /* EXPECT: parallel */
      for (int k = 0; k < 5; k++) /* EXPECT: reduction(+) */
        for (int l = 0; l < 5; l++) /* EXPECT: reduction(+) */
          c[i][j] += big[i + k][j + l] * mask[k][l];
}

void mriq(int m, int n) {
  for (int i = 0; i < m; i++) /* EXPECT: reduction(+) */
    for (int j = 0; j < n; j++) { /* EXPECT: parallel */
      float e = 6.2831853f * (K[i].x * px[j] + K[i].y * py[j] + K[i].z * pz[j]);
      qr[j] += K[i].phi * cosf(e);
      qi[j] += K[i].phi * sinf(e);
    }
}

void mrifh(int nx, int nk) {
  float e, co, si;
  for (int x = 0; x < nx; x++) /* EXPECT: parallel */
    for (int k = 0; k < nk; k++) { /* EXPECT: reduction(+) */
      e = 6.2831853f * (px[k] * v[x] + py[k] * w[x]);
      co = cosf(e);
      si = sinf(e);
      r[x] += qr[k] * co - qi[k] * si;
      im[x] += qi[k] * co + qr[k] * si;
    }
}

void coulomb(int vy, int vx, int natoms, float z) {
  for (int j = 0; j < vy; j++) /* EXPECT: parallel */
    for (int i = 0; i < vx; i++) /* EXPECT: parallel */
      for (int n = 0; n < natoms; n++) { /* EXPECT: reduction(+) */
        float dx = 0.1f * i - atoms[4 * n];
        float dy = 0.1f * j - atoms[4 * n + 1];
        float dz = z - atoms[4 * n + 2];
        energy[j * vx + i] += atoms[4 * n + 3] / sqrtf(dx * dx + dy * dy + dz * dz);
      }
}

void nbody(int n) {
  for (int i = 0; i < n; i++) /* EXPECT: parallel */
    for (int j = 0; j < n; j++) { /* EXPECT: reduction(+) */
      float rx = pos[4 * j] - mass[4 * i];
      float ry = pos[4 * j + 1] - mass[4 * i + 1];
      float rz = pos[4 * j + 2] - mass[4 * i + 2];
      float s = 1 / sqrtf(rx * rx + ry * ry + rz * rz + 0.01f);
      float f = mass[4 * i + 3] * s * s * s;
      force[4 * i] += rx * f;
      force[4 * i + 1] += ry * f;
      force[4 * i + 2] += rz * f;
    }
}

void motion(int n) {
  for (int i = 0; i < n; i++) /* EXPECT: parallel */
    for (int j = 0; j < n; j++) /* EXPECT: parallel */
      for (int k = 0; k < 4; k++) /* EXPECT: reduction(+) */
        for (int l = 0; l < 4; l++) /* EXPECT: reduction(+) */
          c[i][j] += big[i + k][j + l] * cur[k * 4 + l];
}

void product_unit_delay(int n) {
  for (int i = 0; i < n; i++) /* EXPECT: parallel */
    for (int j = 0; j < n; j++) { /* EXPECT: parallel */
      mc[i][j] = 0;
      for (int k = 0; k < n; k++) /* EXPECT: reduction(+) */
        mc[i][j] = mc[i][j] + ma[i][k] * mb[k][j];
    }
}

#ifdef WL_TRACE
int main(void) {
  RUN(gemm(n));
  RUN(gemv(n));
  RUN(tmv(n));
  RUN(convolution(n));
  RUN(mriq(n, n + 2));
  RUN(mrifh(n, n + 2));
  RUN(coulomb(n, n - 1, 7, 0.5f));
  RUN(nbody(n));
  RUN(motion(n));
  RUN(product_unit_delay(n));
}
#endif
