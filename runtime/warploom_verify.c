/* How `warploom verify` compares; see warploom_verify.h. */
#include "warploom_verify.h"

#include <float.h>
#include <math.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Default tolerances, relative to the largest value of the output: reductions are reordered. A result that
   cancels may be smaller than the roundings it is made of: those are allowed besides, by a bound that the
   region's own arithmetic gives (warploom_rounding.h). */
#define FLOAT_TOLERANCE 1e-3
#define DOUBLE_TOLERANCE 1e-6

/* An element type: `parts` numbers (a complex one has two) of `size` bytes. */
enum number { SIGNED, UNSIGNED, FLOATING };
struct type {
  const char* name;
  enum number number;
  size_t size;
  size_t parts;
  double tolerance;
  double epsilon; /* what one rounding may do to a number, twice: both forms round */
};

static const struct type types[] = {
    {"float", FLOATING, sizeof(float), 1, FLOAT_TOLERANCE, FLT_EPSILON},
    {"double", FLOATING, sizeof(double), 1, DOUBLE_TOLERANCE, DBL_EPSILON},
    {"long double", FLOATING, sizeof(long double), 1, DOUBLE_TOLERANCE, LDBL_EPSILON},
    {"float _Complex", FLOATING, sizeof(float), 2, FLOAT_TOLERANCE, FLT_EPSILON},
    {"double _Complex", FLOATING, sizeof(double), 2, DOUBLE_TOLERANCE, DBL_EPSILON},
    {"_Bool", UNSIGNED, sizeof(_Bool), 1, 0, 0},
    {"bool", UNSIGNED, sizeof(_Bool), 1, 0, 0},
    {"char", SIGNED, sizeof(char), 1, 0, 0},
    {"signed char", SIGNED, sizeof(char), 1, 0, 0},
    {"unsigned char", UNSIGNED, sizeof(char), 1, 0, 0},
    {"short", SIGNED, sizeof(short), 1, 0, 0},
    {"unsigned short", UNSIGNED, sizeof(short), 1, 0, 0},
    {"int", SIGNED, sizeof(int), 1, 0, 0},
    {"unsigned", UNSIGNED, sizeof(int), 1, 0, 0},
    {"unsigned int", UNSIGNED, sizeof(int), 1, 0, 0},
    {"long", SIGNED, sizeof(long), 1, 0, 0},
    {"unsigned long", UNSIGNED, sizeof(long), 1, 0, 0},
    {"long long", SIGNED, sizeof(long long), 1, 0, 0},
    {"unsigned long long", UNSIGNED, sizeof(long long), 1, 0, 0},
};

/* What the report says of one output of one region, over all passages. */
struct result {
  struct result* next;
  char* array;
  double maxAbsolute, maxRelative;
  bool mismatch;
  double allowed; /* what rounding alone may do, at most over all passages */
  size_t element; /* the first that differs too much */
  long double generated, original; /* and its values */
};

struct region {
  struct region* next;
  const char* name;
  unsigned long entries, compared;
  struct result* results;
};

/* One output of one passage. */
struct output {
  struct output* next;
  const char* name;
  const struct type* type;
  size_t count;    /* elements, */
  size_t stride;   /* bytes from one to the next, */
  char* data;      /* and where they live */
  char* entry;     /* their values on entry, side by side, */
  char* generated; /* after the generated form, */
  char* original;  /* and after the original */
  double rounding; /* what rounding alone may do to an element */
};

struct frame {
  const char* region;
  bool ran;
  struct output *outputs, **last;
};

static struct region *regions, **lastRegion = &regions;
static double givenTolerance = -1;
static atomic_flag lock =
    ATOMIC_FLAG_INIT; /* for all of the above: regions may be entered by several threads */

static void* claim(size_t bytes) {
  void* memory = calloc(1, bytes ? bytes : 1);
  if (!memory) {
    fprintf(stderr, "warploom: verify: there is no memory for a copy of %zu bytes\n", bytes);
    fflush(NULL);
    _Exit(1);
  }
  return memory;
}

static char* copyOf(const char* data, size_t bytes) {
  char* copy = claim(bytes);
  if (bytes) memcpy(copy, data, bytes);
  return copy;
}

static size_t elementBytes(const struct output* output) {
  return output->type->size * output->type->parts;
}

/* The elements as they are now, side by side. */
static char* valuesOf(const struct output* output) {
  size_t bytes = elementBytes(output);
  if (bytes == output->stride) return copyOf(output->data, output->count * bytes);
  char* copy = claim(output->count * bytes);
  for (size_t k = 0; k < output->count; ++k)
    memcpy(copy + k * bytes, output->data + k * output->stride, bytes);
  return copy;
}

