#include "decode.h"

#include <math.h>

void rms_norm(float *out, const float *in, const float *gain, int n) {
  float sum = 0.0f;
  for (int i = 0; i < n; i++) sum += in[i] * in[i];
  float scale = 1.0f / sqrtf(sum / n + 1e-5f);
  for (int i = 0; i < n; i++) out[i] = gain[i] * (in[i] * scale);
}

void multiply(float *out, const float *weight, const float *in, int rows, int columns) {
#pragma omp parallel for
  for (int r = 0; r < rows; r++) {
    float sum = 0.0f;
    for (int c = 0; c < columns; c++) sum += weight[(long)r * columns + c] * in[c];
    out[r] = sum;
  }
}

void rotate(float *vector, int heads, int size, int position) {
  for (int h = 0; h < heads; h++)
    for (int i = 0; i < size / 2; i++) {
      float angle = position * powf(10000.0f, -2.0f * i / size);
      float *pair = vector + h * size + 2 * i;
      float a = pair[0], b = pair[1];
      pair[0] = a * cosf(angle) - b * sinf(angle);
      pair[1] = a * sinf(angle) + b * cosf(angle);
    }
}

void attend_cached(float *out, float *score, const float *query, const float *keys, const float *values, int position, int heads,
                   int shared, int size) {
  int group = heads / shared, width = shared * size;
  float shrink = 1.0f / sqrtf(size);
#pragma omp parallel for
  for (int h = 0; h < heads; h++) {
    const float *q = query + h * size;
    float *row = score + h * (position + 1);
    float most = -1e30f, sum = 0.0f;
    for (int t = 0; t <= position; t++) {
      const float *key = keys + t * width + h / group * size;
      float dot = 0.0f;
      for (int i = 0; i < size; i++) dot += q[i] * key[i];
      row[t] = dot * shrink;
      if (row[t] > most) most = row[t];
    }
    for (int t = 0; t <= position; t++) {
      row[t] = expf(row[t] - most);
      sum += row[t];
    }
    float *o = out + h * size;
    for (int i = 0; i < size; i++) o[i] = 0.0f;
    for (int t = 0; t <= position; t++) {
      const float *value = values + t * width + h / group * size;
      float share = row[t] / sum;
      for (int i = 0; i < size; i++) o[i] += share * value[i];
    }
  }
}

void swiglu(float *gate, const float *up, int n) {
  for (int i = 0; i < n; i++) gate[i] = gate[i] / (1.0f + expf(-gate[i])) * up[i];
}

void add_to(float *sum, const float *part, int n) {
  for (int i = 0; i < n; i++) sum[i] += part[i];
}

void softmax(float *logits, int n, float temperature) {
  float most = logits[0], sum = 0.0f;
  for (int i = 1; i < n; i++)
    if (logits[i] > most) most = logits[i];
  for (int i = 0; i < n; i++) {
    logits[i] = expf((logits[i] - most) / temperature);
    sum += logits[i];
  }
  for (int i = 0; i < n; i++) logits[i] /= sum;
}
