#include "analysis/Privatisation.h"

#include "analysis/Order.h"

#include <set>

namespace warploom {

namespace {

/// True when every value of `array` that is written in `loop` and seen after it was written in its last
/// iteration.
bool lastIterationSuffices(const Region& region, const Dependences& dependences, int loop, int array) {
  std::size_t depth = region.loops[loop].depth;
  isl::set seen = isl::set::empty(own(isl_space_set_alloc(islContext().get(), 0, depth)));
  auto add = [&](const isl::set& instances) { seen = seen.unite(outermost(instances, depth)); };
  for (const Dependence& flow : dependences.all) {
    if (flow.kind != Dependence::Kind::Flow || flow.array != array) continue;
    if (!inside(flow.source.statementIn(region), loop)) continue;
    bool leaves = !inside(flow.sink.statementIn(region), loop) ||
                  (flow.carrier >= 0 && flow.carrier != loop && encloses(region, flow.carrier, loop));
    if (leaves) add(flow.relation.domain());
  }
  for (const Instances& last : dependences.final)
    if (last.access.in(region).array == array && inside(last.access.statementIn(region), loop)) add(last.set);
  if (seen.is_empty()) return true;
  return seen.is_disjoint(laterIterations(region, loop).domain());
}

/// True when a read of `array` in `loop` may see a value from before the iteration of `loop` it is in.
bool seesOlderValue(const Region& region, const Dependences& dependences, int loop, int array) {
  for (const Instances& exposed : dependences.exposed)
    if (exposed.access.in(region).array == array && inside(exposed.access.statementIn(region), loop))
      return true;
  for (const Dependence& flow : dependences.all) {
    if (flow.kind != Dependence::Kind::Flow || flow.array != array) continue;
    if (!inside(flow.sink.statementIn(region), loop)) continue;
    if (!inside(flow.source.statementIn(region), loop)) return true;
    if (flow.carrier >= 0 && encloses(region, flow.carrier, loop)) return true;
  }
  return false;
}

} // namespace

std::vector<int> privateArrays(const Region& region, const Dependences& dependences, int loop,
                               Effort& effort) {
  std::set<int> written, ordered;
  for (const Statement& statement : region.statements)
    for (const Access& access : statement.accesses)
      if (access.writes() && inside(statement, loop)) written.insert(access.array);
  for (const Dependence& dependence : dependences.all)
    if (dependence.carrier == loop) ordered.insert(dependence.array);

  std::vector<int> result;
  for (int array : written) {
    if (!ordered.count(array) && !region.arrays[array].isScalar()) continue;
    if (seesOlderValue(region, dependences, loop, array)) continue;
    auto suffices = effort.ask(Effort::Kind::Loops,
                               [&] { return lastIterationSuffices(region, dependences, loop, array); });
    if (suffices.value_or(false)) result.push_back(array);
  }
  return result;
}

} // namespace warploom
