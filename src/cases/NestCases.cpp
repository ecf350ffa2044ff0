#include "cases/NestCases.h"

#include "cases/Model.h"

#include <algorithm>
#include <fmt/format.h>

namespace warploom::cases {

namespace {

enum Counters : std::size_t { Threads, Registers, Words, FirstMeasure };
enum Strategies : std::size_t {
  GranularityOne,
  Uncached,
  NamedOnce,
  NamedAgain,
  Staged,
  Local,
  HalfTiles,
  Rolled,
  Bounded
};
enum class Measure { ByRegisters, ByWords, ByBlocks, Coalescing, Intensity };

/// The measures that are asked for, in order.
std::vector<Measure> measuresOf(const Targets& targets) {
  std::vector<Measure> result;
  if (targets.occupancy) result = {Measure::ByRegisters, Measure::ByWords, Measure::ByBlocks};
  if (targets.coalescing) result.push_back(Measure::Coalescing);
  if (targets.intensity) result.push_back(Measure::Intensity);
  return result;
}

/// A thread runs a loop beside that over its elements.
bool hasInner(const Nest& nest) {
  return std::any_of(nest.loops.begin(), nest.loops.end(), [&](const NestLoop& one) {
    return one.role == NestLoop::Role::Inner &&
           !(nest.granularity && nest.granularity->counter == one.counter) && !(one.bound == Polynomial(1));
  });
}

} // namespace

std::string NestForm::text() const {
  std::string result;
  if (nest.cached.empty())
    result = "nothing in shared memory";
  else
    result = fmt::format("{} in shared memory", fmt::join(nest.cached, ", "));
  if (!local.empty()) result += fmt::format(", {} in registers", fmt::join(local, ", "));
  if (isHalved) result += ", half tiles";
  if (nest.granularity)
    result += fmt::format(", {} elements a thread", nest.granularity->size.text());
  else if (isOne)
    result += ", one element a thread";
  if (named)
    result += named == 1 ? ", names for what is repeated" : ", names for what is repeated or nearly so";
  if (isRolled) result += ", loops unrolled by 4";
  if (isBounded) result += ", registers for two blocks";
  return result;
}

Amount NestCode::amount(std::size_t number) const {
  switch (number) {
  case Threads:
    return {form.nest.threads()};
  case Registers:
    return {static_cast<long>(registers)};
  case Words:
    return {form.nest.words()};
  default:
    return measure(number - FirstMeasure);
  }
}

Amount NestCode::measure(std::size_t number) const {
  const Targets& of = counters.targets;
  const Polynomial threads = form.nest.threads();
  // What both sides have in common says nothing, and only makes questions harder.
  auto percents = [](const Polynomial& over, const Polynomial& under) {
    const Quotient part(Polynomial(100) * over, under);
    return Amount{part.over, part.under};
  };
  switch (measuresOf(of).at(number)) {
  case Measure::ByRegisters:
    return percents(of.registers, of.threads * Polynomial(static_cast<long>(registers)));
  case Measure::ByWords:
    // Who needs no words is not limited by them.
    if (form.nest.words().isZero()) return {100};
    return percents(threads * of.words, of.threads * form.nest.words());
  case Measure::ByBlocks:
    return percents(threads * of.blocks, of.threads);
  default:
    break;
  }
  const NestModel model = modelOf(*counters.from, form.nest);
  Quotient all, together;
  for (const AccessCost& access : model.accesses) {
    all = all + access.words;
    if (access.isCoalesced) together = together + access.words;
  }
  const bool isIntensity = measuresOf(of).at(number) == Measure::Intensity;
  if (all.over.isZero()) return {isIntensity ? 0 : 100};
  const Quotient found = isIntensity ? model.measures.work / (model.measures.blocks * Quotient(threads) * all)
                                     : Quotient(Polynomial(100)) * together / all;
  return {found.over, found.under};
}

std::shared_ptr<const Code> NestCode::applied(std::size_t strategy) const {
  NestForm next = form;
  switch (strategy) {
  case GranularityOne:
    if (!form.nest.granularity) return nullptr;
    next.nest = form.nest.withGranularityOne();
    next.isOne = true;
    break;
  case Uncached:
    if (form.nest.cached.empty()) return nullptr;
    next.nest = form.nest.uncached();
    next.isCached = false;
    next.local.clear();
    next.isHalved = false;
    break;
  case NamedOnce:
  case NamedAgain: {
    const int level = strategy == NamedOnce ? 1 : 2;
    auto made = counters.names ? counters.names(form, level) : std::nullopt;
    if (!made) return nullptr;
    next.nest = std::move(*made);
    if (form.isHalved) next.nest = next.nest.withHalfTiles().value_or(next.nest);
    next.named = level;
    break;
  }
  case Local: {
    const std::set<std::string> sums = form.nest.sums();
    std::erase_if(next.nest.cached, [&](const std::string& array) {
      if (sums.count(array)) next.local.push_back(array);
      return sums.count(array) > 0;
    });
    if (next.local.empty() || !form.local.empty() || next.nest.cached.empty()) return nullptr;
    break;
  }
  case HalfTiles: {
    auto made = form.nest.cached.empty() ? std::nullopt : form.nest.withHalfTiles();
    if (!made || form.isHalved) return nullptr;
    next.nest = std::move(*made);
    next.isHalved = true;
    break;
  }
  case Rolled:
    if (form.isRolled || !hasInner(form.nest)) return nullptr;
    next.isRolled = true;
    break;
  case Bounded:
    if (form.isBounded) return nullptr;
    next.isBounded = true;
    break;
  default:
    next.nest.cached.clear();
    for (const auto& [name, array] : form.nest.arrays) {
      next.nest.cached.push_back(name);
      try {
        next.nest.words();
      } catch (const NestRefused&) {
        next.nest.cached.pop_back();
      }
    }
    if (next.nest.cached.size() <= form.nest.cached.size()) return nullptr;
    next.isCached = true;
  }
  return std::make_shared<NestCode>(std::move(next), counters);
}

unsigned estimatedRegisters(const NestForm& form) {
  return form.nest.registers() + static_cast<unsigned>(form.local.size());
}

CaseTree discussNest(const Nest& nest, const Limits& limits, const std::vector<std::string>& strategies,
                     const NestCounters& counters) {
  Discussion discussion;
  const NestCode whole(NestForm{nest}, counters);
  std::vector<std::size_t> lighter, smaller, fuller;
  auto isLighter = [&](std::size_t strategy) {
    const auto made = whole.applied(strategy);
    return made && (whole.amount(Registers).over - made->amount(Registers).over).hasNoMinus() &&
           !(whole.amount(Registers).over == made->amount(Registers).over);
  };
  bool isNamed = false, stages = false;
  for (const std::string& name : strategies) {
    if (name == "granularity") {
      lighter.push_back(GranularityOne);
      smaller.push_back(GranularityOne);
    } else if (name == "caching") {
      smaller.push_back(Uncached);
    } else if (name == "names") {
      isNamed = true;
      if (isLighter(NamedOnce)) lighter.push_back(NamedOnce);
      if (isLighter(NamedAgain)) lighter.push_back(NamedAgain);
    } else if (name == "local") {
      smaller.push_back(Local);
    } else if (name == "tiles") {
      smaller.push_back(HalfTiles);
    } else if (name == "unroll" || name == "bounds") {
      const std::size_t strategy = name == "unroll" ? Rolled : Bounded;
      if (isLighter(strategy)) lighter.push_back(strategy);
    } else {
      stages = true;
    }
  }
  fuller = smaller;
  // Staging may cost registers, too: where it does, to stage nothing saves some.
  if (std::find(smaller.begin(), smaller.end(), Uncached) != smaller.end() && isLighter(Uncached))
    lighter.push_back(Uncached);
  discussion.counters = {{"threads", limits.threads, {}, "", false},
                         {"registers", limits.registers, lighter, "(1)", false},
                         {"words", limits.words, smaller, "(4a)", false}};
  const std::vector<std::size_t> staging =
      stages ? std::vector<std::size_t>{Staged} : std::vector<std::size_t>();
  for (Measure measure : measuresOf(counters.targets)) {
    const Targets& of = counters.targets;
    Counter counter;
    counter.isPerformance = counter.isWish = true;
    counter.limit = measure == Measure::Coalescing  ? *of.coalescing
                    : measure == Measure::Intensity ? *of.intensity
                                                    : *of.occupancy;
    counter.name = measure == Measure::ByRegisters  ? "% of the threads by registers"
                   : measure == Measure::ByWords    ? "% of the threads by words"
                   : measure == Measure::ByBlocks   ? "% of the threads by blocks"
                   : measure == Measure::Coalescing ? "% of the words moved together"
                                                    : "operations a word";
    counter.strategies = measure == Measure::ByRegisters ? lighter
                         : measure == Measure::ByWords   ? fuller
                         : measure == Measure::ByBlocks  ? std::vector<std::size_t>()
                                                         : staging;
    discussion.counters.push_back(counter);
  }
  discussion.strategies = {{"one element a thread", "(3b)", false},
                           {"nothing in shared memory", "(4b)", false},
                           {"names for what is repeated", "(2)", isNamed},
                           {"names for what is nearly repeated", "(2)", isNamed},
                           {"everything in shared memory", "(4c)", false},
                           {"sums in registers", "(5)", false},
                           {"half tiles", "(6)", false},
                           {"loops unrolled by 4", "(7)", false},
                           {"registers for two blocks", "(8)", false}};
  discussion.keptCode = "(3a)";
  discussion.whenLogged = "(4a)";
  discussion.facts = nest.facts;
  return discuss(discussion, std::make_shared<NestCode>(NestForm{nest}, counters));
}

} // namespace warploom::cases
