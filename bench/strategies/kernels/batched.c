// A product of small matrices for each of many pairs.
#ifndef N
#define N 256
#endif
#ifndef M
#define M 64
#endif
float a[M][N][N], b[M][N][N], c[M][N][N];

void batched(void) {
  for (int m = 0; m < M; m++)
    for (int i = 0; i < N; i++)
      for (int j = 0; j < N; j++)
        for (int k = 0; k < N; k++)
          c[m][i][j] += a[m][i][k] * b[m][k][j];
}

void begin(void) {
  for (int m = 0; m < M; m++)
    for (int i = 0; i < N; i++)
      for (int j = 0; j < N; j++) {
        a[m][i][j] = i % 7 - j % 5 + m % 3;
        b[m][i][j] = i % 3 + j % 4 - m % 2;
        c[m][i][j] = i % 2;
      }
}

double digest(void) {
  double sum = 0;
  for (int m = 0; m < M; m++)
    for (int i = 0; i < N; i++)
      for (int j = 0; j < N; j++)
        sum += c[m][i][j] * ((3 * i + 5 * j + m) % 31 + 1);
  return sum;
}
