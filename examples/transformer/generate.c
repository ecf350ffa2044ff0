/* Writes words with a decoder whose weights are in a file, which random_weights makes.
   generate WEIGHTS [words [temperature [seed]]]; with temperature 0 the likeliest word is taken */
#include "decode.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

struct header {
  int mark, channels, hidden, layers, heads, shared, words, context;
};

struct decoder {
  struct header size;
  void *file;
  size_t bytes;
  const float *word, *norm1, *query, *key, *value, *out, *norm2, *gate, *up, *down, *last; /* in the file */
  float *x, *normed, *q, *mixed, *part, *score, *hidden, *wide, *logits;
  float *keys, *values; /* [layer][token][channel] */
};

static const float *take(const float **next, size_t count) {
  const float *here = *next;
  *next += count;
  return here;
}

static float *room(size_t count) {
  float *block = calloc(count, sizeof(float));
  if (!block) abort();
  return block;
}

static int open_decoder(struct decoder *d, const char *name) {
  int file = open(name, O_RDONLY);
  struct stat about;
  if (file < 0 || fstat(file, &about) != 0 || about.st_size < (off_t)sizeof(struct header)) return 0;
  d->bytes = about.st_size;
  d->file = mmap(NULL, d->bytes, PROT_READ, MAP_PRIVATE, file, 0);
  close(file);
  if (d->file == MAP_FAILED) return 0;
  d->size = *(const struct header *)d->file;
  struct header s = d->size;
  if (s.mark != 0x57454947 || s.heads < 1 || s.shared < 1 || s.channels % s.heads || s.heads % s.shared) return 0;
  size_t C = s.channels, L = s.layers, H = s.hidden, K = C / s.heads * s.shared;
  const float *begin = (const float *)((const struct header *)d->file + 1), *next = begin;
  d->word = take(&next, s.words * C);
  d->norm1 = take(&next, L * C);
  d->query = take(&next, L * C * C);
  d->key = take(&next, L * K * C);
  d->value = take(&next, L * K * C);
  d->out = take(&next, L * C * C);
  d->norm2 = take(&next, L * C);
  d->gate = take(&next, L * H * C);
  d->up = take(&next, L * H * C);
  d->down = take(&next, L * C * H);
  d->last = take(&next, C);
  if ((size_t)(next - begin) * sizeof(float) + sizeof(struct header) != d->bytes) return 0;
  d->x = room(C), d->normed = room(C), d->q = room(C), d->mixed = room(C), d->part = room(C);
  d->score = room((size_t)s.heads * s.context);
  d->hidden = room(H), d->wide = room(H), d->logits = room(s.words);
  d->keys = room(L * s.context * K), d->values = room(L * s.context * K);
  return 1;
}

static void close_decoder(struct decoder *d) {
  float *blocks[] = {d->x, d->normed, d->q, d->mixed, d->part, d->score, d->hidden, d->wide, d->logits, d->keys, d->values};
  for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) free(blocks[i]);
  munmap(d->file, d->bytes);
}

/* Leaves the logits of the word after `word`, which is at that position. */
static void step(struct decoder *d, int word, int position) {
  struct header s = d->size;
  size_t C = s.channels, H = s.hidden;
  int size = C / s.heads, K = size * s.shared;
  for (int c = 0; c < s.channels; c++) d->x[c] = d->word[word * C + c];
  for (int l = 0; l < s.layers; l++) {
    float *keys = d->keys + (size_t)l * s.context * K, *values = d->values + (size_t)l * s.context * K;
    rms_norm(d->normed, d->x, d->norm1 + l * C, C);
    multiply(d->q, d->query + l * C * C, d->normed, C, C);
    multiply(keys + position * K, d->key + l * K * C, d->normed, K, C);
    multiply(values + position * K, d->value + l * K * C, d->normed, K, C);
    rotate(d->q, s.heads, size, position);
    rotate(keys + position * K, s.shared, size, position);
    attend_cached(d->mixed, d->score, d->q, keys, values, position, s.heads, s.shared, size);
    multiply(d->part, d->out + l * C * C, d->mixed, C, C);
    add_to(d->x, d->part, C);
    rms_norm(d->normed, d->x, d->norm2 + l * C, C);
    multiply(d->hidden, d->gate + l * H * C, d->normed, H, C);
    multiply(d->wide, d->up + l * H * C, d->normed, H, C);
    swiglu(d->hidden, d->wide, H);
    multiply(d->part, d->down + l * C * H, d->hidden, C, H);
    add_to(d->x, d->part, C);
  }
  rms_norm(d->normed, d->x, d->last, C);
  multiply(d->logits, d->word, d->normed, s.words, C);
}

static unsigned long long noise = 1;

static float uniform(void) {
  noise ^= noise << 13;
  noise ^= noise >> 7;
  noise ^= noise << 17;
  return (noise >> 40) / 16777216.0f;
}

static int choose(float *logits, int n, float temperature) {
  int best = 0;
  if (temperature <= 0.0f) {
    for (int i = 1; i < n; i++)
      if (logits[i] > logits[best]) best = i;
    return best;
  }
  softmax(logits, n, temperature);
  float left = uniform();
  for (int i = 0; i < n; i++) {
    left -= logits[i];
    if (left < 0.0f) return i;
  }
  return n - 1;
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec + 1e-9 * t.tv_nsec;
}

int main(int argc, char **argv) {
  struct decoder d;
  if (argc < 2 || !open_decoder(&d, argv[1])) {
    fprintf(stderr, "usage: generate WEIGHTS [words [temperature [seed]]], where random_weights has made WEIGHTS\n");
    return 1;
  }
  int words = argc > 2 ? atoi(argv[2]) : d.size.context;
  float temperature = argc > 3 ? atof(argv[3]) : 0.0f;
  noise = 88172645463325252ull + (argc > 4 ? strtoull(argv[4], NULL, 10) : 0);
  if (words > d.size.context) words = d.size.context;
  int word = 1;
  double begin = now();
  for (int position = 0; position < words; position++) {
    step(&d, word, position);
    float first = d.logits[0];
    word = choose(d.logits, d.size.words, temperature);
    printf("%d %.4f\n", word, first);
  }
  if (getenv("TIMES")) printf("%.3f ms a word\n", (now() - begin) * 1e3 / words);
  close_decoder(&d);
  return 0;
}
