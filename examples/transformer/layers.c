#include "layers.h"

#include <math.h>
#include <stddef.h>

void embed(float *out, const int *token, const float *word, const float *place, int B, int T, int C) {
  for (int b = 0; b < B; b++)
    for (int t = 0; t < T; t++) {
      float *row = out + (b * T + t) * C;
      int id = token[b * T + t];
      const float *w = word + id * C;
      const float *p = place + t * C;
      for (int c = 0; c < C; c++) row[c] = w[c] + p[c];
    }
}

void embed_back(float *dword, float *dplace, const float *dout, const int *token, int B, int T, int C) {
  for (int b = 0; b < B; b++)
    for (int t = 0; t < T; t++) {
      const float *d = dout + (b * T + t) * C;
      int id = token[b * T + t];
      float *dw = dword + id * C;
      float *dp = dplace + t * C;
      for (int c = 0; c < C; c++) {
        dw[c] += d[c];
        dp[c] += d[c];
      }
    }
}

void norm(float *out, float *mean, float *scale, const float *in, const float *gain, const float *bias, int B, int T, int C) {
#pragma omp parallel for collapse(2)
  for (int b = 0; b < B; b++)
    for (int t = 0; t < T; t++) {
      const float *x = in + (b * T + t) * C;
      float *y = out + (b * T + t) * C;
      float m = 0.0f;
      for (int c = 0; c < C; c++) m += x[c];
      m /= C;
      float v = 0.0f;
      for (int c = 0; c < C; c++) v += (x[c] - m) * (x[c] - m);
      v /= C;
      float s = 1.0f / sqrtf(v + 1e-5f);
      for (int c = 0; c < C; c++) y[c] = (x[c] - m) * s * gain[c] + bias[c];
      mean[b * T + t] = m;
      scale[b * T + t] = s;
    }
}

void norm_back(float *din, float *dgain, float *dbias, const float *dout, const float *in, const float *gain, const float *mean,
               const float *scale, int B, int T, int C) {
  for (int b = 0; b < B; b++)
    for (int t = 0; t < T; t++) {
      const float *d = dout + (b * T + t) * C;
      const float *x = in + (b * T + t) * C;
      float *dx = din + (b * T + t) * C;
      float m = mean[b * T + t], s = scale[b * T + t];
      float sum = 0.0f, dot = 0.0f;
      for (int c = 0; c < C; c++) {
        float g = gain[c] * d[c];
        sum += g;
        dot += g * (x[c] - m) * s;
      }
      sum /= C;
      dot /= C;
      for (int c = 0; c < C; c++) {
        float n = (x[c] - m) * s;
        dbias[c] += d[c];
        dgain[c] += n * d[c];
        dx[c] += (gain[c] * d[c] - sum - n * dot) * s;
      }
    }
}

void linear(float *out, const float *in, const float *weight, const float *bias, int B, int T, int C, int OC) {
#pragma omp parallel for collapse(2)
  for (int b = 0; b < B; b++)
    for (int t = 0; t < T; t++) {
      const float *x = in + (b * T + t) * C;
      float *y = out + (b * T + t) * OC;
      for (int o = 0; o < OC; o++) {
        const float *w = weight + o * C;
        float sum = bias != NULL ? bias[o] : 0.0f;
        for (int c = 0; c < C; c++) sum += x[c] * w[c];
        y[o] = sum;
      }
    }
}

void linear_back(float *din, float *dweight, float *dbias, const float *dout, const float *in, const float *weight, int B, int T,
                 int C, int OC) {
#pragma omp parallel for collapse(2)
  for (int b = 0; b < B; b++)
    for (int t = 0; t < T; t++) {
      const float *d = dout + (b * T + t) * OC;
      float *dx = din + (b * T + t) * C;
      for (int o = 0; o < OC; o++) {
        const float *w = weight + o * C;
        float g = d[o];
        for (int c = 0; c < C; c++) dx[c] += w[c] * g;
      }
    }
#pragma omp parallel for
  for (int o = 0; o < OC; o++)
    for (int b = 0; b < B; b++)
      for (int t = 0; t < T; t++) {
        const float *x = in + (b * T + t) * C;
        float *dw = dweight + o * C;
        float g = dout[(b * T + t) * OC + o];
        if (dbias != NULL) dbias[o] += g;
        for (int c = 0; c < C; c++) dw[c] += x[c] * g;
      }
}

