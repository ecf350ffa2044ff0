// Objects of which every OS thread has one.
#pragma once

#include <sys/syscall.h>
#include <unistd.h>

namespace warploom::cpu {

/// The T of this thread, which ends with it. That of the main thread never ends: its thread-local objects are
/// destroyed before the program's handlers of `atexit` and its global objects, which may still run kernels.
template <typename T> T& ofThread() {
  static thread_local T* object = nullptr;
  struct Owner {
    ~Owner() {
      if (syscall(SYS_gettid) == getpid()) return;
      delete object;
      object = nullptr;
    }
  };
  static thread_local Owner owner;
  static_cast<void>(owner);
  if (!object) object = new T;
  return *object;
}

} // namespace warploom::cpu
