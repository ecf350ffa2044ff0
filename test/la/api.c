/* The linear algebra from C, with the formats' default arguments: the example programs of the API, dense and sparse. */
#include "warploom_la.h"

#include <stdio.h>

static int faults = 0;

static void expect(const char* what, double value, double expected) {
  if (value == expected) return;
  ++faults;
  printf("%s is %g, not %g\n", what, value, expected);
}

int main(int argc, char** argv) {
  float A[6] = {1, 2, 3, 4, 5, 6}, B[6] = {1, 0, 0, 1, 2, 2}, C[4], X[3] = {1, 1, 1}, Y[2], T[6], r = 0;
  double Z[2];
  RTspSArray S, P;
  RTspDArray D;
  (void)argc;
  if (RTAPIInit() != RT_OK) return 2;
  RTdSMM(C, A, B, 2, 2, 3);
  expect("C[0][1] of the product", C[1], 8);
  RTdSMV(Y, A, X, 2, 3);
  expect("Y[1] of the product with a vector", Y[1], 15);
  RTdSMT(T, A, 3, 2);
  expect("T[2][0] of the transpose", T[4], 3);
  RTdSVV(T, Y, 2, X, 3);
  expect("T[1][2] of the outer product", T[5], 15);
  RTdSDOT(X, X, 3, &r);
  expect("the dot product", r, 3);

  RTspSArrayCreate(A, &S, 2, 3);
  RTspSMV(Y, &S, X, 2, 3); /* the default: RTHYB */
  expect("Y[0] in the default format", Y[0], 6);
  RTspSMV(Y, &S, X, 2, 3, RTBSR);
  expect("Y[1] in blocks", Y[1], 15);
  RTspdSMV(Y, &S, X, 2, 3, RTCSR);
  expect("Y[1] by rows", Y[1], 15);
  RTspdSMM(C, &S, B, 2, 2, 3);
  expect("C[0][1] of sparse by dense", C[1], 8);
  RTspdSMM(C, &S, B, 2, 2, 3, RTBSR);
  expect("C[1][1] of sparse by dense", C[3], 17);
  RTspSArrayDestroy(&S);
  RTspSArrayCreate(C, &S, 2, 2);
  RTspSMM(&P, &S, &S, 2, 2, 2);
  expect("the entries of the sparse product", P.nnz, 4);
  RTspSArrayDestroy(&S);
  RTspSArrayDestroy(&P);

  if (RTspDArrayLoadFromFile(argv[1], &D) != RT_OK) return 2;
  {
    double ones[2] = {1, 1};
    RTspDMV(Z, &D, ones, 2, 2);
    expect("Z[0] of the matrix in the file", Z[0], 3.5);
  }
  RTspDArrayDestroy(&D);
  if (RTAPIFinalize() != RT_OK) return 2;
  printf("%d faults\n", faults);
  return faults != 0;
}
