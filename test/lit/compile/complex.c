// Complex numbers of C are a type of the runtime's in kernels, with C's operators and functions; what C converts by itself and C++
// would not stands there.
// RUN: %warploom compile %s -o %t.cu 2>&1 | FileCheck %s --check-prefix=SUMMARY
// RUN: FileCheck %s < %t.cu
// RUN: FileCheck %s --check-prefix=HOST < %t.host.c
// RUN: %exits 0 %warploom verify %s --target cpu --sanitize | FileCheck %s --check-prefix=VERIFY
// SUMMARY: the region parts:[[# @LINE + 30]] stays as it was
// SUMMARY: 4 of 5 regions
// VERIFY: region damp:[[# @LINE + 11]] array w max abs 0 max rel 0 ok
// VERIFY: region norm:[[# @LINE + 21]] array s {{.*}} ok
// VERIFY: 0 mismatches
#include <complex.h>
#include <stdio.h>

// CHECK: const warploom::Complex<double>* __restrict__ z
// HOST: if (!warploom_complex_damp_{{[0-9]+}}(n, (const void*)&c, (void*)w, (const void*)z)) { for
void damp(int n, float complex *restrict w, const double complex *restrict z, double complex c) {
  // CHECK: w[i] = (warploom::Complex<float>)((warploom::Complex<double>)w[i] * 0.1);
  // CHECK: w[i] += (warploom::Complex<float>)(cexp(z[i]) * c + warploom::imaginary(1.0));
  for (int i = 0; i < n; i++) {
    w[i] *= 0.1;
    w[i] += (float complex)(cexp(z[i]) * c + I);
  }
}

// CHECK: s_part += z[i] * conj(z[i]) / 2;
// CHECK: s_part = warploom::blockReduce(s_part, warploom::Sum());
// CHECK: atomicAdd(s, s_part);
double norm(int n, const double complex *z) {
  double complex s = 0;
  for (int i = 0; i < n; i++)
    s += z[i] * conj(z[i]) / 2;
  return creal(s);
}

void parts(int n, double complex *z) {
  for (int i = 0; i < n; i++)
    __real__ z[i] = i;
}

int main(void) {
  static float complex w[500];
  static double complex z[500];
  parts(500, z);
  for (int i = 0; i < 500; i++)
    z[i] = 1 / (z[i] + I);
  damp(500, w, z, 2 - I);
  for (int i = 0; i < 500; i++)
    z[i] += w[i];
  printf("%.6f\n", norm(500, z));
  return 0;
}
