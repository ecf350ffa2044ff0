/* Runs one of the programs: main PASSES B0 B1 s N..., where PROGRAM_name is defined when it is compiled. For each N, fills the arrays anew for each pass,
   has what it took printed after each pass, and prints a sum over what was computed in the last. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { STEPS = 4 };

#ifdef ON_HOST
static void mark(double milliseconds) { fprintf(stderr, "warploom: region host:1 kernels %f transfers 0 launches 0 path host\n", milliseconds); }
#else
void mark(double milliseconds);
#endif

void reversal(int N, int B, int s, int a[N], int c[N]);
void jacobi1d(int N, int T, int B, int s, int a[N], int b[N]);
void jacobi2d(int N, int T, int B0, int B1, int s, int a[N][N], int b[N][N]);
void lu(int n, int B, int q, double L[n][n], double U[n][n]);
void transpose(int N, int B0, int B1, int s, int a[N][N], int c[N][N]);
void addition(int N, int B0, int B1, int s, int a[N][N], int b[N][N], int c[N][N]);
void matvec(int N, int B, int s, int a[N][N], int b[N], int c[N]);
void matmul(int N, int B0, int B1, int s, int a[N][N], int b[N][N], int c[N][N]);

#if defined PROGRAM_lu
typedef double Element;
#else
typedef int Element;
#endif

/* The elements of the three arrays, if there are so many. */
static void lengths(size_t n, size_t of[3]) {
#if defined PROGRAM_reversal || defined PROGRAM_jacobi1d
  of[0] = of[1] = n, of[2] = 0;
#elif defined PROGRAM_matvec
  of[0] = n * n, of[1] = of[2] = n;
#elif defined PROGRAM_addition || defined PROGRAM_matmul
  of[0] = of[1] = of[2] = n * n;
#else
  of[0] = of[1] = n * n, of[2] = 0;
#endif
}

static void fill(size_t n, const size_t of[3], Element *array[3]) {
  for (int k = 0; k < 3; k++) {
#pragma omp parallel for
    for (size_t i = 0; i < of[k]; i++) array[k][i] = (Element)((i * (size_t)(37 + k) + i / 1009) % 251);
  }
#ifdef PROGRAM_lu
#pragma omp parallel for
  for (size_t i = 0; i < n * n; i++) {
    array[0][i] = 0;
    if (i / n == i % n) array[1][i] = 2.0e5;
  }
#endif
  (void)n;
}

static void run(int n, int B0, int B1, int s, Element *a, Element *b, Element *c) {
#if defined PROGRAM_reversal
  reversal(n, B1, s, a, b);
#elif defined PROGRAM_jacobi1d
  jacobi1d(n, STEPS, B1, s, a, b);
#elif defined PROGRAM_jacobi2d
  jacobi2d(n, STEPS, B0, B1, s, (int(*)[n])a, (int(*)[n])b);
#elif defined PROGRAM_lu
  lu(n, B0, B1, (double(*)[n])a, (double(*)[n])b);
#elif defined PROGRAM_transpose
  transpose(n, B0, B1, s, (int(*)[n])a, (int(*)[n])b);
#elif defined PROGRAM_addition
  addition(n, B0, B1, s, (int(*)[n])a, (int(*)[n])b, (int(*)[n])c);
#elif defined PROGRAM_matvec
  matvec(n, B1, s, (int(*)[n])a, b, c);
#elif defined PROGRAM_matmul
  matmul(n, B0, B1, s, (int(*)[n])a, (int(*)[n])b, (int(*)[n])c);
#endif
  (void)B0, (void)c;
}

int main(int argc, char **argv) {
  if (argc < 6) return 2;
  const int passes = atoi(argv[1]), B0 = atoi(argv[2]), B1 = atoi(argv[3]), s = atoi(argv[4]);
  for (int k = 5; k < argc; k++) {
    const int n = atoi(argv[k]);
    size_t of[3];
    Element *array[3];
    lengths((size_t)n, of);
    for (int j = 0; j < 3; j++) array[j] = malloc(of[j] * sizeof(Element));
    for (int pass = 0; pass < passes; pass++) {
      struct timespec begin, end;
      fill((size_t)n, of, array);
      clock_gettime(CLOCK_MONOTONIC, &begin);
      run(n, B0, B1, s, array[0], array[1], array[2]);
      clock_gettime(CLOCK_MONOTONIC, &end);
      mark(1e3 * (double)(end.tv_sec - begin.tv_sec) + 1e-6 * (double)(end.tv_nsec - begin.tv_nsec));
      fprintf(stderr, "pass %d of %d done\n", pass, n);
    }
    for (int j = 0; j < 3; j++) {
      double sum = 0;
#pragma omp parallel for reduction(+ : sum)
      for (size_t i = 0; i < of[j]; i++) sum += (double)array[j][i] * (double)(i % 1009 + 1);
      printf("%d %d %.17g\n", n, j, sum);
      free(array[j]);
    }
  }
  return 0;
}
