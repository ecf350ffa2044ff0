/* A GPT: its sizes, its tensors, and the training step. */
#ifndef MODEL_H
#define MODEL_H

#include <stddef.h>

struct sizes {
  int batch, tokens, channels, heads, layers, words;
};

/* One set of weights, or of their gradients: pointers into one block. Those of layer l follow those of layer l - 1. */
struct weights {
  float *block;
  size_t count;
  float *word, *place;
  float *norm1_gain, *norm1_bias, *qkv, *qkv_bias, *out, *out_bias;
  float *norm2_gain, *norm2_bias, *up, *up_bias, *down, *down_bias;
  float *last_gain, *last_bias;
};

/* What the way forward leaves for the way back, or the gradients of that: pointers into one block. */
struct states {
  float *block;
  size_t count;
  float *embedded;
  float *norm1, *mean1, *scale1, *qkv, *attention, *mixed, *out, *middle;
  float *norm2, *mean2, *scale2, *up, *bent, *down, *result;
  float *last, *last_mean, *last_scale, *logits, *probs, *losses;
};

struct model {
  struct sizes size;
  struct weights weight, gradient;
  struct states state, dstate;
  float *momentum, *variance;
};

void model_make(struct model *m, struct sizes size, unsigned seed);
void model_free(struct model *m);
float model_forward(struct model *m, const int *input, const int *target);
void model_backward(struct model *m, const int *input, const int *target);
void model_update(struct model *m, float rate, int step);

#endif
