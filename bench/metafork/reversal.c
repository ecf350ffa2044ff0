/* Array reversal as plain C. */
void reversal(int N, int B, int s, int a[N], int c[N]) {
  for (int i = 0; i < N; i++) c[N - 1 - i] = a[i];
}
