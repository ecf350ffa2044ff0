#include "transform/Prepare.h"

#include <utility>

namespace warploom {

namespace {

/// `region` without the statements whose values nobody sees: they are Kill statements that kill nothing.
Region withoutDead(const Region& region, const Facts& facts) {
  Region live = region;
  auto isDead = [&](int s) {
    const Statement& statement = live.statements[s];
    if (statement.kind != Statement::Kind::Assign || !statement.hostOnly.empty()) return false;
    for (int a = 0; a < static_cast<int>(statement.accesses.size()); ++a) {
      const Access& access = statement.accesses[a];
      const Array& array = live.arrays[access.array];
      if (!access.writes()) continue;
      if (!array.isScalar() || array.storage != Array::Storage::Local) return false;
      for (const Dependence& dependence : facts.dependences.all)
        if (dependence.kind == Dependence::Kind::Flow && dependence.source == AccessRef{s, a} &&
            live.statements[dependence.sink.statement].kind != Statement::Kind::Kill)
          return false;
      for (const Instances& last : facts.dependences.final)
        if (array.liveAfter && array.declaredIn < 0 && last.access == AccessRef{s, a}) return false;
    }
    return true;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (int s = 0; s < static_cast<int>(live.statements.size()); ++s)
      if (isDead(s)) {
        live.statements[s].kind = Statement::Kind::Kill;
        live.statements[s].body = nullptr;
        changed = true;
      }
  }
  return live;
}

/// True when what depends on each other in `region`, and no longer does for the parameter values `assumed`,
/// still runs for some of them: where iterations are independent only because they do nothing, nothing is
/// gained.
bool keepsWork(const Region& region, const Facts& facts, const isl::set& assumed) {
  auto runs = [&](const AccessRef& end) { return !end.in(region).map.intersect_params(assumed).is_empty(); };
  for (const Dependence& dependence : facts.dependences.all)
    if (dependence.relation.intersect_params(assumed).is_empty() && !dependence.relation.is_empty() &&
        !(runs(dependence.source) && runs(dependence.sink)))
      return false;
  return true;
}

/// The parameter values for which every conditionally parallel loop is parallel.
isl::set conditionsOf(const Region& region, const Facts& facts) {
  isl::set assumed = isl::set(islContext(), "{ : }");
  for (const LoopVerdict& loop : facts.loops)
    if (loop.parallelFor) {
      isl::set both = assumed.intersect(*loop.parallelFor);
      // Conditions that no sizes satisfy together, or only few: the first found win.
      if (keepsWork(region, facts, both.intersect(region.context))) assumed = both;
    }
  return assumed;
}

/// `facts` of what `region` still runs.
Facts ofLive(const Region& region, Facts facts) {
  auto isGone = [&](const AccessRef& end) {
    return region.statements[end.statement].kind == Statement::Kind::Kill;
  };
  std::erase_if(facts.dependences.all,
                [&](const Dependence& one) { return isGone(one.source) || isGone(one.sink); });
  return facts;
}

/// `facts` for the parameter values `assumed`.
Facts under(const isl::set& assumed, Facts facts) {
  for (Dependence& dependence : facts.dependences.all)
    dependence.relation = dependence.relation.intersect_params(assumed);
  std::erase_if(facts.dependences.all, [](const Dependence& one) { return one.relation.is_empty(); });
  return facts;
}

} // namespace

PreparedRegion prepareRegion(const Region& source, const Facts& facts) {
  Region region = withoutDead(source, facts);
  isl::set assumed = conditionsOf(region, facts);
  Facts always = ofLive(region, facts);
  Facts then = under(assumed, always);
  return {std::move(region), std::move(then), std::move(assumed), std::move(always)};
}

} // namespace warploom
