/* Firmware of a data logger: fixed-point samples, modes, counters that run down to zero. */
#include <stdint.h>
#include <stdio.h>

#define CHANNELS 8
#define SAMPLES 512

enum mode { MODE_RAW, MODE_OFFSET, MODE_GAIN, MODE_GAIN_OFFSET, MODE_MUTE };

static int16_t raw[CHANNELS][SAMPLES];
static int32_t scaled[CHANNELS][SAMPLES];
static int32_t offset[CHANNELS], gain[CHANNELS];
static uint8_t mode[CHANNELS], flags[CHANNELS][SAMPLES];
static int32_t level[CHANNELS];

static int32_t saturate(int32_t value) {
  if (value > 32767) return 32767;
  if (value < -32768) return -32768;
  return value;
}

static void sample(void) {
  int c, s;
  for (c = 0; c < CHANNELS; c++) /* region: sample */
    for (s = 0; s < SAMPLES; s++)
      raw[c][s] = (int16_t)((c * 7919 + s * 104729) % 40000 - 20000);
}

static void scale(void) {
  int c, s;
  for (c = 0; c < CHANNELS; c++) /* region: scale */
    for (s = 0; s < SAMPLES; s++) {
      int32_t value = raw[c][s];
      switch (mode[c]) {
      case MODE_GAIN_OFFSET:
        value += offset[c];
        /* fall through */
      case MODE_GAIN:
        value = value * gain[c] / 256;
        break;
      case MODE_OFFSET:
        value += offset[c];
        break;
      case MODE_MUTE:
        value = 0;
        break;
      }
      scaled[c][s] = saturate(value);
    }
}

static void mark(void) {
  int c, s;
  for (c = 0; c < CHANNELS; c++) /* region: mark */
    for (s = 0; s < SAMPLES; s++) {
      flags[c][s] = 0;
      if (mode[c] == MODE_MUTE) continue;
      if (scaled[c][s] > 15000) {
        flags[c][s] = 1;
        if (scaled[c][s] < 30000) continue;
        flags[c][s] = 2;
      }
      flags[c][s] += (uint8_t)(s & 4);
    }
}

static void levels(void) {
  int c, n;
  for (c = 0; c < CHANNELS; c++) { /* region: levels */
    int32_t sum = 0;
    n = SAMPLES;
    while (n-- > 0)
      sum += scaled[c][n] >> 4;
    level[c] = sum;
  }
}

int main(void) {
  int c, s, marked = 0;
  for (c = 0; c < CHANNELS; c++) {
    mode[c] = (uint8_t)(c % 5);
    offset[c] = 100 * c - 300;
    gain[c] = 128 + 64 * c;
  }
  sample();
  scale();
  mark();
  levels();
  for (c = 0; c < CHANNELS; c++) {
    for (s = 0; s < SAMPLES; s++)
      marked += flags[c][s];
    printf("%d %d\n", (int)level[c], marked);
  }
  return 0;
}
