// Global arrays that stay on the device between regions. The program reaches such an array by a pointer, and
// has no other pointers into it. When a region first uses the array on the device, it moves to memory that
// both see, and the pointer follows. Included by warploom_region.h.
#pragma once

#include <atomic>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dirent.h>
#include <mutex>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace warploom {

/// One of them, as the generated C text describes it.
struct GlobalArray {
  void** place; ///< the pointer by which the program reaches it
  void* array;  ///< where it was when the program began
  unsigned long bytes;
  const char* allowed; ///< null: there may be parts of the program that do not use the pointer

  bool hasMoved() const { return *place != array; }
  /// Where `memory` is now, if it is, or was, a part of the array; else null.
  void* now(const void* memory) const {
    const auto at = reinterpret_cast<std::uintptr_t>(memory);
    for (void* begin : {array, *place})
      if (const auto first = reinterpret_cast<std::uintptr_t>(begin); at >= first && at - first < bytes)
        return static_cast<char*>(*place) + (at - first);
    return nullptr;
  }
};

extern "C" GlobalArray __start_warploom_globals[] __attribute__((weak, visibility("hidden")));
extern "C" GlobalArray __stop_warploom_globals[] __attribute__((weak, visibility("hidden")));

/// The array that has `memory` in it and may move or has moved; null when there is none.
inline GlobalArray* globalAround(const void* memory) {
  if (!__start_warploom_globals || !memory) return nullptr;
  for (GlobalArray* global = __start_warploom_globals; global < __stop_warploom_globals; ++global)
    if (global->allowed && global->now(memory)) return global;
  return nullptr;
}

/// Whether a thread of this name is CUDA's, "cuda-EvtHandlr" or "cuda" and eleven digits, or ours,
/// "warploom-thread". A new thread has the name of the one that made it, which is the program's file name at
/// first: no shorter names would do.
inline bool isRuntimesName(const char* name) {
  if (std::strcmp(name, "cuda-EvtHandlr") == 0 || std::strcmp(name, "warploom-thread") == 0) return true;
  return std::strlen(name) == 15 && std::strncmp(name, "cuda", 4) == 0 &&
         std::strspn(name + 4, "0123456789") == 11;
}

/// As long as this lives, threads that this one makes, or CUDA for it, have a name of ours at first.
class NamedAsOurs {
public:
  NamedAsOurs()
      : named(pthread_getname_np(pthread_self(), before, sizeof before) == 0 &&
              pthread_setname_np(pthread_self(), "warploom-thread") == 0) {
    now = named;
  }
  ~NamedAsOurs() {
    if (named) pthread_setname_np(pthread_self(), before);
    now = false;
  }
  NamedAsOurs(const NamedAsOurs&) = delete;
  NamedAsOurs& operator=(const NamedAsOurs&) = delete;

  static inline thread_local bool now = false; ///< it lives in this thread

private:
  char before[16] = "";
  bool named;
};

/// Whether no thread of the program's is running beside this one, which might be using the array where it is.
/// CUDA's threads and ours have names of their own; everything else counts.
inline bool runsAlone() {
  DIR* tasks = opendir("/proc/self/task");
  if (!tasks) return false;
  bool alone = true;
  const long self = syscall(SYS_gettid);
  while (const dirent* task = readdir(tasks)) {
    if (task->d_name[0] == '.') continue;
    char path[64], name[17] = ""; // 15 characters and the end of the line
    std::snprintf(path, sizeof path, "/proc/self/task/%.16s/comm", task->d_name);
    if (std::FILE* file = std::fopen(path, "r")) {
      if (!std::fgets(name, sizeof name, file)) name[0] = '\0';
      std::fclose(file);
    }
    name[std::strcspn(name, "\n")] = '\0';
    // Where this thread has such a name of its own, those that it has made have it, too.
    const bool isOurs = isRuntimesName(name);
    alone = alone && (std::atol(task->d_name) == self ? !isOurs || NamedAsOurs::now : isOurs);
  }
  closedir(tasks);
  return alone;
}

/// A number that changes with how many threads there are; 0 where the system does not say. Each task is a
/// folder, and folders are counted as links. <sys/stat.h> would bring macros whose names programs may have.
inline std::uint32_t threadsNow() {
  struct { // as Linux has it for statx
    std::uint32_t mask, blockSize;
    std::uint64_t attributes;
    std::uint32_t links;
    char rest[236];
  } tasks = {};
  static_assert(sizeof tasks == 256, "Linux writes so many bytes");
  constexpr int here = -100, onlyLinks = 4; // AT_FDCWD, STATX_NLINK
  return syscall(SYS_statx, here, "/proc/self/task", 0, onlyLinks, &tasks) == 0 ? tasks.links : 0;
}

/// The same as runsAlone, asked again and again: what it was when there were as many threads holds on. It
/// errs on the side of others, where one of the program's has gone while CUDA has made one.
inline bool runsAloneStill() {
  static std::atomic<std::uint32_t> alone{0}, beside{0};
  const std::uint32_t now = threadsNow();
  if (now == 0 || now == beside.load(std::memory_order_relaxed)) return false;
  if (now == alone.load(std::memory_order_relaxed)) return true;
  const bool result = runsAlone();
  (result ? alone : beside).store(now, std::memory_order_relaxed);
  return result;
}

/// Where the device sees `memory`, which then is where the host finds it, too, if it is a part of a global
/// array that has moved or moves now; else null.
inline void* moveGlobal(const void* memory) {
  GlobalArray* global = globalAround(memory);
  if (!global) return nullptr;
  static std::mutex mutex;
  std::lock_guard<std::mutex> lock(mutex);
  if (!global->hasMoved()) {
    void* place = runsAlone() ? sharedMemory(global->bytes) : nullptr;
    if (!place) {
      global->allowed = nullptr; // it never will
      return nullptr;
    }
    // Nobody may see half of it.
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    std::memcpy(place, global->array, global->bytes);
    __atomic_store_n(global->place, place, __ATOMIC_RELEASE);
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    // The whole pages are needed no more.
    const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
    const auto begin = reinterpret_cast<std::uintptr_t>(global->array), end = begin + global->bytes;
    const std::uintptr_t first = (begin + page - 1) / page * page, last = end / page * page;
    if (first < last) static_cast<void>(madvise(reinterpret_cast<void*>(first), last - first, MADV_DONTNEED));
  }
  return global->now(memory);
}

} // namespace warploom

/// The same, for warploom_heap.c.
extern "C" __attribute__((weak, used)) int warploom_runsAlone() {
  return warploom::runsAloneStill();
}
