/* Firmware of a meter: fixed point, ring buffers, states by `switch`, tables, bytes packed by shifts, checksums, structs that are passed
   by pointer, everything `static` and of fixed width. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define CHANNELS 6u
#define BLOCK 256u
#define Q(x) ((int32_t)((x) * 65536.0))

typedef enum { IDLE, RISING, HIGH, FALLING } state_t;

typedef struct {
  int16_t raw[BLOCK];
  int32_t filtered[BLOCK];
  uint8_t flags[BLOCK];
  int32_t offset, scale;
} channel_t;

typedef struct {
  uint16_t count;
  uint16_t width;
  uint8_t *pixels;
} display_t;

static channel_t channels[CHANNELS];
static const int32_t taps[8] = {Q(0.05), Q(0.10), Q(0.15), Q(0.20), Q(0.20), Q(0.15), Q(0.10), Q(0.05)};
static uint16_t crc_table[256];
static uint8_t frame[CHANNELS][2 * BLOCK], packed[CHANNELS][BLOCK / 4];
static uint32_t histogram[64];

static int32_t mul_q16(int32_t a, int32_t b) { return (int32_t)(((int64_t)a * b) >> 16); }

static uint8_t classify(int32_t v, int32_t last) {
  state_t s;
  switch ((v > Q(0.5)) * 2 + (last > Q(0.5))) {
  case 0: s = IDLE; break;
  case 1: s = FALLING; break;
  case 2: s = RISING; break;
  default: s = HIGH; break;
  }
  return (uint8_t)s;
}

static void make_crc(void) {
  for (uint16_t i = 0; i < 256; i++) { /* region: make_crc */
    uint16_t r = (uint16_t)(i << 8);
    for (uint8_t b = 0; b < 8; b++) r = (uint16_t)(r & 0x8000u ? (r << 1) ^ 0x1021u : r << 1);
    crc_table[i] = r;
  }
}

static void calibrate(channel_t *c, uint32_t n) {
  for (uint32_t i = 0; i < n; i++) /* region: calibrate */
    c->filtered[i] = mul_q16(((int32_t)c->raw[i] - c->offset) * 16, c->scale);
}

static void filter(channel_t *c) {
  static int32_t out[BLOCK];
  for (uint32_t i = 0; i < BLOCK; i++) { /* region: filter */
    int32_t acc = 0;
    for (uint32_t k = 0; k < 8; k++)
      if (i >= k) acc += mul_q16(c->filtered[i - k], taps[k]);
    out[i] = acc;
  }
  memcpy(c->filtered, out, sizeof out);
}

static void mark(channel_t *c) {
  c->flags[0] = IDLE;
  for (uint32_t i = 1; i < BLOCK; i++) /* region: mark */
    c->flags[i] = classify(c->filtered[i], c->filtered[i - 1]);
}

static void pack(void) {
  for (uint32_t ch = 0; ch < CHANNELS; ch++) /* region: pack */
    for (uint32_t i = 0; i < BLOCK; i += 4) {
      uint8_t v = 0;
      for (uint32_t k = 0; k < 4; k++) v |= (uint8_t)((channels[ch].flags[i + k] & 3u) << (2 * k));
      packed[ch][i / 4] = v;
    }
}

static void serialise(void) {
  for (uint32_t ch = 0; ch < CHANNELS; ch++) { /* region: serialise */
    uint8_t *p = frame[ch];
    for (uint32_t i = 0; i < BLOCK; i++) {
      uint16_t v = (uint16_t)(channels[ch].filtered[i] >> 4);
      *p++ = (uint8_t)(v >> 8);
      *p++ = (uint8_t)(v & 0xffu);
    }
  }
}

static void checksums(uint16_t *sums) {
  for (uint32_t ch = 0; ch < CHANNELS; ch++) { /* region: checksums */
    uint16_t crc = 0xffff;
    for (uint32_t i = 0; i < 2 * BLOCK; i++) crc = (uint16_t)((crc << 8) ^ crc_table[((crc >> 8) ^ frame[ch][i]) & 0xff]);
    sums[ch] = crc;
  }
}

static void count_levels(void) {
  memset(histogram, 0, sizeof histogram);
  for (uint32_t ch = 0; ch < CHANNELS; ch++) /* region: count_levels */
    for (uint32_t i = 0; i < BLOCK; i++) histogram[((uint32_t)(channels[ch].filtered[i] + Q(2.0)) >> 12) & 63u]++;
}

static void draw(display_t *d, const channel_t *c) {
  for (int i = 0; i < d->count; i++) { /* region: draw */
    int32_t y = c->filtered[i * (int)(BLOCK / 64)] >> 13;
    y = y < 0 ? 0 : y > 7 ? 7 : y;
    for (int row = 0; row < 8; row++) d->pixels[row * d->width + i] = row <= y ? 0xff : 0x00;
  }
}

int main(void) {
  static uint8_t pixels[8 * 64];
  display_t display = {64, 64, pixels};
  make_crc();
  for (uint32_t ch = 0; ch < CHANNELS; ch++) {
    channel_t *c = &channels[ch];
    c->offset = (int32_t)ch * 10;
    c->scale = Q(0.8) + (int32_t)ch * 1000;
    for (uint32_t i = 0; i < BLOCK; i++) c->raw[i] = (int16_t)((i * (37 + ch) + ch * 11) % 4001 - (i / 32 % 2 ? 0 : 2000));
    calibrate(c, BLOCK);
    filter(c);
    mark(c);
  }
  pack();
  serialise();
  uint16_t sums[CHANNELS];
  checksums(sums);
  count_levels();
  draw(&display, &channels[2]);
  uint32_t all = 0, lit = 0;
  for (uint32_t ch = 0; ch < CHANNELS; ch++)
    for (uint32_t i = 0; i < BLOCK / 4; i++) all = all * 31 + packed[ch][i];
  for (uint32_t i = 0; i < sizeof pixels; i++) lit += pixels[i] ? i : 0;
  for (uint32_t ch = 0; ch < CHANNELS; ch++) printf("%04x ", sums[ch]);
  printf("%u %u %u %u\n", all, lit, histogram[31], histogram[40]);
  return 0;
}
