// Bytes may be those of anything in memory: of the sizes and pointers that loops over them read, too. Launchers ask whether they are.
// RUN: %warploom compile %s -o %t.cu 2>&1 | FileCheck --check-prefix=SAID --allow-empty %s
// RUN: FileCheck %s --input-file %t.cu
// RUN: %warploom build %s --target cpu --sanitize -o %t 2>/dev/null
// RUN: env WARPLOOM_DEVICE=gpu WARPLOOM_TIMING=1 %t 2>&1 | FileCheck --check-prefix=PATH %s
// SAID-NOT: region invert:{{.*}} stays
// CHECK: extern "C" int warploom_bytes_and_sizes_invert_{{[0-9]+}}({{.*}}const void* [[PIXELS:address_of_[a-z_]*pixels]], unsigned long [[PIXELS]]_bytes, const void* [[WIDTH:address_of_[a-z_]*width]], unsigned long [[WIDTH]]_bytes
// CHECK: if (warploom::overlap([[DATA:[a-z_]+]], {{.*}}, [[PIXELS]], [[PIXELS]]_bytes)) return region.stayOnHost("{{.*}} and image->pixels overlap");
// CHECK: if (warploom::overlap([[DATA]], {{.*}}, [[WIDTH]], [[WIDTH]]_bytes)) return region.stayOnHost("{{.*}} and image->width overlap");
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  int width, height;
  unsigned char *pixels;
} Image;

static void invert(Image *image) {
  for (int y = 0; y < image->height; y++)
    for (int x = 0; x < image->width; x++) image->pixels[y * image->width + x] ^= 255;
}

// PATH: region invert:{{.*}} path gpu
// PATH: region invert:{{.*}} path host:{{.*}} and image->height overlap
// PATH: right
int main(void) {
  Image image = {70, 60, calloc(70, 60)};
  invert(&image);
  int wrong = image.pixels[0] != 255 || image.pixels[70 * 60 - 1] != 255;
  // An image of itself: the loops end when its height has become negative.
  Image *self = malloc(4096);
  *self = (Image){8, 64, (unsigned char *)self};
  memset(self + 1, 0, 4096 - sizeof *self);
  self->pixels = (unsigned char *)self + 4;
  self->width = 4;
  invert(self);
  wrong += self->height != ~64 || self->width != 4;
  puts(wrong ? "wrong" : "right");
  return 0;
}
