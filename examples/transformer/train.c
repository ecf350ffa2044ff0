/* Trains a small GPT on a toy language: each word has one successor, and now and then the sentence begins anew.
   train [steps [batch tokens channels heads layers words]] */
#include "model.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static unsigned state = 12345;

static unsigned draw(unsigned below) {
  state = state * 1664525u + 1013904223u;
  return (state >> 8) % below;
}

static void next_batch(int *input, int *target, const int *successor, struct sizes s) {
  for (int b = 0; b < s.batch; b++) {
    int word = draw(s.words);
    for (int t = 0; t < s.tokens; t++) {
      input[b * s.tokens + t] = word;
      word = draw(20) == 0 ? (int)draw(s.words) : successor[word];
      target[b * s.tokens + t] = word;
    }
  }
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec + 1e-9 * t.tv_nsec;
}

int main(int argc, char **argv) {
  struct sizes s = {4, 16, 32, 4, 2, 50};
  int steps = argc > 1 ? atoi(argv[1]) : 20;
  int *given[] = {&s.batch, &s.tokens, &s.channels, &s.heads, &s.layers, &s.words};
  for (int i = 0; i < 6 && i + 2 < argc; i++) *given[i] = atoi(argv[i + 2]);
  if (steps < 1 || s.heads < 1 || s.channels % s.heads != 0 || s.batch < 1 || s.tokens < 1 || s.layers < 1 || s.words < 2) {
    fprintf(stderr, "train: sizes must be positive, and channels a multiple of heads\n");
    return 1;
  }
  int *successor = malloc(s.words * sizeof(int)), *input = malloc(s.batch * s.tokens * sizeof(int));
  int *target = malloc(s.batch * s.tokens * sizeof(int));
  for (int w = 0; w < s.words; w++) successor[w] = draw(s.words);
  struct model m;
  model_make(&m, s, 7);
  printf("%zu weights\n", m.weight.count);
  for (int step = 1; step <= steps; step++) {
    next_batch(input, target, successor, s);
    double begin = now();
    float loss = model_forward(&m, input, target);
    model_backward(&m, input, target);
    model_update(&m, 3e-3f, step);
    printf("step %d loss %.5f", step, loss);
    if (getenv("TIMES")) printf(" %.2f ms", (now() - begin) * 1e3);
    printf("\n");
  }
  model_free(&m);
  free(successor);
  free(input);
  free(target);
  return 0;
}
