// Statement bodies as CUDA text, with every access going where the kernel keeps the array.
#pragma once

#include "emit/ExprText.h"
#include "emit/Names.h"
#include "mapping/Plan.h"

#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>

namespace warploom {

/// What a kernel's text turned out to use, and so needs as arguments.
struct UsedNames {
  std::set<std::string> parameters; ///< of Region::parameters, by name
  std::set<int> arrays;             ///< that lie in memory on their own: structs, not their fields
  std::set<std::string> sizes;      ///< of blocks and tiles, by the names that the plan has for them
  const SizeTable* table;           ///< what these mean
  std::string sizePrefix; ///< what the kernel's own sizes are called before that; empty: it has none
  /// What has the sizes of tiles, of which there are two sets, where the kernel has none of its own.
  std::string tilesIn = "Tiles";
  bool hasVariants = false; ///< there are several sets of all of its sizes
  /// The argument of the kernel that has the sizes of which the launcher chooses the set; empty: there is
  /// none.
  std::string chosenSet;

  /// `text`, a size or a quotient of two, as the kernel calls them.
  std::string size(const std::string& text);
};

/// Text that stands for one access of one statement where it is not reached in device memory; empty where it
/// is.
using Redirection = std::function<std::string(AccessRef)>;

/// Prints the bodies of one kernel.
class BodyText {
public:
  BodyText(const Region& region, const RegionPlan& plan, const KernelPlan& kernel, Names& names,
           UsedNames& used)
      : region(region), plan(plan), kernel(kernel), names(names), used(used) {}

  void redirect(Redirection to) { redirection = std::move(to); }
  /// From now on the statements of `reduction` work on the thread's part of the accumulator, or again on
  /// itself.
  void combineInParts(const Reduction& reduction, const std::string& part);
  void combineInPlace(const Reduction& reduction);
  bool isInParts(int statement, int array) const { return inParts.count({statement, array}) > 0; }
  /// What `statement` assigns to, as text.
  std::string target(int statement) const;
  /// The element that `statement` reaches by `access`, in device memory.
  std::string element(AccessRef access) const;
  /// The element of `array`, which has one copy, in device memory at these coordinates, each an
  /// identifier or in parentheses.
  std::string elementAt(int array, const std::vector<std::string>& coordinates) const;

  /// What reading `element` of `array` in device memory is.
  std::string loaded(int array, const std::string& element) const;

  /// `statement` as one C++ statement without its guards, semicolon included.
  std::string statement(int index) const;
  /// Its guards joined by `&&`; empty when there are none.
  std::string guards(int index) const;
  /// The text by which the kernel reaches the memory of `array` as a whole: the private variable, the
  /// argument.
  std::string place(int array) const;
  /// The text of `node`, a part of the body of `statement`.
  ExprText expr(const Expr& node, const Statement& statement) const;

private:
  ExprText leaf(const Expr& node, const Statement& statement) const;
  ExprText access(const Expr& node, const Statement& statement) const;
  ExprText subscript(const Expr& access, std::size_t k, const Statement& statement) const;
  /// The way from a struct to the field that `node` accesses: `.v[k]`; empty when it is no field.
  std::string memberText(const Expr& node, const Statement& statement) const;
  std::string elementText(const Expr& node, const Statement& statement) const;
  std::string copyOf(int array, const std::vector<std::string>& values = {}) const;
  bool accumulates(AccessRef access) const;
  int indexOf(const Statement& statement) const {
    return static_cast<int>(&statement - region.statements.data());
  }
  /// `text`, a `long` that stands for a value of C type `type`: unsigned arithmetic must wrap around as in
  /// the source.
  ExprText typed(const ExprText& text, const Type& type) const;
  std::string atLeast(const Expr& node, const Statement& statement, int strength) const;
  std::string atomicUpdate(const Statement& statement) const;

  const Region& region;
  const RegionPlan& plan;
  const KernelPlan& kernel;
  Names& names;
  UsedNames& used;
  Redirection redirection;
  std::map<std::pair<int, int>, std::string>
      inParts;                     ///< by statement and the array it combines in parts: the part
  mutable bool neverWraps = false; ///< inside an affine subscript, whose values are known not to wrap around
};

/// The first value of the index of a source loop, and how many values there are from it to the last, over the
/// parameters.
std::pair<isl::pw_aff, isl::pw_aff> sourceRange(const Region& region, int loop);

/// The functor of the runtime for a reduction operation: `warploom::Sum` for `+`.
std::string reductionFunctor(const std::string& op);

/// The statement that combines `value` by `op` into what the pointer `target` points to, of scalar type
/// `type`, while other threads do the same.
std::string atomicText(const std::string& target, const std::string& value, const std::string& type,
                       const std::string& op);

} // namespace warploom
