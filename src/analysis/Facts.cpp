#include "analysis/Facts.h"

#include "analysis/Words.h"
#include "support/Attempt.h"

#include <fmt/format.h>

namespace warploom {

namespace {

/// Pairs of accesses to one array that are compared in one region; each takes about a millisecond.
constexpr std::size_t mostPairs = 10'000;

/// How many pairs of accesses, one of them a write, are to the same array.
std::size_t pairsToCompare(const Region& region) {
  std::vector<std::size_t> reads(region.arrays.size()), writes(region.arrays.size());
  for (const Statement& statement : region.statements)
    for (const Access& access : statement.accesses) {
      if (access.reads()) ++reads.at(static_cast<std::size_t>(access.array));
      if (access.writes()) ++writes.at(static_cast<std::size_t>(access.array));
    }
  std::size_t pairs = 0;
  for (std::size_t k = 0; k < reads.size(); ++k)
    pairs += (reads[k] + writes[k]) * writes[k];
  return pairs;
}

/// What one knows of `region` without looking at it.
Facts nothingKnown(const Region& region, const std::string& reason) {
  Facts facts;
  facts.gaveUp = reason;
  LoopVerdict unknown;
  unknown.reason = reason;
  facts.loops.assign(region.loops.size(), unknown);
  ArrayFacts anything;
  anything.read = anything.written = anything.liveIn = anything.liveOut = true;
  facts.arrays.assign(region.arrays.size(), anything);
  return facts;
}

} // namespace

Facts analyse(const Region& region) {
  auto result = attempt([&] {
    if (std::size_t pairs = pairsToCompare(region); pairs > mostPairs)
      return nothingKnown(region, fmt::format("the region has {} pairs of accesses to compare, more than {}",
                                              pairs, mostPairs));
    Effort effort;
    Facts facts;
    facts.dependences = dependences(region, effort);
    takeWords(region, facts.dependences);
    facts.loops = verdicts(region, facts.dependences, effort);
    facts.arrays = arrayFacts(region, facts.dependences, effort);
    return facts;
  });
  return result.value ? std::move(*result.value) : nothingKnown(region, result.reason);
}

} // namespace warploom
