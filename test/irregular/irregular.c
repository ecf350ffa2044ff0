// Irregular loops, each in a function of its name: the driver calls all of them and prints sums of what they
// leave. irregular_test.py knows how many levels each has.
#include <stdio.h>
#include <stdlib.h>

#define MOST 3001
#ifndef SIZES
#define SIZES 6 /* how many of the sizes below */
#endif

static double q[MOST], x[MOST], y[MOST];
static int a[MOST], b[MOST], c[MOST], d[MOST], w[MOST], mark[MOST];

/* scatter by a permutation, or not */
void scatter(int n) {
  for (int i = 0; i < n; i++) /* region: scatter */
    q[a[i]] = x[i] * 0.5 + i;
}

/* q[a[i]] = q[b[i]] + q[c[i]] */
void three(int n) {
  for (int i = 2; i < n; i++) /* region: three */
    q[a[i]] = q[b[i]] * 0.5 + q[c[i]] * 0.25;
}

/* downwards, two iterations back */
void two_back(int n) {
  for (int i = n - 1; i >= 2; i--) /* region: two_back */
    q[a[i]] = q[a[i - 2]] + 1;
}

/* two levels of indirection */
void through_two(int n) {
  for (int i = 0; i < n; i++) /* region: through_two */
    q[a[b[i]]] = q[c[d[i]]] * 0.5 + x[i];
}

/* conditions that are known before, and some that are not */
void conditions(int n) {
  for (int i = 0; i < n; i++) /* region: conditions */
    if (w[i] > 2) {
      if (q[b[i]] > 1) q[a[i]] = q[b[i]] - 1;
    }
}

/* a scalar of the iteration, and several arrays */
void scalars(int n) {
  for (int i = 0; i < n; i++) { /* region: scalars */
    int from = b[i], to = a[i];
    if (w[i] == 0) to = c[i];
    double t = q[from];
    q[to] = t * 0.5 + y[from];
    y[to] += 1;
  }
}

/* an inner loop: each iteration uses several elements */
void several(int n) {
  for (int i = 0; i < n / 4; i++) /* region: several */
    for (int k = 0; k < 3; k++)
      q[a[4 * i + k]] = q[b[4 * i + k]] + k;
}

/* the level of an iteration is that of the loop inside: the host repeats it */
void repeated(int n, int times) {
  for (int t = 0; t < times; t++) /* region: repeated */
    for (int i = 0; i < n; i++)
      q[a[i]] = q[b[i]] * 0.5 + 1;
}

static int A[5][5][5], B[50][50], C[50][50], D[50][50];

/* three subscripts from data, the inner loop downwards */
void cube(void) {
  for (int i = 0; i < 50; i++) /* region: cube */
    for (int j = 49; j >= 0; j--)
      A[B[i][j]][C[i][j]][D[i][j]] =
          (A[C[i][j]][D[i][j]][B[i][j]] + A[D[i][j]][B[i][j]][C[i][j]]) % 1000000007;
}

/* pointers, which may overlap what they choose by */
void pointers(int n, float *to, const int *where, const float *from) {
  for (int i = 0; i < n; i++) /* region: pointers */
    to[where[i]] = from[i] + (to[where[i]] + to[i]) * 0.25f;
}

/* what is chosen by is written in the loop: one iteration after the other */
void own_index(int n) {
  for (int i = 0; i < n; i++) { /* no levels: own_index */
    a[i] = (a[i] * 7 + 1) % n;
    q[a[i]] = q[b[i]] + 1;
  }
}

/* the next place is what the last one holds: stays */
int follow(int n) {
  int at = 0;
  for (int i = 0; i < n; i++) { /* in order: follow */
    at = mark[at];
    mark[at] = mark[at] ^ 1;
  }
  return at;
}

/* a sum through data: atomics, not levels */
void add_up(int n) {
  for (int i = 0; i < n; i++) /* region: add_up */
    mark[a[i]] += w[i];
}

/* whole numbers that may be their own places */
void numbers(int n, int *to, const int *where) {
  for (int i = 0; i < n; i++) /* region: numbers */
    to[where[i]] = to[i] / 2 + i / 4;
}

/* The driver is the host's: what is volatile stays there, in its order. */
static volatile unsigned state = 1;
static int next(int n) {
  state = state * 1664525u + 1013904223u;
  return (int)((state >> 8) % (unsigned)n);
}

static void fill(int n, int range) {
  for (int i = 0; i < MOST; i++) {
    q[i] = 1 + i % 7;
    x[i] = i % 11;
    y[i] = i % 5;
    w[i] = next(6);
    mark[i] = next(range);
    a[i] = next(range);
    b[i] = next(range);
    c[i] = next(range);
    d[i] = next(range);
  }
  for (int i = 0; i < 50; i++)
    for (int j = 0; j < 50; j++) {
      B[i][j] = next(5);
      C[i][j] = next(5);
      D[i][j] = next(5);
    }
  for (volatile int i = 0; i < 125; i++) A[i / 25][i / 5 % 5][i % 5] = i;
  (void)n;
}

static void permute(int n) {
  for (volatile int i = 0; i < n; i++) a[i] = i;
  for (int i = n - 1; i > 0; i--) {
    int k = next(i + 1), t = a[i];
    a[i] = a[k];
    a[k] = t;
  }
}

static void show(const char *name, int n) {
  volatile double sum = 0;
  volatile long marks = 0;
  for (int i = 0; i < MOST; i++) {
    sum += q[i] * (1 + i % 13) + y[i] * (i % 3);
    marks += (long)mark[i] * (i % 17) + a[i];
  }
  for (int i = 0; i < 125; i++) marks += (long)A[i / 25][i / 5 % 5][i % 5] * i;
  printf("%s %d %.17g %ld\n", name, n, sum, marks);
}

