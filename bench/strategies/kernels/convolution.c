// A convolution with a small mask.
#ifndef N
#define N 4096
#endif
#ifndef W
#define W 5
#endif
float in[N + W][N + W], mask[W][W], out[N][N];

void convolution(void) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      for (int k = 0; k < W; k++)
        for (int l = 0; l < W; l++)
          out[i][j] += in[i + k][j + l] * mask[k][l];
}

void begin(void) {
  for (int k = 0; k < W; k++)
    for (int l = 0; l < W; l++)
      mask[k][l] = (3 * k + l) % 4 - 1;
  for (int i = 0; i < N + W; i++)
    for (int j = 0; j < N + W; j++)
      in[i][j] = i % 3 + j % 4;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      out[i][j] = 0;
}

double digest(void) {
  double sum = 0;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      sum += out[i][j] * ((3 * i + 5 * j) % 31 + 1);
  return sum;
}
