// What `strategies` says, and where it has nothing to say.
// RUN: rm -rf %t && %warploom strategies %s --function rows --top 2 --explain --out %t | FileCheck %s
// RUN: %warploom strategies %s --function rows --device sm_80 --assume 64 --json | FileCheck %s --check-prefix=JSON
// SHOWS: RT-85
// This machine's device is asked for, here by a stand-in that says 8.0.
// RUN: mkdir -p %t/bin && printf '#!/bin/sh\necho 8.0\n' > %t/bin/nvidia-smi && chmod +x %t/bin/nvidia-smi
// RUN: env PATH=%t/bin:/usr/bin:/bin %warploom strategies %s --function rows --device query --assume 64 --json | FileCheck %s --check-prefix=JSON
// RUN: %exits 1 %warploom strategies %s --function chain | FileCheck %s --check-prefix=CHAIN
// RUN: %exits 1 %warploom strategies %s --device 9.9 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: %exits 1 %warploom strategies %s --device 3.5 2>&1 | FileCheck %s --check-prefix=SLOW
// RUN: %warploom compile %s -o %t/rows.cu --recipe %t/rows_*/best.lua && FileCheck %s --check-prefix=CUDA < %t/rows.cu

// CHECK: rows.c: rows:{{[0-9]+}}
// CHECK-NEXT: 2 orders of 2 loops: 1 dropped by dependence, 0 by coalescing, 1 left
// CHECK-NEXT: i, j
// CHECK-NEXT: 6 partitions: line, line-host, rows, split, flat, common
// CHECK-NEXT: 38 combinations, dropped: 0 threads, 0 shared, 0 constant, 0 registers, {{.*}} strategies
// CHECK-NEXT: 1 {{.*}} split_y-registers_unroll0
// CHECK-NEXT: 2 {{.*}} rows_y-registers_unroll0
// CHECK-NEXT: the first with BLOCK_X={{[0-9]+}}
// CHECK: `j` is shared out among blocks and threads along y: it combines values, and threads may combine their parts
// CHECK: `y` in registers: threads combine their parts of it
// CHECK: dropped, dependence: j, i: a loop that carries a dependence is outside of one that carries none
// CHECK: recipes to '{{.*}}rows_{{[0-9]+}}'
void rows(int n, float a[restrict n][n], float x[restrict n], float y[restrict n]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      y[i] += a[j][i] * x[j];
}
// SHOWS: CH-94
// JSON: "device": "sm_80"
// JSON: "dependence": 1
// JSON: "coalescing": 0
// JSON: "blocksHeld"
// CUDA: atomic

void chain(int n, float a[restrict n]) {
  for (int i = 1; i < n; i++)
    a[i] += a[i - 1];
}
// CHAIN: no strategies: no loop of it is parallel
// UNKNOWN: no device '9.9' is known
// SLOW: how fast a device 3.5 is, is not known
// RUN: %exits 1 %warploom strategies %s --function nobody 2>&1 | FileCheck %s --check-prefix=NOBODY
// NOBODY: there is no loop to look at in a function `nobody`
