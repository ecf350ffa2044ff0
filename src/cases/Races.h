// Whether two threads of a device nest meet in an element that one of them writes, whatever the sizes are.
#pragma once

#include "cases/Detile.h"

namespace warploom::cases {

/// Two accesses of different threads, or of one that both run.
struct Meeting {
  enum class Answer {
    Never,   ///< proved, for all sizes
    Found,   ///< with `values`
    Perhaps, ///< with `values`, if a condition on data lets them
    Unknown  ///< a subscript is no polynomial, or Z3 left it open
  };
  Answer answer = Answer::Never;
  std::string array;
  SourceRange first, second;
  Values values; ///< of sizes and of both threads' counters; those of the second end in `'`
};

/// The worst that is found of any two accesses of the nest, of which `loops` are the loops without tiles,
/// where there are some: they need no products of symbols. Threads of one block wait for each other between
/// iterations of the serial loops around them, blocks never do.
Meeting meeting(const Nest& nest, const Detiled* loops);

} // namespace warploom::cases
