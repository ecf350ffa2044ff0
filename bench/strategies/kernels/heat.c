// A sweep over six neighbours in space.
#ifndef N
#define N 384
#endif
float a[N][N][N], b[N][N][N];

void heat(void) {
  for (int i = 1; i < N - 1; i++)
    for (int j = 1; j < N - 1; j++)
      for (int k = 1; k < N - 1; k++)
        b[i][j][k] = 0.25f * a[i][j][k] + 0.125f * (a[i - 1][j][k] + a[i + 1][j][k] + a[i][j - 1][k] +
                                                    a[i][j + 1][k] + a[i][j][k - 1] + a[i][j][k + 1]);
}

void begin(void) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      for (int k = 0; k < N; k++) {
        a[i][j][k] = i % 7 - j % 5 + k % 3;
        b[i][j][k] = 0;
      }
}

double digest(void) {
  double sum = 0;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      for (int k = 0; k < N; k++)
        sum += b[i][j][k] * ((3 * i + 5 * j + k) % 31 + 1);
  return sum;
}
