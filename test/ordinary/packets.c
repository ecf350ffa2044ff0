/* What sensors send: messages of bit-fields, numbers as bytes and back, values of several kinds in one place,
   and tricks with the bits of floating-point numbers. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct message {
  unsigned kind : 4, channel : 6, valid : 1;
  int value : 17, offset : 4;
  uint8_t quality;
};

struct state {
  unsigned char on : 1, fault : 1, level : 6;
  unsigned char age;
};

union header {
  uint32_t word;
  struct {
    uint32_t version : 4, length : 12, from : 16;
  } part;
  uint8_t byte[4];
};

struct reading {
  int is_whole;
  union {
    int32_t whole;
    float real;
  } value;
  double weight;
};

union bits {
  float real;
  uint32_t word;
};

static void decode(int n, const uint32_t *raw, struct message *m) {
  for (int i = 0; i < n; i++) { /* region: decode */
    m[i].kind = raw[i];
    m[i].channel = raw[i] >> 4;
    m[i].valid = raw[i] >> 10 & 1;
    m[i].value = (int)(raw[i] >> 11) - 70000;
    m[i].offset = i;
    m[i].quality = (uint8_t)(raw[i] >> 24);
  }
}

static long sum_of(int n, const struct message *m) {
  long sum = 0;
  for (int i = 0; i < n; i++) /* region: sum_of */
    if (m[i].valid) sum += m[i].value * (long)m[i].channel + m[i].offset - m[i].kind - 5 + m[i].quality;
  return sum;
}

static void adjust(int n, struct message *m) {
  for (int i = 0; i < n; i++) { /* region: adjust */
    m[i].kind++;
    m[i].value -= m[i].offset;
    m[i].offset <<= 1;
    m[i].valid ^= 1;
  }
}

static void watch(int n, struct state *s, const int *level) {
  for (int i = 0; i < n; i++) { /* region: watch */
    s[i].on = level[i] > 3;
    s[i].fault = !s[i].on && s[i].age > 2;
    s[i].level = level[i];
    s[i].age++;
  }
}

/* Neighbours in one byte. */
static void one_by_one(int n, struct state *s, const int *level) {
  for (int i = 0; i < n; i++) /* in order: one_by_one */
    if (level[i] % 3 == 0)
      s->level += level[i];
    else
      s->on = level[i];
}

static void headers(int n, union header *h, int *out) {
  for (int i = 0; i < n; i++) { /* region: headers */
    out[i] = h[i].part.version + h[i].part.length * 3 + h[i].byte[3];
    h[i].part.from = (uint16_t)(i * 77);
    h[i].byte[0] ^= 0x81;
  }
}

static void weigh(int n, struct reading *r) {
  for (int i = 0; i < n; i++) { /* region: weigh */
    if (r[i].is_whole)
      r[i].weight = r[i].value.whole * 2;
    else
      r[i].weight = r[i].value.real;
    r[i].value.real = (float)r[i].weight;
  }
}

static void swap_bytes(int n, uint32_t *x) {
  for (int i = 0; i < n; i++) { /* region: swap_bytes */
    union header from, to;
    from.word = x[i];
    for (int k = 0; k < 4; k++)
      to.byte[k] = from.byte[3 - k];
    x[i] = to.word;
  }
}

static void inverse_root(int n, float *x) {
  for (int i = 0; i < n; i++) { /* region: inverse_root */
    union bits guess = {x[i]};
    guess.word = 0x5f3759df - (guess.word >> 1);
    x[i] = guess.real * (1.5f - 0.5f * x[i] * guess.real * guess.real);
  }
}

static void exponents(int n, const double *x, int *e) {
  for (int i = 0; i < n; i++) { /* region: exponents */
    uint64_t word;
    memcpy(&word, &x[i], sizeof word);
    e[i] = (int)(word >> 52 & 2047) - 1023;
  }
}

/* The same memory by both names. */
static void raise(int n, union bits *b, const float *x) {
  for (int i = 0; i + 1 < n; i++) /* region: raise */
    b[i + 1].real = x[i] + 1;
}

int main(void) {
  enum { n = 900 };
  static struct message m[n];
  static struct state s[n];
  static struct reading r[n];
  static union header h[n];
  static union bits b[n];
  static uint32_t raw[n];
  static int level[n], out[n];
  static float x[n];
  static double y[n];
  for (int i = 0; i < n; i++) {
    raw[i] = i * 2654435761u;
    level[i] = i % 11;
    h[i].word = raw[i] * 7;
    x[i] = i + 1;
    y[i] = i * 1.5 - 300;
    r[i].is_whole = i % 2;
    if (i % 2)
      r[i].value.whole = i * 3;
    else
      r[i].value.real = i * 0.25f;
  }
  decode(n, raw, m);
  printf("%ld ", sum_of(n, m));
  adjust(n, m);
  printf("%ld\n", sum_of(n, m));
  watch(n, s, level);
  watch(n, s, level);
  watch(n, s, level);
  one_by_one(n, s, level);
  headers(n, h, out);
  weigh(n, r);
  weigh(n, r);
  swap_bytes(n, raw);
  inverse_root(n, x);
  long sum = 0;
  double real = 0;
  for (int i = 0; i < n; i++) {
    sum += s[i].on + s[i].fault * 10 + s[i].level * 100 + s[i].age + out[i] % 1000 + h[i].word % 10007 + raw[i] % 997;
    real += r[i].weight + x[i];
  }
  exponents(n, y, out);
  for (int i = 0; i < n; i++) sum += out[i] * (i % 13);
  printf("%ld %.3f\n", sum, real);
  for (int i = 0; i < n; i++) b[i].real = i;
  raise(n, b, &b[0].real);
  raise(n, b, x);
  for (int i = 0; i < n; i++) real += b[i].real * (i % 5);
  printf("%.3f\n", real);
  return 0;
}
