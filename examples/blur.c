// Blurs an image: every pixel becomes the mean of the 3 x 3 pixels around it, several times over.
//
//   cc -O2 blur.c -o blur -lm && ./blur
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef HEIGHT
#define HEIGHT 480
#endif
#ifndef WIDTH
#define WIDTH 720
#endif
#ifndef PASSES
#define PASSES 40
#endif

void blur(int height, int width, const float* in, float* out) {
  for (int y = 1; y < height - 1; y++)
    for (int x = 1; x < width - 1; x++) {
      float sum = 0;
      for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
          sum += in[(y + dy) * width + x + dx];
      out[y * width + x] = sum / 9;
    }
}

void show(int height, int width, const float* image) {
  const char* shades = " .:-=+*#%@";
  /* ON HOST: `putchar` has no body here */
  for (int y = 0; y < height; y += 1 + height / 13) {
    for (int x = 0; x < width; x += 1 + width / 37)
      putchar(shades[(int)(9.99f * image[y * width + x])]);
    putchar('\n');
  }
}

int main(void) {
  int height = HEIGHT, width = WIDTH, passes = PASSES;
  size_t bytes = sizeof(float) * height * width;
  float* image = malloc(bytes);
  float* blurred = malloc(bytes);
  if (!image || !blurred) return 1;

  // A white square on black.
  double before = 0;
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++) {
      image[y * width + x] = abs(y - height / 2) < height / 4 && abs(x - width / 2) < width / 4;
      before += image[y * width + x];
    }
  memcpy(blurred, image, bytes);
  show(height, width, image);

  for (int pass = 0; pass < passes; pass += 2) {
    blur(height, width, image, blurred);
    blur(height, width, blurred, image);
  }
  show(height, width, image);

  // Blurring moves light around and loses none of it as long as it stays away from the border.
  double after = 0;
  for (int i = 0; i < height * width; i++)
    after += image[i];
  int right = fabs(after - before) < 1e-4 * before && image[0] == 0;
  printf("light before %.1f, after %d passes %.1f: %s\n", before, passes, after, right ? "right" : "WRONG");
  free(image);
  free(blurred);
  return right ? 0 : 1;
}
