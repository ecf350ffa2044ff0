/* Waves on a plate, as an OpenMP program: parallel loops with private scalars, a reduction, sources that are added at places which a
   table names. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define NX 64
#define NY 48
#define STEPS 12

static double before[NX][NY], now[NX][NY], after[NX][NY], speed[NX][NY];
static int place[NX], channel[NX * NY];
static double gain[NX];
static int seen[8];

static void prepare(void) {
  int i, j;
#pragma omp parallel for private(j)
  for (i = 0; i < NX; i++) { /* region: prepare */
    for (j = 0; j < NY; j++) {
      before[i][j] = 0;
      now[i][j] = (i - 20) * (i - 20) + (j - 15) * (j - 15) < 20 ? 1 : 0;
      speed[i][j] = i > NX / 2 ? .2 : .1;
      channel[i * NY + j] = (i * 3 + j * 5) % 8;
    }
    place[i] = (i * 37) % NX;
    gain[i] = i * .001;
  }
}

static void step(void) {
  int i, j;
  double inner;
#pragma omp parallel for collapse(2) private(inner) schedule(static)
  for (i = 1; i < NX - 1; i++) /* region: step */
    for (j = 1; j < NY - 1; j++) {
      inner = now[i - 1][j] + now[i + 1][j] + now[i][j - 1] + now[i][j + 1] - 4 * now[i][j];
      after[i][j] = 2 * now[i][j] - before[i][j] + speed[i][j] * inner;
    }
#pragma omp parallel for private(j)
  for (i = 0; i < NX; i++)
    for (j = 0; j < NY; j++) {
      before[i][j] = now[i][j];
      now[i][j] = after[i][j];
    }
}

/* No two sources are in the same row: only the programmer knows. */
static void sources(int row) {
  int k;
#pragma omp parallel for
  for (k = 0; k < NX; k++)
    now[place[k]][row] += gain[k];
}

static void count(void) {
  int k;
#pragma omp parallel for
  for (k = 0; k < NX * NY; k++) { /* region: count */
#pragma omp atomic
    seen[channel[k]] += 1;
  }
}

static double energy(void) {
  double sum = 0;
  int i, j;
#pragma omp parallel for reduction(+ : sum) private(j)
  for (i = 0; i < NX; i++) /* region: energy */
    for (j = 0; j < NY; j++)
      sum += now[i][j] * now[i][j];
  return sum;
}

int main(void) {
  int t;
  prepare();
  for (t = 0; t < STEPS; t++) {
    step();
    sources(t);
    if (t % 4 == 3) printf("%d %.6f\n", t, energy());
  }
  count();
  printf("%d %d %.6f\n", seen[0], seen[5], now[20][15]);
  return 0;
}
