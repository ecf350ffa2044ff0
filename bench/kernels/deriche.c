/* deriche: Deriche's recursive smoothing of a w x h image, forwards plus backwards, along both dimensions.
   y1[j] = a1 x[j] + a2 x[j-1] + b1 y1[j-1] + b2 y1[j-2]; y2 from the other end; out = c (y1 + y2). */
#include "bench.h"

static void kernel_deriche(int w, int h, real alpha, real in[w][h], real out[w][h], real y1[w][h],
                           real y2[w][h]) {
  real e = EXP(-alpha);
  real k = (1 - e) * (1 - e) / (1 + 2 * alpha * e - e * e);
  real a1 = k, a5 = k;
  real a2 = k * e * (alpha - 1), a6 = a2;
  real a3 = k * e * (alpha + 1), a7 = a3;
  real a4 = -k * e * e, a8 = a4;
  real b1 = 2 * e;
  real b2 = -e * e;
  real c1 = 1, c2 = 1;
  real xm1, ym1, ym2, xp1, xp2, yp1, yp2, tm1, tp1, tp2;

  for (int i = 0; i < w; i++) { /* EXPECT: parallel */
    ym1 = 0;
    ym2 = 0;
    xm1 = 0;
    for (int j = 0; j < h; j++) { /* EXPECT: sequential */
      y1[i][j] = a1 * in[i][j] + a2 * xm1 + b1 * ym1 + b2 * ym2;
      xm1 = in[i][j];
      ym2 = ym1;
      ym1 = y1[i][j];
    }
  }

  for (int i = 0; i < w; i++) { /* EXPECT: parallel */
    yp1 = 0;
    yp2 = 0;
    xp1 = 0;
    xp2 = 0;
    for (int j = h - 1; j >= 0; j--) { /* EXPECT: sequential */
      y2[i][j] = a3 * xp1 + a4 * xp2 + b1 * yp1 + b2 * yp2;
      xp2 = xp1;
      xp1 = in[i][j];
      yp2 = yp1;
      yp1 = y2[i][j];
    }
  }

  for (int i = 0; i < w; i++)   /* EXPECT: parallel */
    for (int j = 0; j < h; j++) /* EXPECT: parallel */
      out[i][j] = c1 * (y1[i][j] + y2[i][j]);

  for (int j = 0; j < h; j++) { /* EXPECT: parallel */
    tm1 = 0;
    ym1 = 0;
    ym2 = 0;
    for (int i = 0; i < w; i++) { /* EXPECT: sequential */
      y1[i][j] = a5 * out[i][j] + a6 * tm1 + b1 * ym1 + b2 * ym2;
      tm1 = out[i][j];
      ym2 = ym1;
      ym1 = y1[i][j];
    }
  }

  for (int j = 0; j < h; j++) { /* EXPECT: parallel */
    tp1 = 0;
    tp2 = 0;
    yp1 = 0;
    yp2 = 0;
    for (int i = w - 1; i >= 0; i--) { /* EXPECT: sequential */
      y2[i][j] = a7 * tp1 + a8 * tp2 + b1 * yp1 + b2 * yp2;
      tp2 = tp1;
      tp1 = out[i][j];
      yp2 = yp1;
      yp1 = y2[i][j];
    }
  }

  for (int i = 0; i < w; i++)   /* EXPECT: parallel */
    for (int j = 0; j < h; j++) /* EXPECT: parallel */
      out[i][j] = c2 * (y1[i][j] + y2[i][j]);
}

int main(void) {
  int w = bench_size("W", 64, 192, 4096);
  int h = bench_size("H", 64, 128, 2160);
  real(*in)[h] = bench_alloc(sizeof(real[w][h]));
  real(*out)[h] = bench_alloc(sizeof(real[w][h]));
  real(*y1)[h] = bench_alloc(sizeof(real[w][h]));
  real(*y2)[h] = bench_alloc(sizeof(real[w][h]));
  bench_fill(in, (size_t)w * h, 1, 0, 1);

  double start = bench_now();
  kernel_deriche(w, h, (real)0.25, in, out, y1, y2);
  bench_time("deriche", start);

  bench_report("out", out, (size_t)w * h);
  bench_report("y1", y1, (size_t)w * h);
  bench_report("y2", y2, (size_t)w * h);
  free(in), free(out), free(y1), free(y2);
  return 0;
}
