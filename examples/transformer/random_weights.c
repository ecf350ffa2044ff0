/* random_weights FILE [channels hidden layers heads shared words context]: weights for generate, normal enough to run it. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static unsigned long long noise = 88172645463325252ull;

static float uniform(void) {
  noise ^= noise << 13;
  noise ^= noise >> 7;
  noise ^= noise << 17;
  return (noise >> 40) / 16777216.0f - 0.5f;
}

static int put(FILE *file, size_t count, float middle, float width) {
  for (size_t i = 0; i < count; i++) {
    float value = middle + width * uniform();
    if (fwrite(&value, sizeof value, 1, file) != 1) return 0;
  }
  return 1;
}

int main(int argc, char **argv) {
  int size[8] = {0x57454947, 64, 172, 2, 8, 4, 97, 48};
  for (int i = 2; i < argc && i < 9; i++) size[i - 1] = atoi(argv[i]);
  size_t C = size[1], H = size[2], L = size[3], V = size[6];
  if (argc < 2 || size[4] < 1 || size[5] < 1 || C % size[4] || size[4] % size[5]) {
    fprintf(stderr, "usage: random_weights FILE [channels hidden layers heads shared words context]\n");
    return 1;
  }
  size_t K = C / size[4] * size[5];
  FILE *file = fopen(argv[1], "wb");
  float narrow = 3.0f / sqrtf(C), narrower = 3.0f / sqrtf(H);
  int done = file && fwrite(size, sizeof size, 1, file) == 1 && put(file, V * C, 0, 0.6f) && put(file, L * C, 1, 0.2f) &&
             put(file, L * C * C, 0, narrow) && put(file, 2 * L * K * C, 0, narrow) && put(file, L * C * C, 0, narrow) &&
             put(file, L * C, 1, 0.2f) && put(file, 2 * L * H * C, 0, narrow) && put(file, L * C * H, 0, narrower) &&
             put(file, C, 1, 0.2f);
  if (file && fclose(file) != 0) done = 0;
  if (!done) fprintf(stderr, "random_weights: '%s' could not be written\n", argv[1]);
  return !done;
}
