/* Nests for chill.lua, which uses every command that changes loops. No extent is a multiple of a tile. */
#ifndef N
#define N 61
#endif
float a[N][N], b[N][N], c[N][N], d[N][N], p[N], q[N], z[N], s[N], u[N], far[4 * N];
int where[N];

void tiled(void) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      for (int k = 0; k < N; k++)
        c[i][j] += a[i][k] * b[k][j];
}

void moved(void) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      for (int k = 0; k < N; k++)
        d[i][j] += a[i][k] * b[k][j];
}

void parts(void) {
  for (int i = 0; i < N; i++) {
    p[i] = q[i] * 2;
    z[i] = p[i] + z[i];
  }
}

void apart(int m) {
  for (int i = 0; i < N; i++)
    far[i] = far[i + m] + 1;
}

void scattered(void) {
  for (int i = 0; i < N; i++)
    q[where[i]] = p[i];
}

void joined(void) {
  for (int i = 0; i < N; i++)
    s[i] = 2 * p[i];
  for (int i = 0; i < N; i++)
    s[i] += p[N - 1 - i];
}

void whole(void) {
  for (int i = 0; i < N; i++)
    for (int k = 0; k < N; k++)
      u[i] += a[i][k] * q[k];
}

int main(void) {
  for (int i = 0; i < N; i++) {
    p[i] = q[i] = i % 5, z[i] = i % 3, where[i] = N - 1 - i;
    for (int j = 0; j < N; j++)
      a[i][j] = i % 7 - j % 5, b[i][j] = i % 3 + j % 4;
  }
  tiled();
  moved();
  parts();
  apart(100);
  scattered();
  joined();
  whole();
  apart(1);
  return 0;
}
