#include "Fibres.h"

#include <atomic>
#include <boost/context/preallocated.hpp>
#include <cstdio>
#include <cstdlib>
#include <sys/mman.h>

namespace warploom::cpu {

namespace {

/// Enough for the locals of a thread: CUDA's own limit is 512 KiB, and kernels that come near it are not
/// made.
constexpr std::size_t stackBytes = 256 * 1024ul;
constexpr std::size_t guardBytes = 64 * 1024ul; // a multiple of every page size in use

/// Each guard costs the kernel two mappings, of which a process has 65,530. Beyond this many stacks go
/// unguarded.
constexpr int maxGuards = 16'384;
std::atomic<int> guards{0};

/// Memory for a stack that the system fills in as it is used, with a guard below it.
StackRange mapStack() {
  void* memory = mmap(nullptr, guardBytes + stackBytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) {
    std::fprintf(stderr, "warploom: no memory for the stacks of a block's threads\n");
    std::exit(EXIT_FAILURE);
  }
  if (guards.fetch_add(1) < maxGuards) mprotect(memory, guardBytes, PROT_NONE);
  auto* begin = static_cast<std::byte*>(memory) + guardBytes;
  return {begin, begin + stackBytes};
}

/// Gives a stack back when Boost.Context has ended its fibre.
struct MappedStack {
  StackRange range;
  void deallocate(boost::context::stack_context&) {
    munmap(const_cast<std::byte*>(range.begin) - guardBytes, guardBytes + stackBytes);
    --guards;
  }
};

} // namespace

Fibres::Fibres(std::function<void()> body) : body(std::move(body)) {
  fibres = std::make_unique<std::deque<Fibre>>();
  fibres->emplace_back();
}

/// The fibres end with their OS thread. But when the program ends in the middle of a kernel they stay: the OS
/// thread's own stack is among what is suspended then.
Fibres::~Fibres() {
  if (runningFibre != 0) static_cast<void>(fibres.release());
}

int Fibres::takeIdle() {
  if (!idle.empty()) {
    int fibre = idle.back();
    idle.pop_back();
    return fibre;
  }
  int number = static_cast<int>(fibres->size());
  Fibre& fibre = fibres->emplace_back();
  fibre.stack = mapStack();
  // Stacks that all began at the same offset in a page would compete for the same few cache sets.
  std::size_t colour = static_cast<std::size_t>(number) * 832 % (16 * 1024ul) / 64 * 64;
  boost::context::stack_context context;
  context.size = stackBytes - colour;
  context.sp = const_cast<std::byte*>(fibre.stack.end) - colour;
  boost::context::preallocated place(context.sp, context.size, context);
  fibre.context = boost::context::fiber(std::allocator_arg, place, MappedStack{fibre.stack},
                                        [this](boost::context::fiber&& from) {
                                          (*fibres)[suspended].context = std::move(from);
                                          body();
                                          return boost::context::fiber{}; // not reached: `body` runs for ever
                                        });
  return number;
}

void Fibres::switchTo(int fibre) {
  int self = runningFibre;
  suspended = self;
  runningFibre = fibre;
  boost::context::fiber from = std::move((*fibres)[fibre].context).resume();
  // Whoever switched here is suspended now.
  (*fibres)[suspended].context = std::move(from);
}

} // namespace warploom::cpu
