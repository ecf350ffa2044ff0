/* Conjugate gradients for a sparse matrix from a Matrix Market file: products and dot products by the library, the vector
   kernels by Warploom. RT-CUDA's example, with the file's name and the size told apart. */
#include "vectors.h"
#include "warploom_la.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  RTspSArray A;
  float rr, pap, next, length;
  int iteration, n;
  if (argc != 2) {
    fprintf(stderr, "usage: cg MATRIX.mtx\n");
    return 2;
  }
  if (RTAPIInit() != RT_OK || RTspSArrayLoadFromFile(argv[1], &A) != RT_OK) return 1;
  n = A.n;
  float *x = malloc(n * sizeof *x), *b = malloc(n * sizeof *b), *p = malloc(n * sizeof *p), *r = malloc(n * sizeof *r),
        *ap = malloc(n * sizeof *ap);
  if (!x || !b || !p || !r || !ap) return 1;
  for (int i = 0; i < n; i++) {
    x[i] = 0;
    b[i] = 1 + i % 7;
  }
  RTspSMV(r, &A, x, n, n);
  subtract(n, r, b, r); /* the result is an operand */
  copy(n, p, r);
  RTdSDOT(r, r, n, &rr);
  for (iteration = 0; iteration < 1000 && rr >= 1e-8f; iteration++) {
    RTspSMV(ap, &A, p, n, n);
    RTdSDOT(p, ap, n, &pap);
    scale_add(n, x, rr / pap, p);
    scale_subtract(n, r, rr / pap, ap);
    RTdSDOT(r, r, n, &next);
    scale_add_store(n, p, next / rr, r);
    rr = next;
  }
  /* how far A x is from b */
  RTspSMV(r, &A, x, n, n);
  subtract(n, r, b, r);
  RTdSNRM(r, n, &rr);
  RTdSNRM(b, n, &length);
  printf("%s: residual %s\n", iteration < 1000 ? "converged" : "not converged", rr < 1e-4f * length ? "small" : "large");
  printf("x[0] %.3f, x[%d] %.2f\n", x[0], n / 2, x[n / 2]);
  free(x);
  free(b);
  free(p);
  free(r);
  free(ap);
  RTspSArrayDestroy(&A);
  RTAPIFinalize();
  return rr < 1e-4f * length ? 0 : 1;
}
