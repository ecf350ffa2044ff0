/* Sound in the style of a small library: pointers that walk, `while (n--)`, frames and channels, saturation, lookup tables. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef int16_t sample_t;
typedef struct {
  float b0, b1, b2, a1, a2, z1, z2;
} biquad_t;

static sample_t clip(int32_t v) { return v > 32767 ? 32767 : v < -32768 ? -32768 : (sample_t)v; }

static void gain_q15(sample_t *dst, const sample_t *src, size_t n, int16_t gain) {
  while (n--) /* region: gain_q15 */
    *dst++ = clip(((int32_t)*src++ * gain) >> 15);
}

static void mix(float *restrict out, const float *restrict a, const float *restrict b, int n, float wet) {
  const float *end = a + n;
  for (; a < end; a++, b++, out++) /* region: mix */
    *out = *a * (1 - wet) + *b * wet;
}

static void to_float(float *dst, const sample_t *src, int frames, int channels) {
  for (int f = 0; f < frames; ++f, src += channels) { /* region: to_float */
    float sum = 0;
    for (int c = 0; c < channels; ++c) sum += src[c];
    dst[f] = sum / (32768.0f * channels);
  }
}

static void deinterleave(float **planes, const float *src, int frames, int channels) {
  for (int c = 0; c < channels; c++) { /* region: deinterleave */
    float *p = planes[c];
    const float *s = src + c;
    for (int f = 0; f < frames; f++, s += channels) p[f] = *s;
  }
}

static void filter_planes(biquad_t *q, float **planes, int frames, int channels) {
  for (int c = 0; c < channels; c++) { /* region: filter_planes */
    biquad_t *b = &q[c];
    float z1 = b->z1, z2 = b->z2;
    for (int f = 0; f < frames; f++) {
      float x = planes[c][f], y = b->b0 * x + z1;
      z1 = b->b1 * x - b->a1 * y + z2;
      z2 = b->b2 * x - b->a2 * y;
      planes[c][f] = y;
    }
    b->z1 = z1, b->z2 = z2;
  }
}

static void fir(const float *x, float *y, int n, const float *taps, int ntaps) {
  for (int i = 0; i < n; i++) { /* region: fir */
    const float *h = taps, *p = x + i;
    float acc = 0;
    for (int k = ntaps; k > 0; k--) acc += *h++ * *p++;
    y[i] = acc;
  }
}

static void window(float *x, int n, const float *table, int size) {
  for (int i = 0; i < n; i++) /* region: window */
    x[i] *= table[(long)i * (size - 1) / (n - 1)];
}

static double energy(const float *x, int n) {
  double e = 0;
  do e += (double)*x * *x, x++; while (--n > 0);
  return e;
}

static void peaks(const float *x, int blocks, int size, float *peak, int *at) {
  for (int b = 0; b < blocks; b++) { /* region: peaks */
    float most = 0;
    int where = -1;
    for (int i = 0; i < size; i++) {
      float v = x[b * size + i] < 0 ? -x[b * size + i] : x[b * size + i];
      if (v > most) most = v, where = i;
    }
    peak[b] = most;
    at[b] = where;
  }
}

int main(void) {
  enum { FRAMES = 1200, CHANNELS = 4 };
  sample_t *pcm = malloc(FRAMES * CHANNELS * sizeof *pcm), *loud = malloc(FRAMES * CHANNELS * sizeof *loud);
  for (int i = 0; i < FRAMES * CHANNELS; i++) pcm[i] = (sample_t)((i * 7919) % 60001 - 30000);
  gain_q15(loud, pcm, FRAMES * CHANNELS, 23170);
  long check = 0;
  for (int i = 0; i < FRAMES * CHANNELS; i++) check += loud[i] * (i % 13);
  printf("%ld\n", check);

  float *mono = malloc(FRAMES * sizeof *mono), *other = malloc(FRAMES * sizeof *other), *all = malloc(FRAMES * CHANNELS * sizeof *all);
  to_float(mono, pcm, FRAMES, CHANNELS);
  to_float(other, loud, FRAMES, CHANNELS);
  mix(mono, mono, other, FRAMES, 0.25f);
  for (int i = 0; i < FRAMES * CHANNELS; i++) all[i] = pcm[i] / 32768.0f;
  float *planes[CHANNELS];
  biquad_t q[CHANNELS];
  for (int c = 0; c < CHANNELS; c++) {
    planes[c] = calloc(FRAMES + c, sizeof(float));
    q[c] = (biquad_t){0.2f, 0.3f, 0.2f, -0.4f + 0.05f * c, 0.1f, 0, 0};
  }
  deinterleave(planes, all, FRAMES, CHANNELS);
  filter_planes(q, planes, FRAMES, CHANNELS);
  printf("%.5f %.5f\n", energy(planes[0], FRAMES), energy(planes[3], FRAMES));

  float taps[31], table[64], *y = malloc((FRAMES - 30) * sizeof *y);
  for (int k = 0; k < 31; k++) taps[k] = (k % 5 - 2) / 10.0f;
  for (int k = 0; k < 64; k++) table[k] = 0.5f - 0.5f * cosf(6.2831853f * k / 63);
  fir(mono, y, FRAMES - 30, taps, 31);
  window(y, FRAMES - 30, table, 64);
  printf("%.5f\n", energy(y, FRAMES - 30));
  float peak[9];
  int at[9];
  peaks(y, 9, 130, peak, at);
  for (int b = 0; b < 9; b++) printf("%.4f:%d ", peak[b], at[b]);
  puts("");
  return 0;
}
