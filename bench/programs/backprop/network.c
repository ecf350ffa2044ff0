#include "network.h"
#include <math.h>

// to[s][o] = f(bias[o] + sum over i of from[s][i] weights[i][o])
static void layer(int samples, int inputs, int outputs, const float* restrict from, const float* restrict weights,
                  const float* restrict bias, float* restrict to) {
#pragma omp parallel for
  for (int s = 0; s < samples; s++)
    for (int o = 0; o < outputs; o++) {
      float sum = bias[o];
      for (int i = 0; i < inputs; i++) sum += from[s * inputs + i] * weights[i * outputs + o];
      to[s * outputs + o] = 1 / (1 + expf(-sum));
    }
}

void forward(struct network* net) {
  layer(net->samples, net->inputs, net->hidden, net->x, net->w1, net->b1, net->a1);
  layer(net->samples, net->hidden, net->outputs, net->a1, net->w2, net->b2, net->a2);
}

// gradient[i][o] = mean over s of from[s][i] wrong[s][o]
static void gradients(int samples, int inputs, int outputs, const float* restrict from, const float* restrict wrong,
                      float* restrict gradient, float* restrict bias) {
#pragma omp parallel for
  for (int i = 0; i < inputs; i++)
    for (int o = 0; o < outputs; o++) {
      float sum = 0;
      for (int s = 0; s < samples; s++) sum += from[s * inputs + i] * wrong[s * outputs + o];
      gradient[i * outputs + o] = sum / samples;
    }
  for (int o = 0; o < outputs; o++) {
    float sum = 0;
    for (int s = 0; s < samples; s++) sum += wrong[s * outputs + o];
    bias[o] = sum / samples;
  }
}

// Gradients of all weights; half the mean square of what is wrong.
double backward(struct network* net) {
  int samples = net->samples, hidden = net->hidden, outputs = net->outputs;
  const float *restrict a1 = net->a1, *restrict a2 = net->a2, *restrict target = net->target, *restrict w2 = net->w2;
  float *restrict d1 = net->d1, *restrict d2 = net->d2;
  double loss = 0;
#pragma omp parallel for reduction(+ : loss)
  for (int s = 0; s < samples; s++)
    for (int o = 0; o < outputs; o++) {
      float a = a2[s * outputs + o], wrong = a - target[s * outputs + o];
      loss += 0.5 * wrong * wrong;
      d2[s * outputs + o] = wrong * a * (1 - a);
    }
#pragma omp parallel for
  for (int s = 0; s < samples; s++)
    for (int h = 0; h < hidden; h++) {
      float sum = 0, a = a1[s * hidden + h];
      for (int o = 0; o < outputs; o++) sum += d2[s * outputs + o] * w2[h * outputs + o];
      d1[s * hidden + h] = sum * a * (1 - a);
    }
  gradients(samples, hidden, outputs, net->a1, net->d2, net->g2, net->gb2);
  gradients(samples, net->inputs, hidden, net->x, net->d1, net->g1, net->gb1);
  return loss / samples;
}

static void descend(int count, float* restrict weights, const float* restrict gradient, float rate) {
  for (int k = 0; k < count; k++) weights[k] -= rate * gradient[k];
}

void update(struct network* net, float rate) {
  descend(net->inputs * net->hidden, net->w1, net->g1, rate);
  descend(net->hidden, net->b1, net->gb1, rate);
  descend(net->hidden * net->outputs, net->w2, net->g2, rate);
  descend(net->outputs, net->b2, net->gb2, rate);
}
