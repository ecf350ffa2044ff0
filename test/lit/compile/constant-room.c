// Constant memory is for all regions of a file together: nvcc refuses more. A recipe that asks for more is refused.
// RUN: rm -f %t.cu && echo 'init("constant-room.c", "first", 0) copy_to_constant("w") init("constant-room.c", "second", 0) copy_to_constant("v")' > %t.lua
// RUN: not %warploom compile %s -o %t.cu --recipe %t.lua 2>&1 | FileCheck %s
// RUN: not test -e %t.cu
// CHECK: error: what it says about the region second:{{[0-9]+}} cannot be carried out: its arrays in constant memory have 40000 bytes, of which the regions before it in the file leave 25536
float w[10000], v[10000], x[1000], y[1000];

void first(void) {
  for (int i = 0; i < 1000; i++)
    for (int j = 0; j < 10000; j++)
      y[i] += w[j] * x[i];
}

void second(void) {
  for (int i = 0; i < 1000; i++)
    for (int j = 0; j < 10000; j++)
      y[i] += v[j] * x[i];
}