void attend(float *out, float *weights, const float *qkv, int B, int T, int C, int heads) {
  int size = C / heads;
  float shrink = 1.0f / sqrtf(size);
#pragma omp parallel for collapse(3)
  for (int b = 0; b < B; b++)
    for (int h = 0; h < heads; h++)
      for (int t = 0; t < T; t++) {
        const float *query = qkv + (b * T + t) * 3 * C + h * size;
        float *row = weights + ((b * heads + h) * T + t) * T;
        float most = -1e30f;
        for (int u = 0; u <= t; u++) {
          const float *key = qkv + (b * T + u) * 3 * C + C + h * size;
          float dot = 0.0f;
          for (int i = 0; i < size; i++) dot += query[i] * key[i];
          dot *= shrink;
          if (dot > most) most = dot;
          row[u] = dot;
        }
        float sum = 0.0f;
        for (int u = 0; u <= t; u++) {
          row[u] = expf(row[u] - most);
          sum += row[u];
        }
        for (int u = 0; u < T; u++) row[u] = u <= t ? row[u] / sum : 0.0f;
        float *o = out + (b * T + t) * C + h * size;
        for (int i = 0; i < size; i++) o[i] = 0.0f;
        for (int u = 0; u <= t; u++) {
          const float *value = qkv + (b * T + u) * 3 * C + 2 * C + h * size;
          for (int i = 0; i < size; i++) o[i] += row[u] * value[i];
        }
      }
}

void attend_back(float *dqkv, float *dweights, const float *dout, const float *qkv, const float *weights, int B, int T, int C,
                 int heads) {
  int size = C / heads;
  float shrink = 1.0f / sqrtf(size);
#pragma omp parallel for collapse(2)
  for (int b = 0; b < B; b++)
    for (int h = 0; h < heads; h++)
      for (int t = 0; t < T; t++) {
        const float *row = weights + ((b * heads + h) * T + t) * T;
        float *drow = dweights + ((b * heads + h) * T + t) * T;
        const float *d = dout + (b * T + t) * C + h * size;
        float sum = 0.0f;
        for (int u = 0; u <= t; u++) {
          const float *value = qkv + (b * T + u) * 3 * C + 2 * C + h * size;
          float *dvalue = dqkv + (b * T + u) * 3 * C + 2 * C + h * size;
          float dot = 0.0f;
          for (int i = 0; i < size; i++) {
            dot += value[i] * d[i];
            dvalue[i] += row[u] * d[i];
          }
          drow[u] = dot;
          sum += dot * row[u];
        }
        const float *query = qkv + (b * T + t) * 3 * C + h * size;
        float *dquery = dqkv + (b * T + t) * 3 * C + h * size;
        for (int u = 0; u <= t; u++) {
          const float *key = qkv + (b * T + u) * 3 * C + C + h * size;
          float *dkey = dqkv + (b * T + u) * 3 * C + C + h * size;
          float g = row[u] * (drow[u] - sum) * shrink;
          for (int i = 0; i < size; i++) {
            dquery[i] += g * key[i];
            dkey[i] += g * query[i];
          }
        }
      }
}

#define ROOT 0.7978845608f /* sqrt(2 / pi) */

void gelu(float *out, const float *in, int n) {
#pragma omp parallel for
  for (int i = 0; i < n; i++) {
    float x = in[i];
    out[i] = 0.5f * x * (1.0f + tanhf(ROOT * (x + 0.044715f * x * x * x)));
  }
}

void gelu_back(float *din, const float *in, const float *dout, int n) {
#pragma omp parallel for
  for (int i = 0; i < n; i++) {
    float x = in[i];
    float h = tanhf(ROOT * (x + 0.044715f * x * x * x));
    float slope = ROOT * (1.0f + 3.0f * 0.044715f * x * x);
    din[i] += dout[i] * (0.5f * (1.0f + h) + 0.5f * x * (1.0f - h * h) * slope);
  }
}

void add(float *out, const float *a, const float *b, int n) {
  for (int i = 0; i < n; i++) out[i] = a[i] + b[i];
}

void add_back(float *da, float *db, const float *dout, int n) {
  for (int i = 0; i < n; i++) {
    da[i] += dout[i];
    db[i] += dout[i];
  }
}

float loss_of(float *probs, float *losses, const float *logits, const int *target, int B, int T, int V) {
#pragma omp parallel for collapse(2)
  for (int b = 0; b < B; b++)
    for (int t = 0; t < T; t++) {
      const float *x = logits + (b * T + t) * V;
      float *p = probs + (b * T + t) * V;
      float most = -1e30f;
      for (int v = 0; v < V; v++)
        if (x[v] > most) most = x[v];
      float sum = 0.0f;
      for (int v = 0; v < V; v++) {
        p[v] = expf(x[v] - most);
        sum += p[v];
      }
      for (int v = 0; v < V; v++) p[v] /= sum;
      losses[b * T + t] = -logf(p[target[b * T + t]]);
    }
  float mean = 0.0f;
  for (int i = 0; i < B * T; i++) mean += losses[i];
  return mean / (B * T);
}

void loss_back(float *dlogits, const float *probs, const int *target, int B, int T, int V) {
  float share = 1.0f / (B * T);
  for (int b = 0; b < B; b++)
    for (int t = 0; t < T; t++) {
      int wanted = target[b * T + t];
      for (int v = 0; v < V; v++) dlogits[(b * T + t) * V + v] = (probs[(b * T + t) * V + v] - (v == wanted ? 1.0f : 0.0f)) * share;
    }
}