#ifdef CHAINS
/* The longest chain of iterations of which each has to wait for the one before: `count` iterations, of which
   number k writes w[k] and reads r[k] and v[k]. By looking at all pairs. */
static int w_[MOST], r_[MOST], v_[MOST], level_[MOST];
static void chain(const char *name, int count) {
  int longest = 0;
  for (int k = 0; k < count; k++) {
    level_[k] = 1;
    for (int j = 0; j < k; j++)
      if ((w_[j] == w_[k] || w_[j] == r_[k] || w_[j] == v_[k] || r_[j] == w_[k] || v_[j] == w_[k]) &&
          level_[j] >= level_[k])
        level_[k] = level_[j] + 1;
    if (level_[k] > longest) longest = level_[k];
  }
  printf("chain %s %d %d\n", name, longest, count > 0 ? count : 0);
}
#define CHAIN(NAME, COUNT, I, W, R, V)                                                                         \
  do {                                                                                                        \
    for (int k = 0; k < (COUNT); k++) {                                                                       \
      const int i = I;                                                                                        \
      w_[k] = W;                                                                                              \
      r_[k] = R;                                                                                              \
      v_[k] = V;                                                                                              \
    }                                                                                                         \
    chain(NAME, COUNT);                                                                                       \
  } while (0)
#else
#define CHAIN(NAME, COUNT, I, W, R, V)
#endif

int main(void) {
  const int sizes[] = {0, 1, 2, 3, 500, MOST};
  for (int s = 0; s < SIZES; s++) {
    const int n = sizes[s], range = n > 0 ? (n * 2 + 4) / 5 : 1;
    fill(n, range);
    CHAIN("scatter", n, k, a[i], -1, -1);
    scatter(n);
    show("scatter", n);
    fill(n, range);
    permute(n);
    CHAIN("scatter", n, k, a[i], -1, -1);
    scatter(n);
    show("permutation", n);
    fill(n, range);
    CHAIN("three", n - 2, k + 2, a[i], b[i], c[i]);
    three(n);
    show("three", n);
    three(n); /* the same index arrays: the same levels */
    show("three again", n);
    b[n / 2] = 0;
    c[n / 2] = n > 4 ? a[n / 2 - 1] : 0;
    CHAIN("three", n - 2, k + 2, a[i], b[i], c[i]);
    three(n);
    show("three changed", n);
    for (volatile int i = 0; i < n; i++) a[i] = b[i] = c[i] = i;
    CHAIN("three", n - 2, k + 2, a[i], b[i], c[i]);
    three(n);
    show("three in place", n);
    fill(n, range);
    CHAIN("two_back", n - 2, n - 1 - k, a[i], a[i - 2], -1);
    two_back(n);
    show("two_back", n);
    fill(n, range);
    CHAIN("through_two", n, k, a[b[i]], c[d[i]], -1);
    through_two(n);
    show("through_two", n);
    fill(n, range);
    conditions(n);
    show("conditions", n);
    fill(n, range);
    scalars(n);
    show("scalars", n);
    fill(n, range);
    several(n);
    show("several", n);
    fill(n, range);
    repeated(n, 3);
    show("repeated", n);
    fill(n, range);
    CHAIN("cube", 2500, k, (B[i / 50][49 - i % 50] * 5 + C[i / 50][49 - i % 50]) * 5 + D[i / 50][49 - i % 50],
          (C[i / 50][49 - i % 50] * 5 + D[i / 50][49 - i % 50]) * 5 + B[i / 50][49 - i % 50],
          (D[i / 50][49 - i % 50] * 5 + B[i / 50][49 - i % 50]) * 5 + C[i / 50][49 - i % 50]);
    cube();
    show("cube", n);
    fill(n, range);
    own_index(n);
    show("own_index", n);
    fill(n, range);
    if (n > 0) printf("follow %d\n", follow(n));
    show("follow", n);
    fill(n, range);
    add_up(n);
    show("add_up", n);
    {
      float *to = malloc((n + 8) * sizeof *to), *from = malloc((n + 8) * sizeof *from);
      int *where = malloc((n + 8) * sizeof *where);
      for (int i = 0; i < n + 8; i++) {
        to[i] = i % 3;
        from[i] = i % 4;
        where[i] = n > 0 ? next(n) : 0;
      }
      pointers(n, to, where, from);
      volatile double sum = 0;
      for (int i = 0; i < n; i++) sum += to[i];
      pointers(n / 2, to, where, to + n / 2);
      for (int i = 0; i < n; i++) sum += to[i];
      for (volatile int i = 0; i < n; i++) where[i] -= 4; /* places before the pointer's */
      pointers(n, to + 4, where, from);
      for (int i = 0; i < n + 4; i++) sum += to[i];
      for (volatile int i = 0; i < n; i++) where[i] += 4;
      printf("pointers %d %.9g\n", n, sum);
      int *places = malloc((n + 8) * sizeof *places);
      volatile long all = 0;
      for (volatile int i = 0; i < n; i++) places[i] = i % 5;
      numbers(n, places, where);
      for (int i = 0; i < n; i++) all += (long)places[i] * (i % 7);
      numbers(n, where, where);
      for (int i = 0; i < n; i++) all += (long)where[i] * (i % 7);
      numbers(n / 2, where, where + n / 2);
      for (int i = 0; i < n; i++) all += (long)where[i] * (i % 7);
      printf("numbers %d %ld\n", n, all);
      free(places);
      free(to);
      free(from);
      free(where);
    }
  }
  return 0;
}
