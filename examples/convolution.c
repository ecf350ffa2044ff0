// An image under a 5 x 5 mask: every pixel becomes a weighted sum of those around it.
//
//   cc -O2 convolution.c -o convolution -lm && ./convolution
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define MASK 5

void convolve(int height, int width, float in[height + MASK - 1][width + MASK - 1], float mask[MASK][MASK],
              float out[height][width]) {
  for (int i = 0; i < height; i++)
    for (int j = 0; j < width; j++) {
      float sum = 0;
      for (int k = 0; k < MASK; k++)
        for (int l = 0; l < MASK; l++)
          sum += in[i + k][j + l] * mask[k][l];
      out[i][j] = sum;
    }
}

int main(int argc, char** argv) {
  int height = argc > 1 ? atoi(argv[1]) : 1000, width = argc > 2 ? atoi(argv[2]) : 1500;
  if (height < 1 || width < 1 || height > 20000 || width > 20000) {
    fprintf(stderr, "usage: convolution [height [width]], each at most 20000\n");
    return 1;
  }
  float(*in)[width + MASK - 1] = malloc(sizeof(float[height + MASK - 1][width + MASK - 1]));
  float(*out)[width] = malloc(sizeof(float[height][width]));
  if (!in || !out) return 1;
  for (int i = 0; i < height + MASK - 1; i++)
    for (int j = 0; j < width + MASK - 1; j++)
      in[i][j] = (i % 10) + 2 * (j % 10);

  // Binomial weights: they add up to one, and are exact in binary.
  float line[MASK] = {1 / 16.0f, 4 / 16.0f, 6 / 16.0f, 4 / 16.0f, 1 / 16.0f}, mask[MASK][MASK];
  for (int k = 0; k < MASK; k++)
    for (int l = 0; l < MASK; l++)
      mask[k][l] = line[k] * line[l];

  convolve(height, width, in, mask, out);

  // The mask is a product, and the image a sum, of one factor per direction: smoothing each alone gives the result.
  int wrong = 0;
  for (int i = 0; i < height; i++)
    for (int j = 0; j < width; j++) {
      double expected = 0;
      for (int k = 0; k < MASK; k++)
        expected += line[k] * (((i + k) % 10) + 2 * ((j + k) % 10));
      if (fabs(out[i][j] - expected) > 1e-5 * expected) wrong++;
    }
  printf("%d x %d pixels: the first became %g\n", height, width, out[0][0]);
  printf("%s\n", wrong == 0 ? "all pixels are right" : "WRONG");
  free(in);
  free(out);
  return wrong == 0 ? 0 : 1;
}
