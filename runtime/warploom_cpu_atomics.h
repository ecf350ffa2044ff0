// CUDA's atomic functions for the CPU execution, on the types for which CUDA has them. Included by
// warploom_cpu.h.
#pragma once

#ifdef WARPLOOM_SANITIZE
namespace warploom::cpu {
/// Tells the sanitizer of an atomic access of `bytes` bytes made by the kernel code at `pc`.
void recordAtomic(const void* address, std::size_t bytes, const void* pc);
} // namespace warploom::cpu

// Not instrumented and not inline: the sanitizer hears of the access here, and knows it is atomic.
#define WARPLOOM_ATOMIC WARPLOOM_UNINSTRUMENTED __attribute__((noinline)) inline
#define WARPLOOM_RECORD(address)                                                                             \
  warploom::cpu::recordAtomic(address, sizeof *(address), __builtin_return_address(0))
#else
#define WARPLOOM_ATOMIC inline
#define WARPLOOM_RECORD(address) static_cast<void>(0)
#endif

/// Replaces `*address` by `expression`, over `old` and `value`, as one step, and returns what was there
/// before.
#define WARPLOOM_ATOMIC_UPDATE(name, T, expression)                                                          \
  WARPLOOM_ATOMIC T name(T* address, T value) {                                                              \
    WARPLOOM_RECORD(address);                                                                                \
    T old, next;                                                                                             \
    __atomic_load(address, &old, __ATOMIC_RELAXED);                                                          \
    do                                                                                                       \
      next = expression;                                                                                     \
    while (!__atomic_compare_exchange(address, &old, &next, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED));     \
    return old;                                                                                              \
  }

WARPLOOM_ATOMIC_UPDATE(atomicAdd, int,
                       static_cast<int>(static_cast<unsigned>(old) + static_cast<unsigned>(value)))
WARPLOOM_ATOMIC_UPDATE(atomicAdd, unsigned, old + value)
WARPLOOM_ATOMIC_UPDATE(atomicAdd, unsigned long long, old + value)
WARPLOOM_ATOMIC_UPDATE(atomicAdd, float, old + value)
WARPLOOM_ATOMIC_UPDATE(atomicAdd, double, old + value)
WARPLOOM_ATOMIC_UPDATE(atomicSub, int,
                       static_cast<int>(static_cast<unsigned>(old) - static_cast<unsigned>(value)))
WARPLOOM_ATOMIC_UPDATE(atomicSub, unsigned, old - value)
WARPLOOM_ATOMIC_UPDATE(atomicInc, unsigned, old >= value ? 0u : old + 1u)
WARPLOOM_ATOMIC_UPDATE(atomicDec, unsigned, old == 0 || old > value ? value : old - 1u)

#define WARPLOOM_ATOMIC_ORDERED(T)                                                                           \
  WARPLOOM_ATOMIC_UPDATE(atomicMin, T, value < old ? value : old)                                            \
  WARPLOOM_ATOMIC_UPDATE(atomicMax, T, old < value ? value : old)
WARPLOOM_ATOMIC_ORDERED(int)
WARPLOOM_ATOMIC_ORDERED(unsigned)
WARPLOOM_ATOMIC_ORDERED(long long)
WARPLOOM_ATOMIC_ORDERED(unsigned long long)

#define WARPLOOM_ATOMIC_BITS(T)                                                                              \
  WARPLOOM_ATOMIC_UPDATE(atomicAnd, T, old& value)                                                           \
  WARPLOOM_ATOMIC_UPDATE(atomicOr, T, old | value)                                                           \
  WARPLOOM_ATOMIC_UPDATE(atomicXor, T, old ^ value)
WARPLOOM_ATOMIC_BITS(int)
WARPLOOM_ATOMIC_BITS(unsigned)
WARPLOOM_ATOMIC_BITS(unsigned long long)

#define WARPLOOM_ATOMIC_EXCHANGE(T) WARPLOOM_ATOMIC_UPDATE(atomicExch, T, value)
WARPLOOM_ATOMIC_EXCHANGE(int)
WARPLOOM_ATOMIC_EXCHANGE(unsigned)
WARPLOOM_ATOMIC_EXCHANGE(unsigned long long)
WARPLOOM_ATOMIC_EXCHANGE(float)

#define WARPLOOM_ATOMIC_CAS(T)                                                                               \
  WARPLOOM_ATOMIC T atomicCAS(T* address, T compare, T value) {                                              \
    WARPLOOM_RECORD(address);                                                                                \
    __atomic_compare_exchange_n(address, &compare, value, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);        \
    return compare;                                                                                          \
  }
WARPLOOM_ATOMIC_CAS(int)
WARPLOOM_ATOMIC_CAS(unsigned)
WARPLOOM_ATOMIC_CAS(unsigned char) // CUDA has none; warploom::atomicUpdate makes one
WARPLOOM_ATOMIC_CAS(unsigned short)
WARPLOOM_ATOMIC_CAS(unsigned long long)

#undef WARPLOOM_ATOMIC_CAS
#undef WARPLOOM_ATOMIC_EXCHANGE
#undef WARPLOOM_ATOMIC_BITS
#undef WARPLOOM_ATOMIC_ORDERED
#undef WARPLOOM_ATOMIC_UPDATE
#undef WARPLOOM_RECORD
#undef WARPLOOM_ATOMIC
