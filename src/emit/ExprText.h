// Expressions and code as CUDA text. What variables, indices and accesses are called is for the caller to
// say.
#pragma once

#include "model/Code.h"
#include "support/TextWriter.h"

#include <functional>
#include <string>

namespace warploom {

/// The text of an expression, and how tightly it binds, as C's operators do.
struct ExprText {
  static constexpr int lowest = 0, choice = 1, sum = 10, product = 11, unary = 12, primary = 13;
  std::string text;
  int strength = primary;

  /// The text for a place where only what binds at least so tightly may stand.
  std::string atLeast(int needed) const { return strength < needed ? "(" + text + ")" : text; }
};

/// The text of an Index, Affine, Access or Local node.
using LeafText = std::function<ExprText(const Expr&)>;

/// `node` in CUDA C++, with the value it has in C.
ExprText cudaText(const Expr& node, const LeafText& leaf);

/// Writes `code`; Local variables have the names that `nameOf` gives them.
void writeCode(const Code& code, const LeafText& leaf,
               const std::function<std::string(const std::string&)>& nameOf, TextWriter& to);

/// `[i][j]`: the operands of `node` from `first` on.
std::string subscriptsText(const Expr& node, std::size_t first, const LeafText& leaf);

} // namespace warploom
