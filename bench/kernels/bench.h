/* What every kernel program shares: sizes, memory, reproducible input, timing, and a report of the results so
   that two builds can be compared. A program is one kernel file plus this header; link with -lm.

   Compile with -DMINI, -DSMALL (the default) or -DLARGE, and with -DSINGLE for float instead of double.
   At run time, from the environment:
     BENCH_TIME=1     print the kernel's wall-clock time to standard error
     BENCH_DUMP=1     print every element of the results instead of checksums
     BENCH_RAW=file   write every element to a file too, as doubles, after a line with name and count
     BENCH_N=33       replace the size named N of the program (BENCH_NI, BENCH_TSTEPS, ... likewise) */
#ifndef BENCH_H
#define BENCH_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#ifdef SINGLE
typedef float real;
#define SQRT(x) sqrtf(x)
#define EXP(x) expf(x)
#define SIN(x) sinf(x)
#define COS(x) cosf(x)
#else
typedef double real;
#define SQRT(x) sqrt(x)
#define EXP(x) exp(x)
#define SIN(x) sin(x)
#define COS(x) cos(x)
#endif

/* The size `name` of this program: from the environment, else the one of the data set compiled for. */
static inline int bench_size(const char* name, int mini, int small, int large) {
  char variable[64];
  snprintf(variable, sizeof variable, "BENCH_%s", name);
  const char* text = getenv(variable);
  if (text) {
    char* end;
    long size = strtol(text, &end, 10);
    if (end == text || *end || size < 1 || size > 1 << 30) {
      fprintf(stderr, "bench: %s=%s is not a size\n", variable, text);
      exit(2);
    }
    return (int)size;
  }
  (void)mini, (void)small, (void)large;
#if defined(LARGE)
  return large;
#elif defined(MINI)
  return mini;
#else
  return small;
#endif
}

/* Fresh memory of `bytes` bytes, uninitialised; free() it. */
__attribute__((malloc)) static inline void* bench_alloc(size_t bytes) {
  void* memory = malloc(bytes);
  if (!memory) {
    fprintf(stderr, "bench: no memory for %zu bytes\n", bytes);
    exit(1);
  }
  return memory;
}

/* Element `index` of the sequence `seed` of numbers that look random: 64 well-mixed bits. */
static inline uint64_t bench_bits(uint64_t seed, uint64_t index) {
  uint64_t bits = (seed << 40) + index + 1;
  bits *= 0x9e3779b97f4a7c15u;
  bits = (bits ^ (bits >> 32)) * 0xd6e8feb86659fd93u;
  bits = (bits ^ (bits >> 32)) * 0xd6e8feb86659fd93u;
  return bits ^ (bits >> 32);
}

/* The same as a number in [low, high). */
static inline real bench_number(uint64_t seed, uint64_t index, double low, double high) {
  return (real)(low + (high - low) * ((double)(bench_bits(seed, index) >> 11) * 0x1p-53));
}

/* Fills an array of `count` reals with sequence `seed`, in [low, high). */
static inline void bench_fill(void* array, size_t count, uint64_t seed, double low, double high) {
  real* element = array;
  for (size_t i = 0; i < count; i++)
    element[i] = bench_number(seed, i, low, high);
}

/* Fills an array of `count` ints with sequence `seed`, in 0 .. limit-1. */
static inline void bench_fill_int(int* array, size_t count, uint64_t seed, int limit) {
  for (size_t i = 0; i < count; i++)
    array[i] = (int)(bench_bits(seed, i) % (uint64_t)limit);
}

/* Fills a matrix that is symmetric and strictly diagonally dominant, hence positive definite and well
 * conditioned. */
static inline void bench_fill_spd(int n, real A[n][n], uint64_t seed) {
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < i; j++)
      A[i][j] = A[j][i] = bench_number(seed, (uint64_t)i * (uint64_t)n + (uint64_t)j, -1, 1);
    A[i][i] = (real)n;
  }
}

static inline double bench_now(void) {
  struct timespec now;
  timespec_get(&now, TIME_UTC);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Says on standard error, if it was asked for, how long `kernel` has run since bench_now() gave `start`. */
static inline void bench_time(const char* kernel, double start) {
  double seconds = bench_now() - start;
  if (getenv("BENCH_TIME")) fprintf(stderr, "bench: %s %.6f s\n", kernel, seconds);
}

/* The checksums of a result: its sum, its sum with weights that make the order matter, its largest magnitude.
 */
struct bench_sums {
  double sum, weighted, largest;
};

static inline void bench_add(struct bench_sums* sums, size_t index, double value) {
  sums->sum += value;
  sums->weighted += value * (1 + (double)(index % 1021) / 1021);
  if (!(fabs(value) <= sums->largest)) sums->largest = fabs(value);
}

static inline void bench_print_sums(const char* name, size_t count, struct bench_sums sums) {
  printf("%s[%zu] sum %.12e weighted %.12e largest %.12e\n", name, count, sums.sum, sums.weighted,
         sums.largest);
}

/* The file that BENCH_RAW names, with the head of a result written; NULL when it names none. */
static inline FILE* bench_raw(const char* name, size_t count) {
  const char* path = getenv("BENCH_RAW");
  FILE* file = path ? fopen(path, "ab") : NULL;
  if (file) fprintf(file, "%s %zu\n", name, count);
  return file;
}

/* Prints the result `name`, an array of `count` reals, in full or as checksums. */
static inline void bench_report(const char* name, const void* array, size_t count) {
  const real* element = array;
  struct bench_sums sums = {0, 0, 0};
  for (size_t i = 0; i < count; i++)
    bench_add(&sums, i, (double)element[i]);
  FILE* raw = bench_raw(name, count);
  for (size_t i = 0; raw && i < count; i++)
    fwrite(&(double){(double)element[i]}, sizeof(double), 1, raw);
  if (raw) fclose(raw);
  if (!getenv("BENCH_DUMP"))
    bench_print_sums(name, count, sums);
  else
    for (size_t i = 0; i < count; i++)
      printf("%s[%zu] %.17g\n", name, i, (double)element[i]);
}

/* The same for an array of ints. */
static inline void bench_report_int(const char* name, const int* array, size_t count) {
  struct bench_sums sums = {0, 0, 0};
  for (size_t i = 0; i < count; i++)
    bench_add(&sums, i, array[i]);
  FILE* raw = bench_raw(name, count);
  for (size_t i = 0; raw && i < count; i++)
    fwrite(&(double){(double)array[i]}, sizeof(double), 1, raw);
  if (raw) fclose(raw);
  if (!getenv("BENCH_DUMP"))
    bench_print_sums(name, count, sums);
  else
    for (size_t i = 0; i < count; i++)
      printf("%s[%zu] %d\n", name, i, array[i]);
}

#endif
