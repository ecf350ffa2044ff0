// The training program of examples/transformer at a tiny size: losses as gcc's, under the sanitizer.
// RUN: gcc -O1 -w %source/examples/transformer/train.c %source/examples/transformer/model.c %source/examples/transformer/layers.c -o %t.ref -lm
// RUN: env WARPLOOM_SANITIZE_FLAGS= %warploom build %source/examples/transformer/train.c %source/examples/transformer/model.c %source/examples/transformer/layers.c -o %t.made --target cpu --sanitize -- -fopenmp -lm 2>&1 | FileCheck %s
// RUN: %t.ref 20 3 7 16 2 2 11 > %t.expected
// RUN: env WARPLOOM_DEVICE=gpu %t.made 20 3 7 16 2 2 11 > %t.out
// RUN: %python %S/../tools/close.py %t.expected %t.out 1e-4
// CHECK: 14 of 14 regions of '{{.*}}layers.c' were mapped
