// What a block keeps in shared memory, as text: its declaration, the copies to it, and the elements by which
// statements reach it.
#pragma once

#include "emit/KernelScope.h"

#include <string>
#include <vector>

namespace warploom {

class SharedText {
public:
  explicit SharedText(KernelScope& scope);

  /// Writes the struct of all that a block keeps, from which both the kernel and its launch know how much
  /// that is. The result is its name, empty when there is nothing to keep.
  std::string define(TextWriter& to);
  /// True when that struct is a template over a set of sizes.
  bool isBySet() const { return !set.empty(); }
  /// Writes the declarations that the kernel begins with.
  void declare(TextWriter& to);

  /// Writes the copies of one tile, in which all threads of a block take part.
  void write(const CopyNode& copy, TextWriter& to);
  /// The variable that tells which copy of the tiles is worked on.
  std::string buffer() const { return scope.local("buffer"); }
  /// Which of so many copies is filled meanwhile: the one that was worked on in the round before.
  std::string buffer(int copies) const;

  /// The element in shared memory that `access` reaches; empty when it reaches none.
  std::string element(AccessRef access);

private:
  bool writeAsync(const CopyNode& copy, TextWriter& to);
  std::optional<std::vector<std::string>> partThere(const CopyNode& copy,
                                                    const std::vector<std::size_t>& sides);
  std::string threadCount() const;
  std::string structName() const;
  std::string structType() const; ///< the same with its arguments

  KernelScope& scope;
  const MappedTree& tree;
  std::string set;                ///< its argument; empty: it has none
  std::vector<std::string> names; ///< per entry of MappedTree::shared
};

/// The parameter that stands for subscript `d` of an element of a box.
std::string subscriptName(std::size_t d);
/// Where `elements`, which are in `box`, are, with a parameter for each subscript. Of these `given` learns
/// that they are in the box, which may have more.
isl::set bySubscripts(const Box& box, const isl::set& elements, isl::set& given);

/// Where the element that `access` reaches is along each side of `box`, counted from 0; empty when it is none
/// of those of the box.
std::vector<std::string> placesIn(KernelScope& scope, const Box& box, AccessRef access);

} // namespace warploom
