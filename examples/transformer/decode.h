/* The layers of a decoder that gets one token at a time: vectors, and a cache of the keys and values of all tokens before. */
#ifndef DECODE_H
#define DECODE_H

void rms_norm(float *out, const float *in, const float *gain, int n);

/* out[r] = sum of weight[r][c] * in[c] */
void multiply(float *out, const float *weight, const float *in, int rows, int columns);

/* Turns each pair of channels of each head by an angle that grows with the position. */
void rotate(float *vector, int heads, int size, int position);

/* Each group of heads shares the keys and values of one head: keys[t] and values[t] have shared * size channels. */
void attend_cached(float *out, float *score, const float *query, const float *keys, const float *values, int position, int heads,
                   int shared, int size);

/* gate = gate / (1 + exp(-gate)) * up */
void swiglu(float *gate, const float *up, int n);

void add_to(float *sum, const float *part, int n);

/* Probabilities of the logits at that temperature. */
void softmax(float *logits, int n, float temperature);

#endif
