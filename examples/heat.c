// Heat flows through a square plate whose edges are kept cold. The temperature starts as one wave, whose
// exact decay is known, so the last line can say how far off the computation is.
//
//   cc -O2 heat.c -o heat -lm && ./heat
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 200
#endif
#ifndef STEPS
#define STEPS 4000
#endif

static double now[N][N], next[N][N];

int main(void) {
  const double pi = 3.14159265358979323846;
  const double flow = 0.2; // time step times conductivity, per grid cell; above 0.25 the scheme is not stable
  const int steps = STEPS;

  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      now[i][j] = sin(pi * i / (N - 1)) * sin(pi * j / (N - 1));

  printf("step     centre\n");
  for (int t = 0; t <= steps; t++) {
    if (t % 1000 == 0) printf("%4d  %9.6f\n", t, now[N / 2][N / 2]);
    for (int i = 1; i < N - 1; i++)
      for (int j = 1; j < N - 1; j++)
        next[i][j] = now[i][j] +
                     flow * (now[i - 1][j] + now[i + 1][j] + now[i][j - 1] + now[i][j + 1] - 4 * now[i][j]);
    for (int i = 1; i < N - 1; i++)
      for (int j = 1; j < N - 1; j++)
        now[i][j] = next[i][j];
  }

  // In exact arithmetic each step multiplies the wave by the same factor.
  double decay = pow(1 - 4 * flow * (1 - cos(pi / (N - 1))), steps + 1);
  double worst = 0;
  for (int i = 1; i < N - 1; i++)
    for (int j = 1; j < N - 1; j++) {
      double exact = decay * sin(pi * i / (N - 1)) * sin(pi * j / (N - 1));
      worst = fmax(worst, fabs(now[i][j] - exact));
    }
  printf("largest error %.1e: %s\n", worst, worst < 1e-12 ? "right" : "WRONG");
  return worst < 1e-12 ? 0 : 1;
}
