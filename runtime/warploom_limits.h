// What a device allows a thread and a block, for programs that choose between forms of a kernel when they
// run. Included by warploom.h.
#pragma once

#ifdef __CUDACC__
#include "warploom_cuda.h"
#else
#include "warploom_cpu.h"
#endif

#include <cstdio>
#include <cstdlib>

/// Registers that a thread may have, words of 4 bytes of shared memory and threads that a block may have, on
/// the device that regions run on; all 0 where there is none. WARPLOOM_LIMITS=registers,bytes,threads
/// describes another device. A program calls it from C, where it is there.
extern "C" __attribute__((weak, used)) void warploom_device_limits(long long* registers, long long* words,
                                                                   long long* threads) {
  *registers = *words = *threads = 0;
  if (const char* described = std::getenv("WARPLOOM_LIMITS")) {
    long long bytes = 0;
    if (std::sscanf(described, "%lld,%lld,%lld", registers, &bytes, threads) != 3) {
      std::fprintf(stderr, "warploom: WARPLOOM_LIMITS is not of the form registers,bytes,threads\n");
      std::exit(1);
    }
    *words = bytes / 4;
    return;
  }
  if (!warploom::devicePresent()) return;
  *registers = 255; // of every device that CUDA still serves
  *words = static_cast<long long>(warploom::mostShared()) / 4;
#ifdef __CUDACC__
  *threads = warploom::deviceAttribute(cudaDevAttrMaxThreadsPerBlock);
#else
  *threads = 1024;
#endif
}
