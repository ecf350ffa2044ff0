#include "model.h"

#include "layers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static float *take(float **next, size_t count) {
  float *here = *next;
  *next += count;
  return here;
}

/* Shares out the block, or only counts when there is none yet. */
static size_t share_weights(struct weights *w, struct sizes s) {
  size_t C = s.channels, L = s.layers;
  float *next = w->block;
  w->word = take(&next, (size_t)s.words * C);
  w->place = take(&next, (size_t)s.tokens * C);
  w->norm1_gain = take(&next, L * C);
  w->norm1_bias = take(&next, L * C);
  w->qkv = take(&next, L * 3 * C * C);
  w->qkv_bias = take(&next, L * 3 * C);
  w->out = take(&next, L * C * C);
  w->out_bias = take(&next, L * C);
  w->norm2_gain = take(&next, L * C);
  w->norm2_bias = take(&next, L * C);
  w->up = take(&next, L * 4 * C * C);
  w->up_bias = take(&next, L * 4 * C);
  w->down = take(&next, L * 4 * C * C);
  w->down_bias = take(&next, L * C);
  w->last_gain = take(&next, C);
  w->last_bias = take(&next, C);
  return next - w->block;
}

static size_t share_states(struct states *a, struct sizes s) {
  size_t BT = (size_t)s.batch * s.tokens, C = s.channels, L = s.layers;
  float *next = a->block;
  a->embedded = take(&next, BT * C);
  a->norm1 = take(&next, L * BT * C);
  a->mean1 = take(&next, L * BT);
  a->scale1 = take(&next, L * BT);
  a->qkv = take(&next, L * BT * 3 * C);
  a->attention = take(&next, L * BT * s.heads * s.tokens);
  a->mixed = take(&next, L * BT * C);
  a->out = take(&next, L * BT * C);
  a->middle = take(&next, L * BT * C);
  a->norm2 = take(&next, L * BT * C);
  a->mean2 = take(&next, L * BT);
  a->scale2 = take(&next, L * BT);
  a->up = take(&next, L * BT * 4 * C);
  a->bent = take(&next, L * BT * 4 * C);
  a->down = take(&next, L * BT * C);
  a->result = take(&next, L * BT * C);
  a->last = take(&next, BT * C);
  a->last_mean = take(&next, BT);
  a->last_scale = take(&next, BT);
  a->logits = take(&next, BT * s.words);
  a->probs = take(&next, BT * s.words);
  a->losses = take(&next, BT);
  return next - a->block;
}

static float *zeros(size_t count) {
  float *block = calloc(count, sizeof(float));
  if (!block) abort();
  return block;
}

static void make_weights(struct weights *w, struct sizes s) {
  static float none;
  w->block = &none;
  w->count = share_weights(w, s);
  w->block = zeros(w->count);
  share_weights(w, s);
}

static void make_states(struct states *a, struct sizes s) {
  static float none;
  a->block = &none;
  a->count = share_states(a, s);
  a->block = zeros(a->count);
  share_states(a, s);
}

static unsigned long long noise = 1;

static float uniform(void) {
  noise ^= noise << 13;
  noise ^= noise >> 7;
  noise ^= noise << 17;
  return (noise >> 40) / 16777216.0f - 0.5f;
}

static void fill_noise(float *x, size_t count, float width) {
  for (size_t i = 0; i < count; i++) x[i] = uniform() * width;
}

static void fill(float *x, size_t count, float value) {
  for (size_t i = 0; i < count; i++) x[i] = value;
}

void model_make(struct model *m, struct sizes s, unsigned seed) {
  size_t C = s.channels, L = s.layers;
  m->size = s;
  make_weights(&m->weight, s);
  make_weights(&m->gradient, s);
  make_states(&m->state, s);
  make_states(&m->dstate, s);
  m->momentum = zeros(m->weight.count);
  m->variance = zeros(m->weight.count);
  noise = 88172645463325252ull + seed;
  float width = 0.07f, deep = 0.07f / sqrtf(2.0f * L);
  fill_noise(m->weight.word, (size_t)s.words * C, width);
  fill_noise(m->weight.place, (size_t)s.tokens * C, width);
  fill_noise(m->weight.qkv, L * 3 * C * C, width);
  fill_noise(m->weight.out, L * C * C, deep);
  fill_noise(m->weight.up, L * 4 * C * C, width);
  fill_noise(m->weight.down, L * 4 * C * C, deep);
  fill(m->weight.norm1_gain, L * C, 1.0f);
  fill(m->weight.norm2_gain, L * C, 1.0f);
  fill(m->weight.last_gain, C, 1.0f);
}

void model_free(struct model *m) {
  free(m->weight.block);
  free(m->gradient.block);
  free(m->state.block);
  free(m->dstate.block);
  free(m->momentum);
  free(m->variance);
}

