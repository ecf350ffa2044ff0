// A matrix with its transpose added to it, elsewhere.
#ifndef N
#define N 8192
#endif
float a[N][N], b[N][N];

void transpose(void) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      b[i][j] = a[i][j] + a[j][i];
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
