/* Clusters of points: the nearest centre by a function with a loop in it, struct parameters by value and by pointer. */
#include <float.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
  float x, y, z;
} Vec;

static float squared(Vec a, Vec b) {
  float dx = a.x - b.x, dy = a.y - b.y, dz = a.z - b.z;
  return dx * dx + dy * dy + dz * dz;
}

static int nearest(Vec p, const Vec *centre, int k) {
  int best = 0;
  float least = FLT_MAX;
  for (int c = 0; c < k; c++) {
    float d = squared(p, centre[c]);
    if (d < least) {
      least = d;
      best = c;
    }
  }
  return best;
}

static void add(Vec *sum, const Vec *p) {
  sum->x += p->x;
  sum->y += p->y;
  sum->z += p->z;
}

static void assign(const Vec *p, int n, const Vec *centre, int k, int *label) {
  for (int i = 0; i < n; i++) /* region: assign */
    label[i] = nearest(p[i], centre, k);
}

static void shift(Vec *p, int n, Vec by) {
  for (int i = 0; i < n; i++) /* region: shift */
    add(&p[i], &by);
}

int main(void) {
  int n = 500, k = 6;
  Vec *p = malloc(sizeof(Vec) * n), *centre = malloc(sizeof(Vec) * k);
  int *label = malloc(sizeof(int) * n);
  for (int i = 0; i < n; i++) {
    p[i].x = (float)((i * 37) % 101) * 0.1f;
    p[i].y = (float)((i * 53) % 97) * 0.1f;
    p[i].z = (float)((i * 71) % 89) * 0.1f;
  }
  Vec by = {0.5f, -0.25f, 1.0f};
  shift(p, n, by);
  for (int c = 0; c < k; c++)
    centre[c] = p[c * 31];
  for (int round = 0; round < 4; round++) {
    assign(p, n, centre, k, label);
    for (int c = 0; c < k; c++) {
      Vec sum = {0, 0, 0};
      int count = 0;
      for (int i = 0; i < n; i++)
        if (label[i] == c) {
          add(&sum, &p[i]);
          count++;
        }
      if (count > 0) {
        centre[c].x = sum.x / (float)count;
        centre[c].y = sum.y / (float)count;
        centre[c].z = sum.z / (float)count;
      }
    }
  }
  long code = 0;
  for (int i = 0; i < n; i++)
    code += label[i] * (i % 13);
  printf("%ld %.4f\n", code, centre[2].x);
  return 0;
}
