/* One block of a small language model, forward and backward: all tensors are pieces of a few large blocks, rows are local pointers. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
  float *token, *position, *gain, *shift, *weight, *bias;
} Weights;
typedef struct {
  float *embedded, *normal, *mean, *scale, *query, *attention, *mixed;
} Tensors;

static void normalise(float *out, float *mean, float *scale, const float *in, const float *gain, const float *shift, int T,
                      int C) {
  for (int t = 0; t < T; t++) { /* region: normalise */
    const float *x = in + t * C;
    float m = 0.0f, v = 0.0f;
    for (int i = 0; i < C; i++)
      m += x[i];
    m /= C;
    for (int i = 0; i < C; i++) {
      float d = x[i] - m;
      v += d * d;
    }
    float s = 1.0f / sqrtf(v / C + 1e-5f);
    float *to = out + t * C;
    for (int i = 0; i < C; i++)
      to[i] = s * (x[i] - m) * gain[i] + shift[i];
    mean[t] = m;
    scale[t] = s;
  }
}

static void normalise_back(float *din, float *dgain, float *dshift, const float *dout, const float *in, const float *gain,
                           const float *mean, const float *scale, int T, int C) {
  for (int t = 0; t < T; t++) { /* region: normalise_back */
    const float *d = dout + t * C, *x = in + t * C;
    float m = mean[t], s = scale[t], sum = 0.0f, with = 0.0f;
    for (int i = 0; i < C; i++) {
      float n = (x[i] - m) * s, dn = gain[i] * d[i];
      sum += dn;
      with += dn * n;
    }
    sum /= C;
    with /= C;
    for (int i = 0; i < C; i++) {
      float n = (x[i] - m) * s, dn = gain[i] * d[i];
      dshift[i] += d[i];
      dgain[i] += n * d[i];
      din[t * C + i] += (dn - sum - n * with) * s;
    }
  }
}

static void matmul(float *out, const float *in, const float *weight, const float *bias, int T, int C, int OC) {
  for (int t = 0; t < T; t++) /* region: matmul */
    for (int o = 0; o < OC; o++) {
      float value = (bias != NULL) ? bias[o] : 0.0f;
      const float *row = weight + o * C;
      for (int i = 0; i < C; i++)
        value += in[t * C + i] * row[i];
      out[t * OC + o] = value;
    }
}

static void matmul_back(float *din, float *dweight, float *dbias, const float *dout, const float *in, const float *weight,
                        int T, int C, int OC) {
  for (int t = 0; t < T; t++) /* region: matmul_back */
    for (int o = 0; o < OC; o++) {
      const float *row = weight + o * C;
      float d = dout[t * OC + o];
      for (int i = 0; i < C; i++)
        din[t * C + i] += row[i] * d;
    }
  for (int o = 0; o < OC; o++) /* with the one before */
    for (int t = 0; t < T; t++) {
      float d = dout[t * OC + o];
      if (dbias != NULL) dbias[o] += d;
      for (int i = 0; i < C; i++)
        dweight[o * C + i] += in[t * C + i] * d;
    }
}

static void attend(float *out, float *weights, const float *qkv, int T, int C, int heads) {
  int size = C / heads;
  float factor = 1.0f / sqrtf((float)size);
  for (int h = 0; h < heads; h++) /* region: attend */
    for (int t = 0; t < T; t++) {
      const float *q = qkv + t * 3 * C + h * size;
      float *w = weights + (h * T + t) * T;
      float most = -1e30f, sum = 0.0f;
      for (int s = 0; s <= t; s++) {
        const float *k = qkv + s * 3 * C + C + h * size;
        float value = 0.0f;
        for (int i = 0; i < size; i++)
          value += q[i] * k[i];
        value *= factor;
        if (value > most) most = value;
        w[s] = value;
      }
      for (int s = 0; s <= t; s++) {
        float e = expf(w[s] - most);
        sum += e;
        w[s] = e;
      }
      for (int s = 0; s <= t; s++)
        w[s] /= sum;
      float *to = out + t * C + h * size;
      for (int i = 0; i < size; i++)
        to[i] = 0.0f;
      for (int s = 0; s <= t; s++) {
        const float *v = qkv + s * 3 * C + 2 * C + h * size;
        for (int i = 0; i < size; i++)
          to[i] += w[s] * v[i];
      }
    }
}

int main(void) {
  int T = 12, C = 16, heads = 4, words = 30;
  size_t many = (size_t)words * C + T * C + 2 * C + 3 * C * C + 3 * C;
  float *block = malloc(sizeof(float) * many), *gradients = calloc(many, sizeof(float));
  Weights w = {block, block + words * C, block + (words + T) * C, block + (words + T + 1) * C, block + (words + T + 2) * C,
               block + (words + T + 2 + 3 * C) * C};
  for (size_t k = 0; k < many; k++)
    block[k] = 0.03f * (float)(k % 31) - 0.4f;
  size_t all = (size_t)2 * T * C + 2 * T + 3 * T * C + heads * T * T + T * C;
  float *memory = calloc(all, sizeof(float));
  Tensors a;
  a.embedded = memory;
  a.normal = a.embedded + T * C;
  a.mean = a.normal + T * C;
  a.scale = a.mean + T;
  a.query = a.scale + T;
  a.attention = a.query + 3 * T * C;
  a.mixed = a.attention + heads * T * T;
  float *dquery = malloc(sizeof(float) * 3 * T * C), *dnormal = calloc(T * C, sizeof(float)), *dembedded = calloc(T * C, sizeof(float));
  for (int t = 0; t < T; t++)
    for (int i = 0; i < C; i++)
      a.embedded[t * C + i] = w.token[(t * 7 % words) * C + i] + w.position[t * C + i];
  normalise(a.normal, a.mean, a.scale, a.embedded, w.gain, w.shift, T, C);
  matmul(a.query, a.normal, w.weight, w.bias, T, C, 3 * C);
  attend(a.mixed, a.attention, a.query, T, C, heads);
  for (int k = 0; k < 3 * T * C; k++)
    dquery[k] = 0.01f * (float)(k % 17) - 0.05f;
  float *dw = gradients + (words + T + 2) * C, *db = dw + 3 * C * C;
  matmul_back(dnormal, dw, db, dquery, a.normal, w.weight, T, C, 3 * C);
  normalise_back(dembedded, gradients, gradients + C, dnormal, a.embedded, w.gain, a.mean, a.scale, T, C);
  double sum = 0.0;
  for (int k = 0; k < T * C; k++)
    sum += a.mixed[k] * (k % 5) + dembedded[k] * (k % 3);
  for (size_t k = 0; k < many; k++)
    sum += gradients[k] * (float)(k % 7);
  printf("%.3f\n", sum);
  return 0;
}
