// Trains a small network to tell which of several patterns a noisy sample is: program [samples] [rounds].
#include "network.h"
#include <stdio.h>
#include <stdlib.h>

static unsigned seed = 17;
static float uniform(void) {
  seed = seed * 1664525u + 1013904223u;
  return (seed >> 8) / 16777216.0f;
}

static float* vector(long count) {
  float* memory = calloc(count, sizeof *memory);
  if (!memory) exit(2);
  return memory;
}

// The share of samples whose greatest output is the one that it should be.
static double hits(const struct network* net) {
  int right = 0;
  for (int s = 0; s < net->samples; s++) {
    int best = 0, wanted = 0;
    for (int o = 1; o < net->outputs; o++) {
      if (net->a2[s * net->outputs + o] > net->a2[s * net->outputs + best]) best = o;
      if (net->target[s * net->outputs + o] > 0.5f) wanted = o;
    }
    right += best == wanted;
  }
  return (double)right / net->samples;
}

int main(int argc, char** argv) {
  int samples = argc > 1 ? atoi(argv[1]) : 8192, rounds = argc > 2 ? atoi(argv[2]) : 60;
  const int inputs = 128, hidden = 64, outputs = 8;
  struct network net = {samples, inputs, hidden, outputs};
  net.x = vector((long)samples * inputs), net.target = vector((long)samples * outputs);
  net.w1 = vector(inputs * hidden), net.b1 = vector(hidden), net.w2 = vector(hidden * outputs), net.b2 = vector(outputs);
  net.a1 = vector((long)samples * hidden), net.a2 = vector((long)samples * outputs);
  net.d1 = vector((long)samples * hidden), net.d2 = vector((long)samples * outputs);
  net.g1 = vector(inputs * hidden), net.gb1 = vector(hidden), net.g2 = vector(hidden * outputs), net.gb2 = vector(outputs);
  float* patterns = vector((long)outputs * inputs);
  for (int k = 0; k < outputs * inputs; k++) patterns[k] = 2 * uniform() - 1;
  for (int k = 0; k < inputs * hidden; k++) net.w1[k] = 0.2f * (uniform() - 0.5f);
  for (int k = 0; k < hidden * outputs; k++) net.w2[k] = 0.5f * (uniform() - 0.5f);
  for (int s = 0; s < samples; s++) {
    int kind = s % outputs;
    net.target[s * outputs + kind] = 1;
    for (int i = 0; i < inputs; i++) net.x[s * inputs + i] = patterns[kind * inputs + i] + 2 * uniform() - 1;
  }
  double first = 0, last = 0;
  for (int t = 0; t < rounds; t++) {
    forward(&net);
    last = backward(&net);
    if (t == 0) first = last;
    update(&net, 1);
  }
  forward(&net);
  double share = hits(&net);
  printf("loss %.4f to %.4f, %.1f %% right\n", first, last, 100 * share);
  int right = last < 0.5 * first && share > 0.95;
  printf("%s\n", right ? "right" : "wrong");
  return !right;
}
