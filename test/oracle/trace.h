/* Forced into every traced C file (clang -include). Marks loop iterations by the preprocessor alone and
   declares the calls that instrument.py writes into the text. Everything here is implemented in
   trace_runtime.cpp. */
#ifndef WARPLOOM_ORACLE_TRACE_H
#define WARPLOOM_ORACLE_TRACE_H

/* Headers come first: they may contain `for`. */
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define WL_TRACE 1

struct wl_scope {
  int entered;
};
struct wl_scope wl_enter(int line);
int wl_once(struct wl_scope* scope); /* 1 the first time: what follows is the init part of the `for` */
int wl_test(void);                   /* 1; stands before the condition of the innermost `for` */
int wl_iteration(void);              /* 0; stands first in the body */
void wl_exit(struct wl_scope* scope);

/* A local object lives from here until the guard dies at the end of its scope. `kind`: i integer scalar, s
   other scalar, a array or struct. `written`: the declaration has an initialiser. */
struct wl_guard {
  const void* base;
};
struct wl_guard wl_local(const void* base, size_t bytes, size_t granule, const char* name, char kind,
                         int written);
void wl_unlocal(struct wl_guard* guard);
void wl_global(void* base, size_t bytes, size_t granule, const char* name, char kind, char fill);
/* By address, so that the call itself reads nothing. */
void wl_pointer(const char* function, const char* name, const void* variable);
void wl_value(const char* function, const char* name, const void* variable, size_t bytes);

/* The driver at the end of a corpus file: RUN(f(n, a)) calls f at several sizes n, each time with fresh data.
 */
void wl_begin(const char* call);
int wl_next(int* n);
#define RUN(...)                                                                                             \
  do {                                                                                                       \
    int n;                                                                                                   \
    wl_begin(#__VA_ARGS__);                                                                                  \
    while (wl_next(&n)) {                                                                                    \
      (void)n;                                                                                               \
      __VA_ARGS__;                                                                                           \
    }                                                                                                        \
  } while (0)

#define for(...)                                                                                             \
  for (struct wl_scope wl_s __attribute__((cleanup(wl_exit))) = wl_enter(__LINE__); wl_once(&wl_s);)         \
    for (__VA_ARGS__)                                                                                        \
      if (wl_iteration()) {                                                                                  \
      } else

#endif
