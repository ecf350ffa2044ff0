// A matrix times itself transposed: both factors are read along rows.
#ifndef N
#define N 2048
#endif
float a[N][N], c[N][N];

void syrk(void) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      for (int k = 0; k < N; k++)
        c[i][j] += a[i][k] * a[j][k];
}

void begin(void) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      a[i][j] = i % 7 - j % 5;
      c[i][j] = i % 2;
    }
}

double digest(void) {
  double sum = 0;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      sum += c[i][j] * ((3 * i + 5 * j) % 31 + 1);
  return sum;
}
