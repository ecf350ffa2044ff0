#include "sync/lustre/Clocks.h"

namespace warploom::sync {

const Clock* ClockTable::on(const Clock* parent, ExprPtr condition, const std::string& name, bool positive) {
  Clock clock;
  clock.parent = parent;
  clock.guard = conjunction({parent->guard, positive ? condition : negation(condition)});
  clock.name = (positive ? "`" : "`not ") + name + "`";
  return &made.try_emplace({parent, condition->variable, positive}, std::move(clock)).first->second;
}

} // namespace warploom::sync
