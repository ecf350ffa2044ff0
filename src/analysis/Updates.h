// Statements that combine a value into an element, as a kernel writes them: in one atomic update.
#pragma once

#include "model/Region.h"

#include <optional>
#include <string>

namespace warploom {

/// A statement that combines a value into an element: `x op= e`, `x = x op e`, `x = e op x`.
struct Update {
  std::string op;    ///< `+ * & | ^`; a subtraction is the addition of the negated value
  const Expr* value; ///< e
  bool negated = false;
};

/// The update that the assignment `assign` or `statement` is; nothing when it has another form.
std::optional<Update> updateOf(const Expr& assign);
std::optional<Update> updateOf(const Statement& statement);

} // namespace warploom
