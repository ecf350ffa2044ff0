// Loops that only data end, as the code of a statement: from one element of an array to the next one.
#pragma once

#include "model/Region.h"

#include <optional>
#include <string>

namespace warploom {

/// `for (k = begin; k < end; k++) assignment`, where nothing else happens. `counter` is what `assignment`
/// calls k; other variables of the code are replaced by their values.
struct RowLoop {
  std::string counter;
  ExprPtr begin, end, assignment;
};

/// The loop that an opaque statement is; nothing where it is another.
std::optional<RowLoop> rowLoop(const Statement& statement);

/// `value` without casts between integers that keep every value.
const Expr& withoutWidening(const Expr& value);

} // namespace warploom
