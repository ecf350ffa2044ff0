// What instrumented code calls: the entry points of ThreadSanitizer's and the bounds sanitizer's
// instrumentation, of GCC and Clang alike, with our own checks behind them. The sanitizers' own runtime
// libraries are not linked.
#include "Sanitizer.h"

#include <cstdint>
#include <cstring>
#include <fstream>

using warploom::cpu::sanitize::access;
using warploom::cpu::sanitize::AccessKind;

// The names are those that compilers call, and what macros are given are types.
// NOLINTBEGIN(bugprone-reserved-identifier,bugprone-macro-parentheses)
#define PC __builtin_return_address(0)

extern "C" {

void __tsan_init() {}
void __tsan_func_entry(void*) {}
void __tsan_func_exit() {
  warploom::cpu::sanitize::functionLeft(PC);
}
void __tsan_ignore_thread_begin() {}
void __tsan_ignore_thread_end() {}
void __tsan_vptr_update(void**, void*) {}
void __tsan_vptr_read(void**) {}

#define ACCESS(bytes)                                                                                        \
  void __tsan_read##bytes(void* address) {                                                                   \
    access(address, bytes, AccessKind::Read, PC);                                                            \
  }                                                                                                          \
  void __tsan_write##bytes(void* address) {                                                                  \
    access(address, bytes, AccessKind::Write, PC);                                                           \
  }                                                                                                          \
  void __tsan_read_write##bytes(void* address) {                                                             \
    access(address, bytes, AccessKind::Read, PC);                                                            \
    access(address, bytes, AccessKind::Write, PC);                                                           \
  }                                                                                                          \
  void __tsan_unaligned_read##bytes(void* address) {                                                         \
    access(address, bytes, AccessKind::Read, PC);                                                            \
  }                                                                                                          \
  void __tsan_unaligned_write##bytes(void* address) {                                                        \
    access(address, bytes, AccessKind::Write, PC);                                                           \
  }                                                                                                          \
  void __tsan_unaligned_read_write##bytes(void* address) {                                                   \
    access(address, bytes, AccessKind::Read, PC);                                                            \
    access(address, bytes, AccessKind::Write, PC);                                                           \
  }
ACCESS(1)
ACCESS(2)
ACCESS(4)
ACCESS(8)
ACCESS(16)
#undef ACCESS

void __tsan_read_range(void* address, unsigned long bytes) {
  access(address, bytes, AccessKind::Read, PC);
}
void __tsan_write_range(void* address, unsigned long bytes) {
  access(address, bytes, AccessKind::Write, PC);
}

void* __tsan_memcpy(void* to, const void* from, std::size_t bytes) {
  access(from, bytes, AccessKind::Read, PC);
  access(to, bytes, AccessKind::Write, PC);
  return std::memcpy(to, from, bytes);
}
void* __tsan_memmove(void* to, const void* from, std::size_t bytes) {
  access(from, bytes, AccessKind::Read, PC);
  access(to, bytes, AccessKind::Write, PC);
  return std::memmove(to, from, bytes);
}
void* __tsan_memset(void* to, int byte, std::size_t bytes) {
  access(to, bytes, AccessKind::Write, PC);
  return std::memset(to, byte, bytes);
}

// The C++ program's own atomics, as in the host code and the standard library. They are carried out in the
// strongest order, whatever was asked for.
#define RMW(bits, T, name, builtin)                                                                          \
  T __tsan_atomic##bits##_##name(volatile T* address, T value, int) {                                        \
    access(const_cast<T*>(address), sizeof(T), AccessKind::Atomic, PC);                                      \
    return builtin(address, value, __ATOMIC_SEQ_CST);                                                        \
  }
#define COMPARE(bits, T, name)                                                                               \
  int __tsan_atomic##bits##_compare_exchange_##name(volatile T* address, T* expected, T value, int, int) {   \
    access(const_cast<T*>(address), sizeof(T), AccessKind::Atomic, PC);                                      \
    return __atomic_compare_exchange_n(address, expected, value, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); \
  }
