// A matrix times a vector: threads of neighbouring rows read far apart.
#ifndef N
#define N 8192
#endif
float a[N][N], x[N], y[N];

void matvec(void) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      y[i] += a[i][j] * x[j];
}

void begin(void) {
  for (int i = 0; i < N; i++) {
    x[i] = i % 5;
    y[i] = i % 2;
    for (int j = 0; j < N; j++)
      a[i][j] = i % 7 - j % 5;
  }
}

double digest(void) {
  double sum = 0;
  for (int i = 0; i < N; i++)
    sum += y[i] * (i % 31 + 1);
  return sum;
}
