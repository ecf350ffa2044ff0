// y = a x + y for two long vectors: the smallest loop worth a GPU.
//
//   cc -O2 saxpy.c -o saxpy && ./saxpy
#include <stdio.h>
#include <stdlib.h>

void saxpy(int n, float a, const float* x, float* y) {
  for (int i = 0; i < n; i++)
    y[i] = a * x[i] + y[i];
}

int main(int argc, char** argv) {
  int n = argc > 1 ? atoi(argv[1]) : 10000000;
  float* x = malloc(n * sizeof(float));
  float* y = malloc(n * sizeof(float));
  if (n < 1 || !x || !y) {
    fprintf(stderr, "usage: saxpy [length]\n");
    return 1;
  }
  for (int i = 0; i < n; i++) {
    x[i] = i % 100;
    y[i] = 1;
  }

  saxpy(n, 2, x, y);

  int wrong = 0;
  for (int i = 0; i < n; i++)
    if (y[i] != 2 * (i % 100) + 1) wrong++;
  printf("y = 2 x + y, %d elements: y[0] = %g, y[%d] = %g\n", n, y[0], n - 1, y[n - 1]);
  printf("%s\n", wrong == 0 ? "all elements are right" : "WRONG");
  free(x);
  free(y);
  return wrong == 0 ? 0 : 1;
}
