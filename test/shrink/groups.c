/* Loops whose iterations depend on others some way back. Each runs once, so that its launches are its groups. */
#include <stdio.h>

enum { wide = 160, most = 9000, widest = 300 };
static int X[wide][wide], Y[wide][wide], N[wide][wide], U[16][16][16], w[most], P[widest][widest], Q[widest][widest];

static void two_arrays(void) {
  for (int i = 3; i <= 29; i++)
    for (int j = 4; j <= 39; j++) {
      X[i][j] = Y[i - 3][j - 4] + 1;
      Y[i][j] = X[i - 2][j - 3] * 2;
    }
}
/* The same, and how often each iteration runs. */
static void counted(void) {
  for (int i = 3; i <= 29; i++)
    for (int j = 4; j <= 39; j++) {
      X[i][j] = Y[i - 3][j - 4] + 1;
      Y[i][j] = X[i - 2][j - 3] * 2;
      N[i][j]++;
    }
}
static void three_distances(void) {
  for (int i = 3; i <= 23; i++)
    for (int j = 5; j <= 20; j++) {
      X[i + 5][j + 1] = Y[i - 1][j - 2] + X[i][j - 1];
      Y[i + 2][j + 2] = X[i + 2][j - 1] + 10;
    }
}
static void larger(void) {
  for (int i = 3; i <= 140; i++)
    for (int j = 5; j <= 140; j++) {
      X[i + 5][j + 1] = Y[i - 1][j - 2] + X[i][j - 1];
      Y[i + 2][j + 2] = X[i + 2][j - 1] + 10;
    }
}
static void three_deep(void) {
  for (int i = 0; i < 8; i++)
    for (int j = 0; j < 9; j++)
      for (int k = 0; k < 10; k++) U[i + 2][j + 1][k + 1] = U[i][j][k] + U[i][j][k + 1] + k;
}
/* Distance (2, -3). */
static void to_the_left(void) {
  for (int i = 0; i < 20; i++)
    for (int j = 0; j < 21; j++) X[i + 2][j] = X[i][j + 3] + j;
}
/* Distances (2, -3) and (2, 3). */
static void both_ways(void) {
  for (int i = 0; i < 20; i++)
    for (int j = 3; j < 24; j++) X[i + 2][j] = X[i][j + 3] + X[i][j - 3];
}
static void chains(int n) {
  for (int i = 0; i < n; i++) w[i + 2500] = w[i] % 1000 * 3 + i;
}
static void four_and_six(int n) {
  for (int i = 6; i < n; i++) w[i] = w[i - 4] % 1000 + w[i - 6] % 10;
}
static void growing(int n) {
  for (int i = 0; i < n; i++) w[3 * i + 2] = w[i] % 1000 + i;
}
static void growing_to_400(void) {
  for (int i = 0; i < 400; i++) w[3 * i + 2] = w[i] % 1000 + i;
}
/* Distances that grow: from row i to row (3i + 7) / 2 at the nearest, from column j to column 2j + 1. */
static void growing_rows(void) {
  for (int i = 0; i < 80; i++)
    for (int j = 0; j < 90; j++) {
      P[3 * i + 8][2 * j + 6] = Q[2 * i][j + 3] + 23;
      Q[3 * i + 7][3 * j + 7] = P[i][j + 5];
    }
}
static void growing_square(int n) {
  for (int i = 1; i <= 21; i++)
    for (int j = 1; j <= 21; j++) {
      P[3 * i + 5][2 * j + 4] = Q[2 * i - 2][j + 2] + n;
      Q[3 * i + 4][3 * j + 4] = P[i - 1][j + 4];
    }
}
/* The second half needs the first, the other way round. */
static void crossing(int n) {
  for (int i = 0; i < 100; i++) w[i] = w[99 - i] % 1000 + n;
}
/* The subscript depends on both loops: rows 2 and 3 apart, where columns add up to 0 and 40. */
static void coupled(void) {
  for (int i = 0; i < 30; i++)
    for (int j = 0; j < 30; j++) w[40 * i + j + 120] = w[40 * i - j + 40] % 1000 + 1;
}
/* Nothing depends on anything. */
static void apart(void) {
  for (int j = 1; j <= 10; j++) w[j] = w[j + 10] + 10;
}
/* Every iteration needs the one before. */
static void one_by_one(int n) {
  for (int i = 0; i < n; i++) w[i + 1] = w[i] % 1000 * 3 + i;
}
static void one_by_one_in_rows(int n) {
  for (int i = 1; i < n; i++)
    for (int j = 1; j < n; j++) X[i][j] = X[i][j - 1] % 1000 + X[i - 1][n - j] % 100;
}

static void fill(void) {
  for (int i = 0; i < wide; i++)
    for (int j = 0; j < wide; j++) X[i][j] = (i * 7 + j) % 23, Y[i][j] = (i + j * 5) % 19, N[i][j] = 0;
  for (int i = 0; i < 16 * 16 * 16; i++) U[i / 256][i / 16 % 16][i % 16] = i % 29;
  for (int i = 0; i < most; i++) w[i] = i % 31;
  for (int i = 0; i < widest; i++)
    for (int j = 0; j < widest; j++) P[i][j] = (i * 3 + j) % 17, Q[i][j] = (i + j * 11) % 13;
}
static unsigned sum(void) {
  unsigned s = 0;
  for (int i = 0; i < wide; i++)
    for (int j = 0; j < wide; j++) s = s * 31u + (unsigned)X[i][j] * 7u + (unsigned)Y[i][j] + (unsigned)N[i][j] * 3u;
  for (int i = 0; i < 16 * 16 * 16; i++) s = s * 31u + (unsigned)U[i / 256][i / 16 % 16][i % 16];
  for (int i = 0; i < most; i++) s = s * 31u + (unsigned)w[i];
  for (int i = 0; i < widest; i++)
    for (int j = 0; j < widest; j++) s = s * 31u + (unsigned)P[i][j] * 7u + (unsigned)Q[i][j];
  return s;
}

#define TRY(call) (fill(), call, printf("%s %u\n", #call, sum()))

int main(void) {
  TRY(two_arrays()), TRY(counted()), TRY(three_distances()), TRY(larger()), TRY(three_deep()), TRY(to_the_left()), TRY(both_ways());
  TRY(chains(6000)), TRY(four_and_six(103)), TRY(growing(400)), TRY(one_by_one(50)), TRY(one_by_one_in_rows(40));
  TRY(growing_to_400()), TRY(growing_rows()), TRY(growing_square(23)), TRY(crossing(5)), TRY(coupled()), TRY(apart());
  return 0;
}
