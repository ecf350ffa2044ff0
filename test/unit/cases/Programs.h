// The six programs of section 5.7 as MetaFork text, and how tests read it.
#pragma once

#include "cases/Nest.h"

#include <gtest/gtest.h>

namespace warploom::cases {

inline ForkJoinSource source(const std::string& text) {
  ForkJoinSource read = readForkJoin("nest.mf", text, ForkJoinLanguage::MetaFork, {});
  for (const ForkJoinProblem& problem : read.problems)
    ADD_FAILURE() << problem.message;
  return read;
}

inline Nest nestOf(const std::string& text, std::size_t number = 0) {
  const ForkJoinSource read = source(text);
  for (const ForkJoinConstruct& construct : read.constructs)
    if (construct.kind == ForkJoinKind::Schedule)
      return readNest(construct.nests.at(number), construct.cached);
  throw std::runtime_error("no schedule");
}

inline const char* const reversal = R"(
void reverse(int N, int B, int s, int a[N], int c[N]) {
  int dim = N / (B * s);
  meta_schedule cache(a, c) {
    meta_for (int i = 0; i < dim; i++)
      meta_for (int j = 0; j < B; j++)
        for (int k = 0; k < s; k++) {
          int x = i * B * s + k * B + j;
          int y = N - 1 - x;
          c[y] = a[x];
        }
  }
})";

inline const char* const matvec = R"(
void product(int N, int B, int s, int a[N][N], int b[N], int c[N]) {
  int dim0 = N / (s * B), dim1 = N / B;
  meta_schedule cache(a, b, c) {
    meta_for (int v = 0; v < dim0; v++)
      for (int i = 0; i < dim1; i++)
        meta_for (int u = 0; u < B; u++)
          for (int k = 0; k < s; k++)
            for (int j = 0; j < B; j++) {
              int p = (v * s + k) * B + u;
              int q = i * B + j;
              c[p] += a[p][q] * b[q];
            }
  }
})";

inline const char* const jacobi = R"(
void smooth(int N, int B, int s, int T, int a[2 * N]) {
  int dim = (N - 2) / (s * B);
  meta_schedule cache(a) {
    for (int t = 0; t < T; t++)
      meta_for (int i = 0; i < dim; i++)
        meta_for (int j = 0; j < B; j++)
          for (int k = 0; k < s; k++) {
            int p = i * s * B + k * B + j;
            int p1 = p + 1, p2 = p + 2, np = N + p, np1 = N + p + 1, np2 = N + p + 2;
            if (t % 2)
              a[p1] = (a[np] + a[np1] + a[np2]) / 3;
            else
              a[np1] = (a[p] + a[p1] + a[p2]) / 3;
          }
  }
})";

inline const char* const addition = R"(
void add(int n, int B0, int B1, int s, int a[n][n], int b[n][n], int c[n][n]) {
  int dim0 = n / B0, dim1 = n / (s * B1);
  meta_schedule cache(a, b, c) {
    meta_for (int v0 = 0; v0 < dim0; v0++)
      meta_for (int v1 = 0; v1 < dim1; v1++)
        meta_for (int u0 = 0; u0 < B0; u0++)
          meta_for (int u1 = 0; u1 < B1; u1++)
            for (int k = 0; k < s; k++) {
              int i = v0 * B0 + u0, j = (v1 * s + k) * B1 + u1;
              c[i][j] = a[i][j] + b[i][j];
            }
  }
})";

inline const char* const transpose = R"(
void transpose(int n, int B0, int B1, int s, int a[n][n], int c[n][n]) {
  int dim0 = n / B0, dim1 = n / (s * B1);
  meta_schedule cache(a, c) {
    meta_for (int v0 = 0; v0 < dim0; v0++)
      meta_for (int v1 = 0; v1 < dim1; v1++)
        meta_for (int u0 = 0; u0 < B0; u0++)
          meta_for (int u1 = 0; u1 < B1; u1++)
            for (int k = 0; k < s; k++) {
              int i = v0 * B0 + u0, j = (v1 * s + k) * B1 + u1;
              c[j][i] = a[i][j];
            }
  }
})";

inline const char* const matmul = R"(
void multiply(int N, int B0, int B1, int s, int a[N][N], int b[N][N], int c[N][N]) {
  int B = B0 < B1 ? B0 : B1;
  int dim0 = N / B0, dim1 = N / (s * B1), dim = N / B;
  meta_schedule cache(a, b, c) {
    meta_for (int v0 = 0; v0 < dim0; v0++)
      meta_for (int v1 = 0; v1 < dim1; v1++)
        for (int w = 0; w < dim; w++)
          meta_for (int u0 = 0; u0 < B0; u0++)
            meta_for (int u1 = 0; u1 < B1; u1++)
              for (int k = 0; k < s; k++)
                for (int z = 0; z < B; z++) {
                  int i = v0 * B0 + u0, j = (v1 * s + k) * B1 + u1, p = B * w + z;
                  c[i][j] += a[i][p] * b[p][j];
                }
  }
})";

} // namespace warploom::cases
