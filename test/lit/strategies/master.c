// The master recipe stands by itself, also where what it takes unrolls loops by a command.
// RUN: rm -rf %t && %warploom strategies %s --out %t > /dev/null
// RUN: grep -q 'unroll("k", 4)' %t/minplus_*/master.lua
// RUN: %warploom compile %s -o %t/k.cu --recipe %t/minplus_11/master.lua && FileCheck %s < %t/k.cu
// CHECK: __global__
// Its text and that of the kernels go to files of their own.
// RUN: %exits 1 %warploom compile %s -o %t/x.cu --emit-recipe %t/x.cu 2>&1 | FileCheck --check-prefix=SAME %s
// SAME: it is to be both the recipe and a text
int A[70][70], B[70][70], C[70][70];
void minplus(int n) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        if (A[i][k] + B[k][j] < C[i][j]) C[i][j] = A[i][k] + B[k][j];
}
