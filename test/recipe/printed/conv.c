/* The two-dimensional convolution of CUDA-CHiLL's first recipe. */
#ifndef N
#define N 100
#endif
#ifndef M
#define M 5
#endif
#ifndef REAL
#define REAL float
#endif
REAL a[N][N], b[N + M][N + M], c[M][M];

void conv(void) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      for (int k = 0; k < M; k++)
        for (int l = 0; l < M; l++)
          a[i][j] = a[i][j] + b[k + i][l + j] * c[k][l];
}

int main(void) {
  for (int i = 0; i < N + M; i++)
    for (int j = 0; j < N + M; j++)
      b[i][j] = i % 3 + j % 4;
  for (int k = 0; k < M; k++)
    for (int l = 0; l < M; l++)
      c[k][l] = k - l;
  conv();
  return 0;
}
