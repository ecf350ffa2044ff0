// The inference program of examples/transformer at a tiny size: words and logits as gcc's, under the sanitizer.
// RUN: gcc -O1 -w %source/examples/transformer/random_weights.c -o %t.make -lm && %t.make %t.weights
// RUN: gcc -O1 -w %source/examples/transformer/generate.c %source/examples/transformer/decode.c -o %t.ref -lm
// RUN: env WARPLOOM_SANITIZE_FLAGS= %warploom build %source/examples/transformer/generate.c %source/examples/transformer/decode.c -o %t.made --target cpu --sanitize -- -fopenmp -lm 2>&1 | FileCheck %s
// RUN: %t.ref %t.weights 20 > %t.expected
// RUN: env WARPLOOM_DEVICE=gpu %t.made %t.weights 20 > %t.out
// RUN: %python %S/../tools/close.py %t.expected %t.out 1e-3
// RUN: not %t.made %t.made 2>&1 | FileCheck --check-prefix=BAD %s
// BAD: usage: generate
// CHECK: 7 of 7 regions of '{{.*}}decode.c' were mapped
