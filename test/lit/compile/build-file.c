// A Makefile for the two files, and a header with the launchers' prototypes that both include.
// RUN: rm -rf %t && mkdir %t
// RUN: %exits 0 %warploom compile %s -o %t/out.cu --header --build-file %t/Makefile --strict-fp -- '-DNAME="a $b#"' -DWARPLOOM_BLOCK=64 -std=gnu11 | FileCheck --check-prefix=SAYS %s
// SAYS: wrote '{{.*}}out.cu', '{{.*}}out.host.c', '{{.*}}out.h' and '{{.*}}Makefile'
// RUN: FileCheck --check-prefix=HEADER --input-file=%t/out.h %s
// HEADER: #ifdef __cplusplus
// HEADER-NEXT: extern "C" {
// HEADER: int warploom_build_file_scale_{{[0-9]+}}(long n, double* x);
// RUN: FileCheck --check-prefix=KERNELS --input-file=%t/out.cu %s
// KERNELS: #include "out.h"
// RUN: FileCheck --check-prefix=HOST --input-file=%t/out.host.c %s
// HOST-NOT: int warploom_build_file_scale_{{[0-9]+}}(long
// HOST: #include "out.h"
//
// The program is made wherever make runs, as the original would be: the same flags, the same folder for headers.
// RUN: cd / && make -s -C %t TARGET=cpu
// RUN: env WARPLOOM_TIMING=1 %t/out.cpu 2>&1 | FileCheck --check-prefix=RUNS %s
// RUNS-DAG: region scale:{{[0-9]+}} {{.*}} path gpu
// RUNS-DAG: a $b# 6
//
// What stands after it is what would be done for the GPU.
// RUN: make -n -B -C %t ARCH=sm_80 | FileCheck --check-prefix=CUDA %s
// CUDA: nvcc -O3 -std=c++17 -arch=sm_80 --fmad=false -DWARPLOOM_BLOCK=64 -I '{{.*}}runtime' -c out.cu -o out.kernels.o
// CUDA: -ffp-contract=off -iquote
// CUDA: nvcc -arch=sm_80 out.kernels.o out.host.o -lm -o out
// RUN: %if cuda %{ make -s -B -C %t ARCH=sm_80 && test -x %t/out && test -s %t/out.kernels.o %}
// RUN: make -n -B -C %t DEBUG=1 | FileCheck --check-prefix=DEBUG %s
// DEBUG: nvcc -g -G
// RUN: make -n -B -C %t resources | FileCheck --check-prefix=PTXAS %s
// PTXAS: -Xptxas -v
//
// A choice of device that there is not ends the program with a message.
// RUN: env WARPLOOM_DEVICE=gpu:0 %exits 0 %t/out.cpu
// RUN: env WARPLOOM_DEVICE=gpu:7 %exits 1 %t/out.cpu 2>&1 | FileCheck --check-prefix=NONE %s
// NONE: choice of a device by WARPLOOM_DEVICE failed
// RUN: env WARPLOOM_DEVICE=gpu:first %exits 1 %t/out.cpu 2>&1 | FileCheck --check-prefix=WORD %s
// WORD: it may be host, gpu or gpu:NUMBER
// SHOWS: RT-71 RT-72 MF-46
#include <stdio.h>
void scale(int n, double* x) {
  for (int i = 0; i < n; i++) x[i] *= 3;
}
int main(void) {
  double x[3] = {1, 2, 3};
  scale(3, x);
  printf("%s %g\n", NAME, x[1]);
  return 0;
}