/* Gives the elements the values they had on entry. */
static void restore(const struct output* output) {
  size_t bytes = elementBytes(output);
  for (size_t k = 0; k < output->count; ++k)
    memcpy(output->data + k * output->stride, output->entry + k * bytes, bytes);
}

static long double floatingAt(const char* data, size_t size) {
  float single;
  double twice;
  long double extended;
  if (size == sizeof single) return memcpy(&single, data, sizeof single), single;
  if (size == sizeof twice) return memcpy(&twice, data, sizeof twice), twice;
  return memcpy(&extended, data, sizeof extended), extended;
}

/* The bytes of an integer, sign-extended. */
static unsigned long long integerAt(const char* data, const struct type* type) {
  bool negative = type->number == SIGNED;
  signed char c;
  short s;
  int i;
  long long l;
  switch (type->size) {
  case sizeof c:
    memcpy(&c, data, sizeof c);
    return negative ? (unsigned long long)c : (unsigned char)c;
  case sizeof s:
    memcpy(&s, data, sizeof s);
    return negative ? (unsigned long long)s : (unsigned short)s;
  case sizeof i:
    memcpy(&i, data, sizeof i);
    return negative ? (unsigned long long)i : (unsigned)i;
  default:
    memcpy(&l, data, sizeof l);
    return (unsigned long long)l;
  }
}

static long double valueAt(const char* data, const struct type* type) {
  if (type->number == FLOATING) return floatingAt(data, type->size);
  unsigned long long bits = integerAt(data, type);
  return type->number == SIGNED ? (long double)(long long)bits : (long double)bits;
}

/* The difference of two numbers. Two NaNs are equal, as are two equal infinities; a NaN and a number are
   infinitely far apart. long double need not hold every 64-bit integer, so integers are subtracted as such.
 */
static long double distance(const char* a, const char* b, const struct type* type) {
  if (type->number != FLOATING) {
    unsigned long long x = integerAt(a, type), y = integerAt(b, type);
    bool less = type->number == SIGNED ? (long long)x < (long long)y : x < y;
    return (long double)(less ? y - x : x - y);
  }
  long double x = floatingAt(a, type->size), y = floatingAt(b, type->size);
  if (x == y || (isnan(x) && isnan(y))) return 0;
  return isnan(x) || isnan(y) ? (long double)INFINITY : fabsl(x - y);
}

static void compare(const struct output* output, struct result* result) {
  const struct type* type = output->type;
  size_t numbers = output->count * type->parts;
  long double largest = 0;
  for (size_t k = 0; k < numbers; ++k) {
    long double value = fabsl(valueAt(output->original + k * type->size, type));
    if (isfinite(value) && value > largest) largest = value;
  }
  const bool given = type->number == FLOATING && givenTolerance >= 0;
  const double tolerance = given ? givenTolerance : type->tolerance, rounding = given ? 0 : output->rounding;
  if (rounding > result->allowed) result->allowed = rounding;
  for (size_t k = 0; k < numbers; ++k) {
    const char *original = output->original + k * type->size, *generated = output->generated + k * type->size;
    long double apart = distance(generated, original, type);
    if (apart == 0) continue;
    long double a = fabsl(valueAt(generated, type)), b = fabsl(valueAt(original, type));
    long double relative = isinf(apart) ? apart : apart / (a > b ? a : b);
    if (apart > result->maxAbsolute) result->maxAbsolute = (double)apart;
    if (relative > result->maxRelative) result->maxRelative = (double)relative;
    if (apart <= tolerance * largest || apart <= rounding || result->mismatch) continue;
    result->mismatch = true;
    result->element = k / type->parts;
    result->generated = valueAt(generated, type);
    result->original = valueAt(original, type);
  }
}