#define ATOMIC(bits, T)                                                                                      \
  T __tsan_atomic##bits##_load(const volatile T* address, int) {                                             \
    access(const_cast<const T*>(address), sizeof(T), AccessKind::Atomic, PC);                                \
    return __atomic_load_n(address, __ATOMIC_SEQ_CST);                                                       \
  }                                                                                                          \
  void __tsan_atomic##bits##_store(volatile T* address, T value, int) {                                      \
    access(const_cast<T*>(address), sizeof(T), AccessKind::Atomic, PC);                                      \
    __atomic_store_n(address, value, __ATOMIC_SEQ_CST);                                                      \
  }                                                                                                          \
  RMW(bits, T, exchange, __atomic_exchange_n)                                                                \
  RMW(bits, T, fetch_add, __atomic_fetch_add)                                                                \
  RMW(bits, T, fetch_sub, __atomic_fetch_sub)                                                                \
  RMW(bits, T, fetch_and, __atomic_fetch_and)                                                                \
  RMW(bits, T, fetch_or, __atomic_fetch_or)                                                                  \
  RMW(bits, T, fetch_xor, __atomic_fetch_xor)                                                                \
  RMW(bits, T, fetch_nand, __atomic_fetch_nand)                                                              \
  COMPARE(bits, T, strong)                                                                                   \
  COMPARE(bits, T, weak)                                                                                     \
  T __tsan_atomic##bits##_compare_exchange_val(volatile T* address, T expected, T value, int, int) {         \
    access(const_cast<T*>(address), sizeof(T), AccessKind::Atomic, PC);                                      \
    __atomic_compare_exchange_n(address, &expected, value, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);       \
    return expected;                                                                                         \
  }
ATOMIC(8, std::uint8_t)
ATOMIC(16, std::uint16_t)
ATOMIC(32, std::uint32_t)
ATOMIC(64, std::uint64_t)
#undef ATOMIC
#undef COMPARE
#undef RMW

void __tsan_atomic_thread_fence(int) {
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
void __tsan_atomic_signal_fence(int) {}

// ---- Subscripts outside the extents of an array type
// ------------------------------------------------------------

struct SourcePosition {
  const char* file;
  std::uint32_t line, column;
};
struct TypeDescription {
  std::uint16_t kind, info;
  char name[1]; ///< in quotes, as in C: 'double [17]'
};
struct OutOfBounds {
  SourcePosition position;
  const TypeDescription* array;
  const TypeDescription* index;
};

} // extern "C"

namespace {

bool isWord(char c) {
  return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/// The array that is subscripted at a position of the source: the last name before it that a bracket follows,
/// else the first one of the line.
std::string subscriptedName(const SourcePosition& position) {
  std::ifstream file(position.file);
  std::string line;
  for (std::uint32_t i = 0; i < position.line && std::getline(file, line);)
    ++i;
  std::string first, best;
  for (std::size_t i = 0; i < line.size();) {
    if (!isWord(line[i])) {
      ++i;
      continue;
    }
    std::size_t end = i;
    while (end < line.size() && isWord(line[end]))
      ++end;
    if (end < line.size() && line[end] == '[') {
      if (first.empty()) first = line.substr(i, end - i);
      if (i < position.column) best = line.substr(i, end - i);
    }
    i = end;
  }
  return !best.empty() ? best : !first.empty() ? first : "an array";
}

/// The number of dimensions of an array type, given as text.
int brackets(const char* type) {
  int count = 0;
  for (; *type; ++type)
    count += *type == '[';
  return count;
}

} // namespace

extern "C" {

void __ubsan_handle_out_of_bounds(OutOfBounds* data, std::uintptr_t index) {
  std::string file = data->position.file;
  std::string line = file.substr(file.rfind('/') + 1) + ":" + std::to_string(data->position.line);
  // A negative index narrower than a register comes with zeros above it.
  unsigned bits = 1u << (data->index->info >> 1);
  bool isSigned = data->index->info & 1;
  auto value = static_cast<long long>(index);
  if (isSigned && bits < 64) value = static_cast<long long>(index << (64 - bits)) >> (64 - bits);
  warploom::cpu::sanitize::subscriptOutside(subscriptedName(data->position), brackets(data->array->name),
                                            value, line);
}

void __ubsan_handle_out_of_bounds_abort(OutOfBounds* data, std::uintptr_t index) {
  __ubsan_handle_out_of_bounds(data, index);
}

} // extern "C"
// NOLINTEND(bugprone-reserved-identifier,bugprone-macro-parentheses)
