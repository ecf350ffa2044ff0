// Clocks of flows: in which steps a flow has a value.
#pragma once

#include "sync/model/Expr.h"

#include <map>
#include <string>
#include <tuple>

namespace warploom::sync {

/// The steps of `parent` in which a boolean variable holds, or does not; without a parent, all steps. Equal
/// clocks are the same object of a ClockTable.
struct Clock {
  const Clock* parent = nullptr;
  ExprPtr guard = nullptr; ///< holds in its steps
  std::string name;        ///< for messages
};

class ClockTable {
public:
  ClockTable() : everything{nullptr, boolLiteral(true), "the base clock"} {}

  const Clock* always() const { return &everything; }
  /// `parent` where `condition`, a read of a variable called `name`, has the value `positive`.
  const Clock* on(const Clock* parent, ExprPtr condition, const std::string& name, bool positive);

private:
  Clock everything;
  std::map<std::tuple<const Clock*, int, bool>, Clock> made; ///< addresses of its elements stay
};

} // namespace warploom::sync