/* Writes the report; after a mismatch ends the program with status 1. */
static void report(void) {
  const char* path = getenv("WARPLOOM_VERIFY_REPORT");
  FILE* out = path && *path ? fopen(path, "w") : stdout;
  if (!out) {
    perror(path);
    fflush(NULL);
    _Exit(1);
  }
  unsigned long compared = 0, mismatches = 0, outputs = 0;
  for (const struct region* region = regions; region; region = region->next) {
    compared += region->compared > 0;
    if (!region->compared)
      fprintf(out, "verify: region %s was not compared: each of %lu times it stayed on the host\n",
              region->name, region->entries);
    else if (!region->results)
      fprintf(out, "verify: region %s has no outputs\n", region->name);
    for (const struct result* result = region->results; result; result = result->next) {
      ++outputs;
      mismatches += result->mismatch;
      fprintf(out, "verify: region %s array %s max abs %.3g max rel %.3g %s\n", region->name, result->array,
              result->maxAbsolute, result->maxRelative, result->mismatch ? "MISMATCH" : "ok");
      if (result->mismatch)
        fprintf(out, "verify: region %s array %s element %zu is %.17Lg, and was %.17Lg in the original\n",
                region->name, result->array, result->element, result->generated, result->original);
      if (result->mismatch && result->allowed > 0)
        fprintf(out, "verify: region %s array %s rounding alone may do %.3g\n", region->name, result->array,
                result->allowed);
    }
  }
  fprintf(out, "verify: %lu regions compared, %lu arrays, %lu mismatches\n", compared, outputs, mismatches);
  bool written = fflush(out) == 0;
  if (mismatches == 0 && written) return;
  fflush(NULL);
  _Exit(1);
}

static void take(void) {
  while (atomic_flag_test_and_set_explicit(&lock, memory_order_acquire)) {
  }
}

static void give(void) {
  atomic_flag_clear_explicit(&lock, memory_order_release);
}

static void start(void) {
  static bool started;
  if (started) return;
  started = true;
  atexit(report);
  const char* text = getenv("WARPLOOM_TOLERANCE");
  if (!text || !*text) return;
  char* end;
  givenTolerance = strtod(text, &end);
  if (*end || !(givenTolerance >= 0)) {
    fprintf(stderr, "warploom: verify: WARPLOOM_TOLERANCE is '%s', which is no tolerance\n", text);
    fflush(NULL);
    _Exit(1);
  }
}

static struct region* regionNamed(const char* name) {
  for (struct region* region = regions; region; region = region->next)
    if (strcmp(region->name, name) == 0) return region;
  struct region* region = claim(sizeof *region);
  region->name = name;
  *lastRegion = region;
  lastRegion = &region->next;
  return region;
}

static struct result* resultFor(struct region* region, const char* array) {
  struct result** at = &region->results;
  for (; *at; at = &(*at)->next)
    if (strcmp((*at)->array, array) == 0) return *at;
  *at = claim(sizeof **at);
  (*at)->array = copyOf(array, strlen(array) + 1);
  return *at;
}

void* warploom_verify_enter(const char* name) {
  take();
  start();
  ++regionNamed(name)->entries;
  give();
  struct frame* frame = claim(sizeof *frame);
  frame->region = name;
  frame->last = &frame->outputs;
  return frame;
}

void warploom_verify_save(void* context, const char* name, void* data, unsigned long count,
                          unsigned long stride, const char* type) {
  struct frame* frame = context;
  struct output* output = claim(sizeof *output);
  for (size_t k = 0; k < sizeof types / sizeof *types; ++k)
    if (strcmp(types[k].name, type) == 0) output->type = &types[k];
  if (!output->type) {
    fprintf(stderr, "warploom: verify: region %s: elements of type '%s' (array %s) cannot be compared\n",
            frame->region, type, name);
    fflush(NULL);
    _Exit(1);
  }
  output->name = name;
  output->count = count;
  output->stride = stride;
  output->data = data;
  output->entry = valuesOf(output);
  *frame->last = output;
  frame->last = &output->next;
}

void warploom_verify_rounding(void* context, const char* name, double roundings, double size) {
  struct frame* frame = context;
  for (struct output* output = frame->outputs; output; output = output->next)
    if (strcmp(output->name, name) == 0 && output->type->number == FLOATING && isfinite(roundings * size))
      output->rounding = output->type->epsilon * roundings * size;
}

void warploom_verify_ran(void* context, int ran) {
  struct frame* frame = context;
  frame->ran = ran != 0;
  for (struct output* output = frame->outputs; output && ran; output = output->next)
    output->generated = valuesOf(output);
  /* Only now: outputs may share memory. */
  for (struct output* output = frame->outputs; output; output = output->next)
    restore(output);
}

void warploom_verify_leave(void* context) {
  struct frame* frame = context;
  take();
  struct region* region = regionNamed(frame->region);
  region->compared += frame->ran;
  while (frame->outputs) {
    struct output* output = frame->outputs;
    if (frame->ran) {
      output->original = valuesOf(output);
      compare(output, resultFor(region, output->name));
    }
    frame->outputs = output->next;
    free(output->entry);
    free(output->generated);
    free(output->original);
    free(output);
  }
  give();
  free(frame);
}
