/* Filters on an image: a struct with an accessor, pixels as structs by value, a histogram, rows copied by walking pointers as old code does. */
#include <stdio.h>
#include <stdlib.h>

typedef struct {
  unsigned char r, g, b;
} Pixel;
typedef struct {
  int width, height;
  Pixel *pixels;
} Image;

static Image *image_new(int width, int height) {
  Image *im = malloc(sizeof *im);
  im->width = width;
  im->height = height;
  im->pixels = calloc((size_t)width * height, sizeof(Pixel));
  return im;
}
static Pixel *pixel(const Image *im, int x, int y) { return im->pixels + y * im->width + x; }
static int luminance(Pixel p) { return (77 * p.r + 150 * p.g + 29 * p.b) >> 8; }
static Pixel grey(int value) {
  Pixel p;
  p.r = p.g = p.b = (unsigned char)(value < 0 ? 0 : value > 255 ? 255 : value);
  return p;
}

static void fill(Image *im) {
  for (int y = 0; y < im->height; y++) /* region: fill */
    for (int x = 0; x < im->width; x++) {
      Pixel p = {(unsigned char)(x * 7), (unsigned char)(y * 11), (unsigned char)(x + y)};
      *pixel(im, x, y) = p;
    }
}
static void to_levels(int *level, const Image *im) {
  for (int y = 0; y < im->height; y++)
    for (int x = 0; x < im->width; x++)
      level[y * im->width + x] = luminance(*pixel(im, x, y));
}
static void edges(Image *out, const int *level, int width, int height) {
  for (int y = 1; y < height - 1; y++) /* region: edges */
    for (int x = 1; x < width - 1; x++) {
      const int *at = level + y * width + x;
      int gx = at[1] - at[-1], gy = at[width] - at[-width];
      out->pixels[y * width + x] = grey(gx * gx + gy * gy);
    }
}
static void copy_levels(int *to, const int *from, int n) {
  int *d = to;
  const int *s = from;
  for (int k = 0; k < n; k++) /* region: copy_levels */
    *d++ = *s++ / 2 + 1;
}
static void histogram(int *count, const int *level, int n) {
  for (int k = 0; k < n; k++) /* region: histogram */
    count[level[k] & 255]++;
}

int main(void) {
  int width = 61, height = 43, n = width * height;
  Image *im = image_new(width, height), *out = image_new(width, height);
  int *level = malloc(sizeof(int) * n), *half = malloc(sizeof(int) * n), *count = calloc(256, sizeof(int));
  fill(im);
  to_levels(level, im);
  edges(out, level, width, height);
  copy_levels(half, level, n);
  histogram(count, half, n);
  long code = 0;
  for (int k = 0; k < 256; k++)
    code += (long)count[k] * (k % 17);
  for (int k = 0; k < n; k++)
    code += out->pixels[k].g * (k % 5) + half[k];
  printf("%ld\n", code);
  return 0;
}
