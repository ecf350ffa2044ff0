// Phase I of the generator of strategies: in which orders the loops of a nest can run, by dependences and by
// how threads go through memory.
#pragma once

#include "strategy/generator/Nest.h"

#include <string>
#include <vector>

namespace warploom::strategies {

/// Why a candidate was dropped.
enum class Rule {
  Dependence, ///< the order of the loops would change what is computed, or leave parallel loops inside
  Coalescing, ///< neighbouring threads would go through the bulk of memory in strides
  Threads,    ///< a block has too many of them
  Shared,     ///< shared memory of a block is full
  Constant,   ///< constant memory is full
  Registers,  ///< a thread, or a block, is expected to need too many
  Same,       ///< the kernel is that of another candidate
  Step        ///< a step is refused
};
const char* nameOf(Rule rule);

struct Dropped {
  Rule rule;
  std::string what, why;
};

/// An order of the nest's loops, outermost first: the first `host` of them stay on the host, the next
/// `parallel` can run on the grid, the others in a thread.
struct LoopOrder {
  std::vector<std::string> loops;
  std::size_t host = 0, parallel = 0;
};

struct Orders {
  std::vector<Step> before; ///< skews without which nothing is parallel
  std::size_t all = 0;
  std::vector<LoopOrder> left;
  std::vector<Dropped> dropped;
  bool relaxed = false; ///< no order lets threads read contiguously: those that are left all do not

  std::size_t count(Rule rule) const;
};

/// The most loops whose orders are all looked at.
inline constexpr std::size_t mostPermuted = 5;

/// The orders of the nest of `state` that begins with the loop `outermost`. Parallel loops come as far
/// outside as possible, as many as possible, and the first of them is that of neighbouring threads.
Orders loopOrders(const ScheduleState& state, const std::string& outermost, long assumed);

/// True when neighbouring threads along `loop` read the bulk of memory contiguously: the arrays that the most
/// loops move, by more of their accesses than not.
bool isContiguous(const Nest& nest, std::size_t loop);

} // namespace warploom::strategies
