// Statement bodies as CUDA text, with every access going where the kernel keeps the array.
#pragma once

#include "emit/Names.h"
#include "mapping/Plan.h"

#include <set>
#include <string>

namespace warploom {

/// What a kernel's text turned out to use, and so needs as arguments.
struct UsedNames {
  std::set<std::string> parameters; ///< of Region::parameters, by name
  std::set<int> arrays;
};

/// Prints the bodies of one kernel.
class BodyText {
public:
  BodyText(const Region& region, const KernelPlan& kernel, Names& names, UsedNames& used)
      : region(region), kernel(kernel), names(names), used(used) {}

  /// `statement` as one C++ statement without its guards, semicolon included.
  std::string statement(int index) const;
  /// Its guards joined by `&&`; empty when there are none.
  std::string guards(int index) const;
  /// The text by which the kernel reaches `array` as a whole: the private variable, the argument.
  std::string place(int array) const;

private:
  struct Text {
    std::string text;
    int strength; ///< how tightly it binds, as C's operators do
  };
  Text expr(const Expr& node, const Statement& statement) const;
  Text access(const Expr& node, const Statement& statement) const;
  Text subscript(const Expr& node, const Statement& statement) const;
  /// `text`, a `long` that stands for a value of C type `type`: unsigned arithmetic must wrap around as in
  /// the source.
  Text typed(const Text& text, const Type& type) const;
  std::string atLeast(const Expr& node, const Statement& statement, int strength) const;
  std::string atomicUpdate(const Statement& statement) const;

  const Region& region;
  const KernelPlan& kernel;
  Names& names;
  UsedNames& used;
  mutable int subscripts = 0; ///< > 0: inside a subscript, where values are known not to wrap around
};

/// The functor of the runtime for a reduction operation: `warploom::Sum` for `+`.
std::string reductionFunctor(const std::string& op);

} // namespace warploom
