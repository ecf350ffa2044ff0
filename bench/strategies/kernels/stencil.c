// A sweep over nine neighbours in the plane.
#ifndef N
#define N 8192
#endif
float a[N][N], b[N][N];

void stencil(void) {
  for (int i = 1; i < N - 1; i++)
    for (int j = 1; j < N - 1; j++)
      b[i][j] = 0.25f * a[i][j] + 0.125f * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]) +
                0.0625f * (a[i - 1][j - 1] + a[i - 1][j + 1] + a[i + 1][j - 1] + a[i + 1][j + 1]);
}

void begin(void) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      a[i][j] = i % 7 - j % 5;
      b[i][j] = 0;
    }
}

double digest(void) {
  double sum = 0;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      sum += b[i][j] * ((3 * i + 5 * j) % 31 + 1);
  return sum;
}
