#include "mapping/Movement.h"

#include "support/IslC.h"

#include <algorithm>
#include <isl/aff.h>
#include <isl/map.h>
#include <isl/union_map.h>

namespace warploom {

Movement movement(const Region& region, const Facts& facts, const LoopTree& loop, AccessRef access) {
  std::optional<std::size_t> level = sourceLevel(region, loop, access.statement);
  const ArrayFacts& array = facts.arrays[access.in(region).array];
  auto found = std::find_if(array.accesses.begin(), array.accesses.end(),
                            [&](const AccessFacts& one) { return one.access == access; });
  if (!level || found == array.accesses.end() || *level >= found->strides.size()) return Movement::Unknown;
  const Stride& stride = found->strides[*level];
  switch (stride.kind) {
  case Stride::Kind::Constant:
    return stride.value == 0    ? Movement::None
           : stride.value == 1  ? Movement::Unit
           : stride.value == -1 ? Movement::Back
                                : Movement::Far;
  case Stride::Kind::Symbolic:
    return Movement::Far;
  case Stride::Kind::Unknown:
    break;
  }
  return Movement::Unknown;
}

double coalescing(const Region& region, const Facts& facts, const LoopTree& loop) {
  double score = 0;
  for (int s : statementsOf(region, loop)) {
    const Statement& statement = region.statements[s];
    double weight = 1;
    for (std::size_t depth = 1; depth < statement.loops.size(); ++depth)
      weight *= 8;
    for (std::size_t a = 0; a < statement.accesses.size(); ++a) {
      const Access& access = statement.accesses[a];
      if (access.kind == Access::Kind::Kill || region.arrays[access.array].isScalar()) continue;
      Movement to = movement(region, facts, loop, {s, static_cast<int>(a)});
      score += to == Movement::Unit || to == Movement::Back ? weight : to == Movement::None ? 0 : -weight;
    }
  }
  return score;
}

} // namespace warploom
