// A matrix product.
#ifndef N
#define N 2048
#endif
float a[N][N], b[N][N], c[N][N];

void product(void) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      for (int k = 0; k < N; k++)
        c[i][j] += a[i][k] * b[k][j];
}

void begin(void) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      a[i][j] = i % 7 - j % 5;
      b[i][j] = i % 3 + j % 4;
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
