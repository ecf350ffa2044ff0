/* floyd-warshall: the lengths of the shortest paths between all nodes of a graph, in place of the edges'
   lengths. path[i][j] = min(path[i][j], path[i][k] + path[k][j]) for every k in turn. */
#include "bench.h"

/* Every loop rewrites row k and column k that its other iterations read. (With no negative cycle the values
   do not change, but that is a fact about the input.) */
static void kernel_floyd_warshall(int n, int path[n][n]) {
  for (int k = 0; k < n; k++)     /* EXPECT: sequential */
    for (int i = 0; i < n; i++)   /* EXPECT: sequential */
      for (int j = 0; j < n; j++) /* EXPECT: sequential */
        path[i][j] = path[i][j] < path[i][k] + path[k][j] ? path[i][j] : path[i][k] + path[k][j];
}

int main(void) {
  int n = bench_size("N", 60, 180, 2800);
  int(*path)[n] = bench_alloc(sizeof(int[n][n]));
  const int missing = 1 << 20; /* longer than any path, and twice it is still an int */
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      uint64_t bits = bench_bits(1, (uint64_t)i * (uint64_t)n + (uint64_t)j);
      path[i][j] = i == j ? 0 : bits % 4 ? missing : 1 + (int)(bits / 4 % 1000);
    }

  double start = bench_now();
  kernel_floyd_warshall(n, path);
  bench_time("floyd-warshall", start);

  bench_report_int("path", &path[0][0], (size_t)n * n);
  free(path);
  return 0;
}
