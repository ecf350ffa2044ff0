/* The nine kernels that CUDA-CHiLL was evaluated with, for the recipes of nine.lua. No extent is a multiple of a tile. */
#include <math.h>
#ifndef N
#define N 61
#endif
#ifndef M
#define M 37
#endif
#ifndef W
#define W 5
#endif
#ifndef REAL
#define REAL float
#endif
REAL a[N][N], b[N][N], c[N][N], x[N], y[N], t[N];
REAL in[N + W][N + W], mask[W][W], out[N][N], block[W * W], match[N][N];
struct sample {
  REAL x, y, z, magnitude;
};
struct sample K[M];
REAL px[N], py[N], pz[N], Qr[N], Qi[N], fhR[N], fhI[N];
REAL kx[M], ky[M], kz[M], rhoR[M], rhoI[M];
REAL atom[4 * M], V[N * M], source[4 * N], body[4 * N], force[4 * N];

void gemm(void) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      for (int k = 0; k < N; k++)
        c[j][i] += a[k][i] * b[j][k];
}

void gemv(void) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      y[i] += a[j][i] * x[j];
}

void tmv(void) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      t[i] += a[i][j] * x[j];
}

void conv(void) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      for (int k = 0; k < W; k++)
        for (int l = 0; l < W; l++)
          out[i][j] += in[i + k][j + l] * mask[k][l];
}

void mriq(void) {
  REAL angle, cosine, sine;
  for (int i = 0; i < M; i++)
    for (int j = 0; j < N; j++) {
      angle = K[i].x * px[j] + K[i].y * py[j] + K[i].z * pz[j];
      cosine = cosf(angle);
      sine = sinf(angle);
      Qr[j] += K[i].magnitude * cosine;
      Qi[j] += K[i].magnitude * sine;
    }
}

void mrifh(void) {
  for (int v = 0; v < N; v++)
    for (int k = 0; k < M; k++) {
      REAL angle = kx[k] * px[v] + ky[k] * py[v] + kz[k] * pz[v];
      REAL cosine = cosf(angle), sine = sinf(angle);
      fhR[v] += rhoR[k] * cosine - rhoI[k] * sine;
      fhI[v] += rhoI[k] * cosine + rhoR[k] * sine;
    }
}

void cp(void) {
  for (int j = 0; j < M; j++)
    for (int i = 0; i < N; i++)
      for (int n = 0; n < 4 * M; n += 4) {
        REAL dx = (REAL)0.5 * i - atom[n], dy = (REAL)0.5 * j - atom[n + 1], dz = atom[n + 2];
        V[j * N + i] += atom[n + 3] / sqrtf(dx * dx + dy * dy + dz * dz);
      }
}

void nbody(void) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      REAL dx = source[4 * j] - body[4 * i], dy = source[4 * j + 1] - body[4 * i + 1];
      REAL dz = source[4 * j + 2] - body[4 * i + 2];
      REAL inverse = 1 / sqrtf(dx * dx + dy * dy + dz * dz + (REAL)0.25);
      REAL weight = body[4 * i + 3] * inverse * inverse * inverse;
      force[4 * i] += dx * weight;
      force[4 * i + 1] += dy * weight;
      force[4 * i + 2] += dz * weight;
    }
}

void mpeg4(void) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      for (int k = 0; k < W; k++)
        for (int l = 0; l < W; l++)
          match[i][j] += in[i + k][j + l] * block[k * W + l];
}

int main(void) {
  for (int i = 0; i < N; i++) {
    x[i] = i % 5;
    px[i] = (i % 3) * 0.5f;
    py[i] = (i % 5) * 0.25f;
    pz[i] = i % 2;
    for (int j = 0; j < N; j++) {
      a[i][j] = i % 7 - j % 5;
      b[i][j] = i % 3 + j % 4;
      c[i][j] = i % 2;
    }
  }
  for (int i = 0; i < N + W; i++)
    for (int j = 0; j < N + W; j++)
      in[i][j] = i % 3 + j % 4;
  for (int k = 0; k < W * W; k++) {
    mask[k / W][k % W] = k % 4 - 1;
    block[k] = k % 3;
  }
  for (int i = 0; i < M; i++) {
    K[i].x = kx[i] = (i % 7) * 0.25f;
    K[i].y = ky[i] = (i % 5) * 0.5f;
    K[i].z = kz[i] = (i % 3) * 0.125f;
    K[i].magnitude = rhoR[i] = i % 4;
    rhoI[i] = i % 3 - 1;
    atom[4 * i] = i % 11;
    atom[4 * i + 1] = i % 9;
    atom[4 * i + 2] = 1 + i % 3;
    atom[4 * i + 3] = i % 5 - 2;
  }
  for (int i = 0; i < 4 * N; i++) {
    source[i] = (i * 7 % 13) * 0.5f;
    body[i] = (i * 5 % 11) * 0.25f;
  }
  gemm();
  gemv();
  tmv();
  conv();
  mriq();
  mrifh();
  cp();
  nbody();
  mpeg4();
  return 0;
}
