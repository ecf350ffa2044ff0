#include "analysis/Words.h"

#include "analysis/Order.h"

#include <algorithm>

namespace warploom {

namespace {

/// True when nothing in the data decides whether the access happens, or where.
bool alwaysHappensThere(const Region& region, AccessRef ref) {
  const Access& access = ref.in(region);
  const Statement& statement = ref.statementIn(region);
  auto isExact = [&](int loop) { return region.loops[loop].inexactBounds.empty(); };
  return access.exact && (access.kind == Access::Kind::Read || access.kind == Access::Kind::Write) &&
         statement.guards.empty() && std::all_of(statement.loops.begin(), statement.loops.end(), isExact);
}

} // namespace

bool isCertain(const Region& region, const Dependence& dependence) {
  return dependence.exact() && alwaysHappensThere(region, dependence.source) &&
         alwaysHappensThere(region, dependence.sink);
}

bool isDenied(const Region& region, const Dependence& dependence) {
  if (dependence.carrier < 0) return false;
  const std::optional<Word>& word = region.loops[dependence.carrier].word;
  if (!word || region.arrays[dependence.array].isScalar()) return false;
  if (std::count(word->combined.begin(), word->combined.end(), dependence.array) > 0) return false;
  // Lanes go through the body together, so what stands earlier has been done in all of them.
  return !word->ofLanes ||
         !textuallyBefore(dependence.source.statementIn(region), dependence.sink.statementIn(region));
}

void takeWords(const Region& region, Dependences& dependences) {
  auto isWaived = [&](const Dependence& one) { return isDenied(region, one) && !isCertain(region, one); };
  std::copy_if(dependences.all.begin(), dependences.all.end(), std::back_inserter(dependences.waived),
               isWaived);
  std::erase_if(dependences.all, isWaived);
}

} // namespace warploom
