/* A map of tiles in a game: weather, growth and light, one `switch` over the kind of tile each. */
#include <stdio.h>
#include <string.h>

#define W 60
#define H 40

enum tile { WATER, SAND, GRASS, FOREST, ROCK, KINDS };
struct cell {
  int kind, height, wet, light;
};

static struct cell map[H][W];
static int plants[H][W], next[H][W], histogram[KINDS];

static int costOf(int kind, int wet) {
  switch (kind) {
  case WATER:
    return 99;
  case SAND:
    return wet > 3 ? 4 : 3;
  case GRASS:
  case FOREST:
    return 1 + kind - GRASS;
  default:
    return 7;
  }
}

static void create(void) {
  int x, y;
  for (y = 0; y < H; y++) /* region: create */
    for (x = 0; x < W; x++) {
      map[y][x].height = (x * x + 3 * y * y + 7 * x * y) % 32;
      map[y][x].kind = map[y][x].height / 7;
      map[y][x].wet = (x + y) % 6;
      map[y][x].light = 0;
    }
}

static void weather(int rain) {
  int x, y;
  for (y = 0; y < H; y++) /* region: weather */
    for (x = 0; x < W; x++) {
      switch (map[y][x].kind) {
      case WATER:
        continue;
      case SAND:
        map[y][x].wet -= 1;
        break;
      case ROCK:
        map[y][x].wet = 0;
        break;
      default:
        map[y][x].wet += rain;
      }
      if (map[y][x].wet < 0) map[y][x].wet = 0;
    }
}

static void grow(void) {
  int x, y;
  for (y = 1; y < H - 1; y++) /* region: grow */
    for (x = 1; x < W - 1; x++) {
      int around = plants[y - 1][x] + plants[y + 1][x] + plants[y][x - 1] + plants[y][x + 1];
      next[y][x] = plants[y][x];
      if (map[y][x].kind != GRASS && map[y][x].kind != FOREST) goto bare;
      if (map[y][x].wet < 2) goto bare;
      next[y][x] += 1 + around / 4;
      continue;
    bare:
      next[y][x] /= 2;
    }
}

static long travel(void) {
  long sum = 0;
  int x, y = 0;
  do { /* region: travel */
    for (x = 0; x < W; x++)
      sum += costOf(map[y][x].kind, map[y][x].wet);
    y++;
  } while (y < H);
  return sum;
}

int main(void) {
  int t, x, y;
  create();
  for (t = 0; t < 5; t++) {
    weather(t % 3);
    grow();
    memcpy(plants, next, sizeof plants);
  }
  for (y = 0; y < H; y++)
    for (x = 0; x < W; x++)
      histogram[map[y][x].kind < KINDS ? map[y][x].kind : ROCK] += plants[y][x];
  printf("%ld %d %d %d\n", travel(), histogram[GRASS], histogram[FOREST], histogram[ROCK]);
  return 0;
}
