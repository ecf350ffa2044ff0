// A device nest in polynomials: who runs its loops, which elements of arrays a block accesses, what a block
// needs, and the forms that strategies give it.
#pragma once

#include "cases/Constraint.h"
#include "frontend/ForkJoin.h"

#include <stdexcept>

namespace warploom::cases {

/// The nest is one that cannot be discussed.
class NestRefused : public std::runtime_error {
public:
  NestRefused(const SourceRange& a, const std::string& why) : std::runtime_error(why), at(a) {}
  SourceRange at;
};

/// A loop: 0 <= counter < bound.
struct NestLoop {
  enum class Role {
    Block,   ///< parallel, outside
    Between, ///< serial, outside the threads: a block runs it as a whole
    Thread,  ///< parallel, inside
    Inner    ///< serial, inside a thread
  };
  Role role = Role::Block;
  std::string counter;
  Polynomial bound;
  bool declaresCounter = true;
  SourceRange header, boundAt;
};

/// An access in polynomials of counters and parameters.
struct NestAccess {
  std::string array;
  std::vector<Polynomial> subscripts;
  bool isRead = true, isWritten = false;
  std::vector<std::size_t> loops;                 ///< around it
  std::vector<std::pair<std::size_t, bool>> path; ///< conditions on parameters around it, and how they end
  bool isConditional = false;                     ///< there are other conditions around it
  SourceRange at;
};

/// An integer expression of the text that is a polynomial, and part of no other.
struct NestValue {
  Polynomial value;
  SourceRange at;
};

/// A loop over elements of one thread: `v*g + k` counts blocks' parts, 0 <= k < g.
struct Granularity {
  std::string block, counter; ///< v and k
  Polynomial size;            ///< g: a symbol, or a number
};

/// Operations, and who runs them.
struct NestWork {
  std::vector<std::size_t> loops;
  unsigned operations = 0;
};

struct Nest {
  std::vector<NestLoop> loops;      ///< in textual order
  std::vector<NestAccess> accesses; ///< in textual order
  std::vector<NestValue> values;
  std::vector<NestWork> work;
  std::vector<std::string> cached; ///< arrays that are staged
  std::map<std::string, NestArray> arrays;
  std::optional<Granularity> granularity; ///< where it has such a loop, in this form
  Facts facts;                            ///< of the parameters
  /// q*b <= a for every q that the program defines as a / b, where threads run at all.
  Facts quotients;
  /// Scalars that it reads: those that sizes of arrays are made of, and the others.
  std::set<std::string> dataParameters, programParameters;
  std::set<std::string> names; ///< of everything that a thread uses
  unsigned deepest = 0;        ///< values that an expression needs at a time
  SourceRange at;

  /// Elements of `array` that a block stages, a box around those it accesses in one iteration of the loops it
  /// runs as a whole; of those it reads, writes, or both. Throws NestRefused.
  Polynomial elements(const std::string& array, bool reads = true, bool writes = true) const;
  /// Words of shared memory, of 4 bytes, that a block needs for the staged arrays.
  Polynomial words() const;
  Polynomial threads() const;
  /// Registers of a thread, counted on the text: names, and what the largest expression needs beside them.
  unsigned registers() const;

  /// The same with one element a thread, and as many more blocks.
  Nest withGranularityOne() const;
  /// The same with half as much at a time of what blocks run through in parts; nothing where they run through
  /// nothing so.
  std::optional<Nest> withHalfTiles() const;
  /// Arrays that are written and of which threads use no other elements while serial loops run, but for
  /// those over elements of a thread.
  std::set<std::string> sums() const;
  /// The same where these symbols are numbers.
  Nest with(const Values& values) const;
  /// The same with all arrays in global memory.
  Nest uncached() const;

  const NestLoop* loop(const std::string& counter) const;
};

/// The nest, with `cached` staged. Throws NestRefused.
Nest readNest(const DeviceNest& from, const std::vector<std::string>& cached);

} // namespace warploom::cases
