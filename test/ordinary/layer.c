/* Layers of a small network in plain C: optional bias, rows through local pointers, gathered embeddings. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static float dot(const float *a, const float *b, int n) {
  float sum = 0.0f;
  for (int k = 0; k < n; k++)
    sum += a[k] * b[k];
  return sum;
}

static void embed(float *out, const float *table, const int *token, int length, int width) {
  for (int t = 0; t < length; t++) { /* region: embed */
    const float *row = table + token[t] * width;
    float *to = out + t * width;
    for (int k = 0; k < width; k++)
      to[k] = row[k];
  }
}

static void linear(float *out, const float *in, const float *weight, const float *bias, int length, int inputs,
                   int outputs) {
  for (int t = 0; t < length; t++) /* region: linear */
    for (int o = 0; o < outputs; o++) {
      float value = (bias != NULL) ? bias[o] : 0.0f;
      value += dot(in + t * inputs, weight + o * inputs, inputs);
      out[t * outputs + o] = value;
    }
}

static void linear_back(float *dweight, float *dbias, const float *in, const float *dout, int length, int inputs,
                        int outputs) {
  for (int o = 0; o < outputs; o++) /* region: linear_back */
    for (int t = 0; t < length; t++) {
      float d = dout[t * outputs + o];
      if (dbias != NULL) dbias[o] += d;
      for (int k = 0; k < inputs; k++)
        dweight[o * inputs + k] += in[t * inputs + k] * d;
    }
}

static void norm(float *x, int length, int width) {
  for (int t = 0; t < length; t++) { /* region: norm */
    float *row = x + t * width;
    float scale = 1.0f / sqrtf(dot(row, row, width) / (float)width + 1e-5f);
    for (int k = 0; k < width; k++)
      row[k] *= scale;
  }
}

int main(void) {
  int length = 19, width = 16, outputs = 24, words = 50;
  float *table = malloc(sizeof(float) * words * width), *x = malloc(sizeof(float) * length * width);
  float *w = malloc(sizeof(float) * outputs * width), *bias = malloc(sizeof(float) * outputs);
  float *y = malloc(sizeof(float) * length * outputs), *dw = calloc(outputs * width, sizeof(float));
  float *db = calloc(outputs, sizeof(float));
  int *token = malloc(sizeof(int) * length);
  for (int k = 0; k < words * width; k++)
    table[k] = 0.01f * (float)(k % 37) - 0.1f;
  for (int k = 0; k < outputs * width; k++)
    w[k] = 0.02f * (float)(k % 23) - 0.2f;
  for (int o = 0; o < outputs; o++)
    bias[o] = 0.1f * (float)(o % 5);
  for (int t = 0; t < length; t++)
    token[t] = (t * 13) % words;
  double sum = 0.0;
  for (int with = 0; with < 2; with++) {
    embed(x, table, token, length, width);
    norm(x, length, width);
    linear(y, x, w, with ? bias : NULL, length, width, outputs);
    linear_back(dw, with ? db : NULL, x, y, length, width, outputs);
    for (int k = 0; k < length * outputs; k++)
      sum += y[k] * (float)(k % 3);
  }
  for (int k = 0; k < outputs * width; k++)
    sum += dw[k];
  for (int o = 0; o < outputs; o++)
    sum += db[o];
  printf("%.3f\n", sum);
  return 0;
}
