/* The layers of a transformer, forward and backward, on batches of B rows of T tokens. Arrays are row by row: [b][t][c]. */
#ifndef LAYERS_H
#define LAYERS_H

void embed(float *out, const int *token, const float *word, const float *place, int B, int T, int C);
void embed_back(float *dword, float *dplace, const float *dout, const int *token, int B, int T, int C);

/* mean and scale, one for each token, are kept for the way back. */
void norm(float *out, float *mean, float *scale, const float *in, const float *gain, const float *bias, int B, int T, int C);
void norm_back(float *din, float *dgain, float *dbias, const float *dout, const float *in, const float *gain, const float *mean,
               const float *scale, int B, int T, int C);

/* out = in * weight^T + bias, weight[out channel][in channel]; bias may be NULL. */
void linear(float *out, const float *in, const float *weight, const float *bias, int B, int T, int C, int OC);
void linear_back(float *din, float *dweight, float *dbias, const float *dout, const float *in, const float *weight, int B, int T,
                 int C, int OC);

/* qkv has queries, keys and values of a token one after the other; weights[b][h][t][u] is what token t takes from token u. */
void attend(float *out, float *weights, const float *qkv, int B, int T, int C, int heads);
void attend_back(float *dqkv, float *dweights, const float *dout, const float *qkv, const float *weights, int B, int T, int C,
                 int heads);

void gelu(float *out, const float *in, int n);
void gelu_back(float *din, const float *in, const float *dout, int n);
void add(float *out, const float *a, const float *b, int n);
void add_back(float *da, float *db, const float *dout, int n);

/* The mean loss of predicting target from logits; probs are kept for the way back. */
float loss_of(float *probs, float *losses, const float *logits, const int *target, int B, int T, int V);
void loss_back(float *dlogits, const float *probs, const int *target, int B, int T, int V);

#endif
