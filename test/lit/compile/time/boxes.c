// Particles in a cube of boxes: `main` numbers the boxes and lists the neighbours of each, in a nest six deep.
// %warploom ends what takes longer than 100 seconds, so this also shows that it is compiled in time.
// RUN: %exits 0 %warploom run %s --target cpu | FileCheck %s
// CHECK: 26 5831.457002
#include <stdio.h>
#include <stdlib.h>
#define PER_BOX 8
typedef struct { double v, x, y, z; } four;
typedef struct { int x, y, z, number; long offset; } neighbour;
typedef struct { int x, y, z, number; long offset; int count; neighbour list[26]; } box;

static void forces(int n, const box* b, const four* at, const double* charge, four* force) {
  for (int l = 0; l < n; l++) {
    long first = b[l].offset;
    for (int k = 0; k < 1 + b[l].count; k++) {
      int other = k == 0 ? l : b[l].list[k - 1].number;
      long second = b[other].offset;
      for (int i = 0; i < PER_BOX; i++)
        for (int j = 0; j < PER_BOX; j++) {
          double dx = at[first + i].x - at[second + j].x, dy = at[first + i].y - at[second + j].y,
                 dz = at[first + i].z - at[second + j].z;
          double r2 = dx * dx + dy * dy + dz * dz, w = charge[second + j] / (1 + r2);
          force[first + i].v += w;
          force[first + i].x += w * dx;
          force[first + i].y += w * dy;
          force[first + i].z += w * dz;
        }
    }
  }
}

int main(int argc, char** argv) {
  int side = argc > 1 ? atoi(argv[1]) : 3, boxes = side * side * side;
  box* b = malloc(boxes * sizeof(box));
  four* at = malloc(boxes * PER_BOX * sizeof(four));
  four* force = malloc(boxes * PER_BOX * sizeof(four));
  double* charge = malloc(boxes * PER_BOX * sizeof(double));
  int nh = 0;
  for (int i = 0; i < side; i++) {
    for (int j = 0; j < side; j++) {
      for (int k = 0; k < side; k++) {
        b[nh].x = k;
        b[nh].y = j;
        b[nh].z = i;
        b[nh].number = nh;
        b[nh].offset = (long)nh * PER_BOX;
        b[nh].count = 0;
        for (int l = -1; l < 2; l++) {
          for (int m = -1; m < 2; m++) {
            for (int n = -1; n < 2; n++) {
              if (((i + l) >= 0 && (j + m) >= 0 && (k + n) >= 0) == 1 &&
                  ((i + l) < side && (j + m) < side && (k + n) < side) == 1 &&
                  (l == 0 && m == 0 && n == 0) == 0) {
                b[nh].list[b[nh].count].x = k + n;
                b[nh].list[b[nh].count].y = j + m;
                b[nh].list[b[nh].count].z = i + l;
                b[nh].list[b[nh].count].number =
                    b[nh].list[b[nh].count].z * side * side + b[nh].list[b[nh].count].y * side + b[nh].list[b[nh].count].x;
                b[nh].list[b[nh].count].offset = (long)b[nh].list[b[nh].count].number * PER_BOX;
                b[nh].count = b[nh].count + 1;
              }
            }
          }
        }
        nh = nh + 1;
      }
    }
  }
  for (int i = 0; i < boxes * PER_BOX; i++) {
    at[i].v = i % 10 / 10.0;
    at[i].x = i % 7 / 7.0;
    at[i].y = i % 3 / 3.0;
    at[i].z = i % 5 / 5.0;
    charge[i] = i % 4 / 4.0;
    force[i].v = force[i].x = force[i].y = force[i].z = 0;
  }
  forces(boxes, b, at, charge, force);
  double sum = 0;
  for (int i = 0; i < boxes * PER_BOX; i++) sum += force[i].v + force[i].x;
  printf("%d %.6f\n", b[boxes / 2].count, sum);
  return 0;
}
