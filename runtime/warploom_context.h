// The context of CUDA, made by a thread beside the program: that takes longer than many a program. Included
// by warploom_cuda.h.
#pragma once

#include "warploom_choice.h"

#include <atomic>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <dlfcn.h>
#include <pthread.h>
#include <unistd.h>

namespace warploom {

/// What the thread has reached. It asks the driver, not CUDA's runtime, whose locks the program needs.
enum class Beginning { None, Making, Made };
inline std::atomic<Beginning> beginning{Beginning::None};
inline std::atomic<double> beganAt{0};
inline bool deviceIsReady() {
  return beginning.load(std::memory_order_acquire) == Beginning::Made;
}
/// Seconds since the thread was started; 0 when it was not.
inline double secondsOfBeginning() {
  return beginning.load(std::memory_order_relaxed) == Beginning::None ? 0 : secondsNow() - beganAt.load();
}

/// Waits until the thread, if there is one, has left the driver.
inline void awaitBeginning() {
  while (beginning.load() == Beginning::Making)
    usleep(1000);
}

/// Set when the program ends: what the thread has not begun with it leaves.
inline std::atomic<bool> abandoned{false};
/// Runs when the program ends: the driver's own handlers and destructors must not run while the thread is
/// inside.
inline void abandonBeginning() {
  abandoned = true;
  awaitBeginning();
}

/// Begins to make the context of that device, if nobody has. The thread gets no signals, which are the
/// program's; a `fork` waits until it has ended, since a child would find the driver's locks taken for ever.
inline void beginDevice(int number) {
  Beginning none = Beginning::None;
  if (!beginning.compare_exchange_strong(none, Beginning::Making)) return;
  beganAt = secondsNow();
  std::atexit(abandonBeginning);
  auto make = [](void* which) -> void* {
    pthread_setname_np(pthread_self(), "warploom-thread");
    using Init = int (*)(unsigned);
    using Get = int (*)(int*, int);
    using Retain = int (*)(void**, int);
    void* driver = dlopen("libcuda.so.1", RTLD_NOW);
    // Handlers run in the reverse order: before those which the driver has registered, and will in `cuInit`.
    std::atexit(abandonBeginning);
    const auto init = driver ? reinterpret_cast<Init>(dlsym(driver, "cuInit")) : nullptr;
    const auto get = driver ? reinterpret_cast<Get>(dlsym(driver, "cuDeviceGet")) : nullptr;
    const auto retain =
        driver ? reinterpret_cast<Retain>(dlsym(driver, "cuDevicePrimaryCtxRetain")) : nullptr;
    int device = 0;
    void* context = nullptr;
    if (init && get && retain && !abandoned && init(0) == 0 &&
        get(&device, static_cast<int>(reinterpret_cast<std::intptr_t>(which))) == 0) {
      std::atexit(abandonBeginning);
      if (!abandoned) retain(&context, device);
    }
    beginning.store(Beginning::Made, std::memory_order_release); // where it failed, asking will tell
    return nullptr;
  };
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &before);
  pthread_t thread;
  if (pthread_atfork(awaitBeginning, nullptr, nullptr) == 0 &&
      pthread_create(&thread, nullptr, make, reinterpret_cast<void*>(static_cast<std::intptr_t>(number))) ==
          0)
    pthread_detach(thread);
  else
    beginning.store(Beginning::Made); // it will be made when it is needed
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

} // namespace warploom
