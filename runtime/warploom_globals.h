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
#include <utility>

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
    now = named || outer;
  }
  ~NamedAsOurs() {
    if (named) pthread_setname_np(pthread_self(), before);
    now = outer;
  }
  NamedAsOurs(const NamedAsOurs&) = delete;
  NamedAsOurs& operator=(const NamedAsOurs&) = delete;

  static inline thread_local bool now = false; ///< it lives in this thread

private:
  char before[16] = "";
  const bool outer = now; ///< there is another one around it
  bool named;
};

/// What threads there were when one asked whether it runs alone.
struct Company {
  static constexpr int most = 32;
  std::uint32_t number = 0; ///< of all, by threadsNow; 0: it is not known who they were
  long asker = 0;
  long stranger = 0; ///< one of the program's beside it; 0: there was none
  int others = 0;    ///< the rest, where there was none
  long other[most] = {};
};

/// Whether no thread of the program's is running beside this one, which might be using the array where it is.
/// CUDA's threads and ours have names of their own; everything else counts.
inline bool runsAlone(Company* seen = nullptr) {
  Company now;
  now.number = seen ? std::exchange(seen->number, 0) : 0;
  now.asker = syscall(SYS_gettid);
  DIR* tasks = opendir("/proc/self/task");
  if (!tasks) return false;
  bool isOurs = false;
  while (const dirent* task = readdir(tasks)) {
    if (task->d_name[0] == '.') continue;
    char path[64], name[17] = ""; // 15 characters and the end of the line
    std::snprintf(path, sizeof path, "/proc/self/task/%.16s/comm", task->d_name);
    if (std::FILE* file = std::fopen(path, "r")) {
      if (!std::fgets(name, sizeof name, file)) name[0] = '\0';
      std::fclose(file);
    }
    name[std::strcspn(name, "\n")] = '\0';
    const long thread = std::atol(task->d_name);
    if (thread == now.asker)
      isOurs = isRuntimesName(name) && !NamedAsOurs::now;
    else if (!isRuntimesName(name))
      now.stranger = thread;
    else if (now.others < Company::most)
      now.other[now.others++] = thread;
    else
      now.number = 0;
  }
  closedir(tasks);
  // Where this thread has such a name of its own, those that it has made have it, too.
  if (isOurs) now.number = 0;
  if (seen) *seen = now;
  return !isOurs && now.stranger == 0;
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

/// Whether that thread of this process has not ended.
inline bool isRunning(long thread) {
  return syscall(SYS_tgkill, getpid(), thread, 0) == 0;
}

/// The same as runsAlone, asked again and again: what was found holds as long as there are as many threads,
/// and those that were seen are still running.
inline bool runsAloneStill() {
  static std::atomic_flag asking = ATOMIC_FLAG_INIT;
  static Company last;
  const std::uint32_t now = threadsNow();
  if (now == 0 || asking.test_and_set(std::memory_order_acquire)) return false; // another is asking, too
  bool holds = now == last.number, alone = last.stranger == 0;
  if (holds && alone) {
    holds = last.asker == syscall(SYS_gettid);
    for (int k = 0; k < last.others; ++k)
      holds = holds && isRunning(last.other[k]);
  } else if (holds) { // these two are the program's
    holds = isRunning(last.asker) && isRunning(last.stranger);
  }
  if (!holds) {
    last.number = now;
    alone = runsAlone(&last);
  }
  asking.clear(std::memory_order_release);
  return alone;
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