float model_forward(struct model *m, const int *input, const int *target) {
  struct weights *w = &m->weight;
  struct states *a = &m->state;
  int B = m->size.batch, T = m->size.tokens, C = m->size.channels, H = m->size.heads, V = m->size.words;
  size_t BT = (size_t)B * T, CC = (size_t)C * C;
  embed(a->embedded, input, w->word, w->place, B, T, C);
  const float *x = a->embedded;
  for (int l = 0; l < m->size.layers; l++) {
    norm(a->norm1 + l * BT * C, a->mean1 + l * BT, a->scale1 + l * BT, x, w->norm1_gain + l * C, w->norm1_bias + l * C, B, T, C);
    linear(a->qkv + l * BT * 3 * C, a->norm1 + l * BT * C, w->qkv + l * 3 * CC, w->qkv_bias + l * 3 * C, B, T, C, 3 * C);
    attend(a->mixed + l * BT * C, a->attention + l * BT * H * T, a->qkv + l * BT * 3 * C, B, T, C, H);
    linear(a->out + l * BT * C, a->mixed + l * BT * C, w->out + l * CC, w->out_bias + l * C, B, T, C, C);
    add(a->middle + l * BT * C, x, a->out + l * BT * C, BT * C);
    norm(a->norm2 + l * BT * C, a->mean2 + l * BT, a->scale2 + l * BT, a->middle + l * BT * C, w->norm2_gain + l * C,
         w->norm2_bias + l * C, B, T, C);
    linear(a->up + l * BT * 4 * C, a->norm2 + l * BT * C, w->up + l * 4 * CC, w->up_bias + l * 4 * C, B, T, C, 4 * C);
    gelu(a->bent + l * BT * 4 * C, a->up + l * BT * 4 * C, BT * 4 * C);
    linear(a->down + l * BT * C, a->bent + l * BT * 4 * C, w->down + l * 4 * CC, w->down_bias + l * C, B, T, 4 * C, C);
    add(a->result + l * BT * C, a->middle + l * BT * C, a->down + l * BT * C, BT * C);
    x = a->result + l * BT * C;
  }
  norm(a->last, a->last_mean, a->last_scale, x, w->last_gain, w->last_bias, B, T, C);
  linear(a->logits, a->last, w->word, NULL, B, T, C, V);
  return loss_of(a->probs, a->losses, a->logits, target, B, T, V);
}

void model_backward(struct model *m, const int *input, const int *target) {
  struct weights *w = &m->weight, *g = &m->gradient;
  struct states *a = &m->state, *d = &m->dstate;
  int B = m->size.batch, T = m->size.tokens, C = m->size.channels, H = m->size.heads, V = m->size.words, L = m->size.layers;
  size_t BT = (size_t)B * T, CC = (size_t)C * C;
  memset(g->block, 0, g->count * sizeof(float));
  memset(d->block, 0, d->count * sizeof(float));
  loss_back(d->logits, a->probs, target, B, T, V);
  linear_back(d->last, g->word, NULL, d->logits, a->last, w->word, B, T, C, V);
  const float *x = a->result + (L - 1) * BT * C;
  float *dx = d->result + (L - 1) * BT * C;
  norm_back(dx, g->last_gain, g->last_bias, d->last, x, w->last_gain, a->last_mean, a->last_scale, B, T, C);
  for (int l = L - 1; l >= 0; l--) {
    x = l == 0 ? a->embedded : a->result + (l - 1) * BT * C;
    float *dresult = d->result + l * BT * C;
    dx = l == 0 ? d->embedded : d->result + (l - 1) * BT * C;
    add_back(d->middle + l * BT * C, d->down + l * BT * C, dresult, BT * C);
    linear_back(d->bent + l * BT * 4 * C, g->down + l * 4 * CC, g->down_bias + l * C, d->down + l * BT * C, a->bent + l * BT * 4 * C,
                w->down + l * 4 * CC, B, T, 4 * C, C);
    gelu_back(d->up + l * BT * 4 * C, a->up + l * BT * 4 * C, d->bent + l * BT * 4 * C, BT * 4 * C);
    linear_back(d->norm2 + l * BT * C, g->up + l * 4 * CC, g->up_bias + l * 4 * C, d->up + l * BT * 4 * C, a->norm2 + l * BT * C,
                w->up + l * 4 * CC, B, T, C, 4 * C);
    norm_back(d->middle + l * BT * C, g->norm2_gain + l * C, g->norm2_bias + l * C, d->norm2 + l * BT * C, a->middle + l * BT * C,
              w->norm2_gain + l * C, a->mean2 + l * BT, a->scale2 + l * BT, B, T, C);
    add_back(dx, d->out + l * BT * C, d->middle + l * BT * C, BT * C);
    linear_back(d->mixed + l * BT * C, g->out + l * CC, g->out_bias + l * C, d->out + l * BT * C, a->mixed + l * BT * C,
                w->out + l * CC, B, T, C, C);
    attend_back(d->qkv + l * BT * 3 * C, d->attention + l * BT * H * T, d->mixed + l * BT * C, a->qkv + l * BT * 3 * C,
                a->attention + l * BT * H * T, B, T, C, H);
    linear_back(d->norm1 + l * BT * C, g->qkv + l * 3 * CC, g->qkv_bias + l * 3 * C, d->qkv + l * BT * 3 * C, a->norm1 + l * BT * C,
                w->qkv + l * 3 * CC, B, T, C, 3 * C);
    norm_back(dx, g->norm1_gain + l * C, g->norm1_bias + l * C, d->norm1 + l * BT * C, x, w->norm1_gain + l * C, a->mean1 + l * BT,
              a->scale1 + l * BT, B, T, C);
  }
  embed_back(g->word, g->place, d->embedded, input, B, T, C);
}

void model_update(struct model *m, float rate, int step) {
  float *w = m->weight.block, *g = m->gradient.block, *first = m->momentum, *second = m->variance;
  float fix1 = 1.0f - powf(0.9f, step), fix2 = 1.0f - powf(0.999f, step);
#pragma omp parallel for
  for (size_t i = 0; i < m->weight.count; i++) {
    first[i] = 0.9f * first[i] + 0.1f * g[i];
    second[i] = 0.999f * second[i] + 0.001f * g[i] * g[i];
    w[i] -= rate * (first[i] / fix1 / (sqrtf(second[i] / fix2) + 1e-8f) + 0.01f * w[i]);
  }
}
