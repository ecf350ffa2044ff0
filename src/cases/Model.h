// The many-core machine model of kernels: work, span and overhead of blocks, and the bound on time that
// follows. A machine has multiprocessors with Z words of their own; to move a word between these and global
// memory takes U, a local operation takes 1.
#pragma once

#include "cases/Nest.h"

namespace warploom::cases {

/// A quotient of polynomials; symbols are positive, and so is what is below.
struct Quotient {
  Polynomial over, under = Polynomial(1);

  Quotient() = default;
  Quotient(Polynomial o, Polynomial u = Polynomial(1)); // NOLINT: polynomials are quotients
  Quotient operator+(const Quotient& other) const;
  Quotient operator*(const Quotient& other) const;
  Quotient operator/(const Quotient& other) const;
  bool operator==(const Quotient& other) const { return over * other.under == other.over * under; }
  Quotient substitute(const std::string& name, const Polynomial& value) const;
  std::string text() const;
};

/// What a sequence of kernels is measured by.
struct Measures {
  Quotient work;     ///< W: local operations of all threads
  Quotient span;     ///< S: those of one thread of each kernel, one kernel after the other
  Quotient overhead; ///< O: time of moving words, all blocks
  Quotient blocks;   ///< N
  Quotient path;     ///< L: edges of the longest path of blocks
  Quotient cost;     ///< C: the most that a block takes, span and overhead
  Quotient widest;   ///< K: blocks that may run at the same time

  /// (N/K + L)*C: no more time is needed with K multiprocessors.
  Quotient bound() const { return (blocks / widest + path) * cost; }
};

/// How an access moves words of global memory.
struct AccessCost {
  std::string array;
  SourceRange at;
  bool isStaged = false, isCoalesced = true;
  Quotient words;    ///< that a thread moves
  Quotient overhead; ///< of a block
  std::string reason;
};

struct NestModel {
  Measures measures;
  std::vector<AccessCost> accesses;
};

/// The measures of one nest, its outer loops included. Sizes that divisions define are taken as if they left
/// no rest. Throws NestRefused.
NestModel modelOf(const DeviceNest& from, const Nest& nest);

/// Whether more elements a thread pay, by the ratio of times at 1 and at `size`, where the sizes in `data`
/// are large.
struct Advice {
  enum class What { One, Large, Open };
  What what = What::Open;
  Quotient ratio; ///< of the leading terms
};
Advice advise(const Quotient& atOne, const Quotient& at, const std::string& size,
              const std::set<std::string>& data);

} // namespace warploom::cases
