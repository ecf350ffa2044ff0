/* T steps of a stencil of three points as plain C. */
void jacobi1d(int N, int T, int B, int s, int a[N], int b[N]) {
  for (int t = 0; t < T; t++) {
    for (int i = 1; i < N - 1; i++) b[i] = (a[i - 1] + a[i] + a[i + 1]) / 3;
    for (int i = 1; i < N - 1; i++) a[i] = b[i];
  }
}
