// Sums, extrema and flags of types narrower than a word, alone and as elements that data select: generated programs print what the C
// compiler's do.
// RUN: cc -w %s -o %t.c.prog && %t.c.prog > %t.expected
// RUN: %exits 0 %warploom build %s -o %t.prog --target cpu --sanitize -- -w
// RUN: env WARPLOOM_DEVICE=gpu WARPLOOM_TIMING=1 %exits 0 %t.prog 2> %t.times > %t.got
// RUN: diff %t.expected %t.got
// RUN: FileCheck --input-file=%t.times %s
// CHECK-COUNT-18: path gpu
#include <stdio.h>
#define N 300
unsigned char uc[N], into[256];
short sh[N], sums[256];
signed char sc[N];
_Bool seen[256], kept[256];
unsigned char sum(int n) { unsigned char s = 3; for (int i = 0; i < n; i++) s += uc[i]; return s; }
short difference(int n) { short s = -5; for (int i = 0; i < n; i++) s -= sh[i]; return s; }
unsigned char product(int n) { unsigned char s = 1; for (int i = 0; i < n; i++) s *= uc[i] | 1; return s; }
short largest(int n) { short s = -9; for (int i = 0; i < n; i++) if (s < sh[i]) s = sh[i]; return s; }
signed char least(int n) { signed char s = 100; for (int i = 0; i < n; i++) s = sc[i] < s ? sc[i] : s; return s; }
short mixed(int n) { short s = 0; for (int i = 0; i < n; i++) if (uc[i] > s) s = uc[i]; return s; }
_Bool any(int n) { _Bool s = 0; for (int i = 0; i < n; i++) s |= uc[i] == 77; return s; }
_Bool all(int n) { _Bool s = 1; for (int i = 0; i < n; i++) s = s && sh[i] > -20000; return s; }
_Bool odd(int n) { _Bool s = 1; for (int i = 0; i < n; i++) s &= uc[i]; return s; }
/* A dead temporary is no reason to stay, nor is a second flag of one name. */
int twice(int n) { int s = 0; for (int i = 0; i < n; i++) { int unused = sh[i]; s = s || uc[i] > 250; }
  for (int i = 0; i < n; i++) s = s || sc[i] > 126; return s; }
void count(int n) { for (int i = 0; i < n; i++) into[uc[i]]++; }
void collect(int n) { for (int i = 0; i < n; i++) sums[uc[i]] += sc[i]; }
void mark(int n) { for (int i = 0; i < n; i++) seen[uc[i]] |= sh[i] > 0; }
void keep(int n) { for (int i = 0; i < n; i++) kept[uc[i]] &= sh[i]; }
/* Loops that data bound; whole numbers that take in fractions are rounded at every step, truth values cut off. */
int at[101], rounded[100];
unsigned char rest[100];
_Bool flags[100];
double v[N];
void fractions(int n) { for (int i = 0; i < n; i++) { int s = i; for (int k = at[i]; k < at[i + 1]; k++) s += v[k]; rounded[i] = s; } }
void bytes(int n) { for (int i = 0; i < n; i++) { unsigned char s = i; for (int k = at[i]; k < at[i + 1]; k++) s += uc[k]; rest[i] = s; } }
void truths(int n) { for (int i = 0; i < n; i++) { _Bool s = i & 1; for (int k = at[i]; k < at[i + 1]; k++) s += uc[k] % 3 - 1; flags[i] = s; } }
int main(void) {
  unsigned x = 1;
  for (int i = 0; i < N; i++) {
    x = x * 1664525u + 1013904223u;
    uc[i] = x >> 24; sh[i] = x >> 13; sc[i] = x >> 20;
  }
  for (int i = 0; i < 256; i++) kept[i] = 1;
  for (int n = 0; n <= N; n += 150) {
    printf("%d %d %d %d %d %d ", sum(n), difference(n), product(n), largest(n), least(n), mixed(n));
    printf("%d %d %d %d\n", any(n), all(n), odd(n), twice(n));
    count(n); collect(n); mark(n); keep(n);
  }
  for (int i = 0; i < 256; i++) printf("%d %d %d %d\n", into[i], sums[i], seen[i], kept[i]);
  for (int i = 0; i < N; i++) v[i] = (i * 37 % 101 - 50) * 0.13;
  for (int i = 0; i <= 100; i++) at[i] = i * 3 - i % 4;
  at[0] = 0;
  fractions(100); bytes(100); truths(100);
  for (int i = 0; i < 100; i++) printf("%d %d %d\n", rounded[i], rest[i], flags[i]);
  return 0;
}
