/* A small network: layers whose activation is an enumeration, switched over for every neuron. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef enum { LINEAR, LOGISTIC, RELU, LEAKY, TANH, STAIR } Activation;

typedef struct {
  int inputs, outputs;
  Activation activation;
  double *weights, *bias, *output, *delta;
} Layer;

static double stair(double x) {
  int n = (int)floor(x);
  switch (n % 2) {
  case 0:
    return floor(x / 2.);
  default:
    return (x - n) + floor(x / 2.);
  }
}

static double activate(double x, Activation a) {
  switch (a) {
  case LOGISTIC:
    return 1. / (1. + exp(-x));
  case RELU:
    return x * (x > 0);
  case LEAKY:
    return x > 0 ? x : .1 * x;
  case TANH:
    return (exp(2 * x) - 1) / (exp(2 * x) + 1);
  case STAIR:
    return stair(x);
  case LINEAR:
    break;
  }
  return x;
}

static double slope(double y, Activation a) {
  switch (a) {
  case LOGISTIC:
    return (1 - y) * y;
  case RELU:
    return y > 0;
  case LEAKY:
    return y > 0 ? 1 : .1;
  case TANH:
    return 1 - y * y;
  case STAIR:
    return floor(y) == y ? 0 : 1;
  default:
    return 1;
  }
}

static void forward(Layer *l, const double *restrict input, double *restrict weights, double *restrict output,
                    double *restrict bias) {
  int i, j, n = l->inputs, m = l->outputs;
  Activation a = l->activation;
  for (i = 0; i < m; i++) { /* region: forward */
    double sum = bias[i];
    for (j = 0; j < n; j++)
      sum += weights[i * n + j] * input[j];
    output[i] = activate(sum, a);
  }
}

static void gradient(int m, Activation a, double *restrict delta, const double *restrict output) {
  int i = 0;
  while (i < m) { /* region: gradient */
    delta[i] *= slope(output[i], a);
    i++;
  }
}

int main(void) {
  int k, i, n = 40, m = 30;
  double *input = malloc(n * sizeof(double));
  for (i = 0; i < n; i++)
    input[i] = sin(i * .3);
  for (k = LINEAR; k <= STAIR; k++) {
    Layer l = {n, m, (Activation)k, malloc(n * m * sizeof(double)), malloc(m * sizeof(double)),
               malloc(m * sizeof(double)), malloc(m * sizeof(double))};
    for (i = 0; i < n * m; i++)
      l.weights[i] = cos(i * .7) * .5;
    for (i = 0; i < m; i++)
      l.bias[i] = i * .01, l.delta[i] = 1 + i;
    forward(&l, input, l.weights, l.output, l.bias);
    gradient(m, l.activation, l.delta, l.output);
    double sum = 0, change = 0;
    for (i = 0; i < m; i++)
      sum += l.output[i] * (i + 1), change += l.delta[i];
    printf("%d %.6f %.6f\n", k, sum, change);
    free(l.weights), free(l.bias), free(l.output), free(l.delta);
  }
  free(input);
  return 0;
}
