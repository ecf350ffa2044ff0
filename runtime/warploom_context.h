// The context of CUDA, made by a thread beside the program: that takes longer than many a program. Included
// by warploom_cuda.h.
#pragma once

#include "warploom_choice.h"

#include <atomic>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <link.h>
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

/// The libraries whose destructors do nothing that outlives the process.
inline bool endsSilently(const char* library) {
  const char* const name = std::strrchr(library, '/') ? std::strrchr(library, '/') + 1 : library;
  for (const char* known :
       {"libc.so", "libm.so", "libdl.so", "librt.so", "libpthread.so", "ld-linux", "linux-vdso",
        "libgcc_s.so", "libstdc++.so", "libgomp.so", "libcuda", "libnvidia"})
    if (std::strncmp(name, known, std::strlen(known)) == 0) return true;
  return false;
}

/// The program's own file: whether this code is a part of it, and how many destructors it has; -1 where that
/// is not told, in programs without dynamic linking.
struct ProgramFile {
  bool hasUs = false;
  long destructors = -1;
};

inline ProgramFile programFile() {
  ProgramFile result;
  auto look = [](dl_phdr_info* info, std::size_t, void* found) {
    auto& file = *static_cast<ProgramFile*>(found);
    const auto here = reinterpret_cast<ElfW(Addr)>(&beginning);
    for (int k = 0; k < info->dlpi_phnum; ++k) {
      const auto& part = info->dlpi_phdr[k];
      const ElfW(Addr) begin = info->dlpi_addr + part.p_vaddr;
      if (part.p_type == PT_LOAD && here >= begin && here - begin < part.p_memsz) file.hasUs = true;
      if (part.p_type != PT_DYNAMIC) continue;
      file.destructors = 0;
      for (auto entry = reinterpret_cast<const ElfW(Dyn)*>(begin); entry->d_tag != DT_NULL; ++entry)
        if (entry->d_tag == DT_FINI_ARRAYSZ)
          file.destructors = static_cast<long>(entry->d_un.d_val / sizeof(void*));
    }
    return 1; // the first one is the program
  };
  dl_iterate_phdr(look, &result);
  return result;
}

/// Until the thread, if there is one, has left the driver.
inline void awaitBeginning() {
  while (beginning.load() == Beginning::Making)
    usleep(1000);
}

/// Runs after all that the program wants to do when it ends, but for destructors. As long as the thread is
/// inside the driver, the driver's own destructor must not run. Where there are no others the process ends
/// here; else the thread is waited for.
inline void endWithThread(int status, void*) {
  if (beginning.load() != Beginning::Making) return;
#ifdef __CUDACC__
  constexpr int known = 2; // the compiler's and that of CUDA's runtime
#else
  constexpr int known = 1;
#endif
  const long destructors = programFile().destructors;
  bool silent = destructors >= 0 && destructors <= known;
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* all) {
        if (info->dlpi_name && *info->dlpi_name && !endsSilently(info->dlpi_name))
          *static_cast<bool*>(all) = false;
        return 0;
      },
      &silent);
  if (silent) {
    std::fflush(nullptr);
    _exit(status);
  }
  awaitBeginning();
}

/// In a library, which may be given back before the program ends, the thread is waited for then.
__attribute__((constructor(101))) static void watchEnd() {
  static std::atomic<bool> watched{false};
  if (watched.exchange(true)) return;
  if (programFile().hasUs)
    on_exit(endWithThread, nullptr);
  else
    std::atexit(awaitBeginning);
}

/// Begins to make the context of that device, if nobody has. The thread gets no signals, which are the
/// program's; a `fork` waits until it has ended, since a child would find the driver's locks taken for ever.
inline void beginDevice(int number) {
  Beginning none = Beginning::None;
  if (!beginning.compare_exchange_strong(none, Beginning::Making)) return;
  beganAt = secondsNow();
  auto make = [](void* which) -> void* {
    pthread_setname_np(pthread_self(), "warploom-thread");
    using Init = int (*)(unsigned);
    using Get = int (*)(int*, int);
    using Retain = int (*)(void**, int);
    void* driver = dlopen("libcuda.so.1", RTLD_NOW);
    const auto init = driver ? reinterpret_cast<Init>(dlsym(driver, "cuInit")) : nullptr;
    const auto get = driver ? reinterpret_cast<Get>(dlsym(driver, "cuDeviceGet")) : nullptr;
    const auto retain =
        driver ? reinterpret_cast<Retain>(dlsym(driver, "cuDevicePrimaryCtxRetain")) : nullptr;
    int device = 0;
    void* context = nullptr;
    if (init && get && retain && init(0) == 0 &&
        get(&device, static_cast<int>(reinterpret_cast<std::intptr_t>(which))) == 0)
      retain(&context, device);
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
