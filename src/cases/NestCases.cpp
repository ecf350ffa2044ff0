#include "cases/NestCases.h"

#include <algorithm>
#include <fmt/format.h>

namespace warploom::cases {

namespace {

enum Counters : std::size_t { Threads, Registers, Words };
enum Strategies : std::size_t { GranularityOne, Uncached };

} // namespace

std::string NestForm::text() const {
  std::string result;
  if (nest.cached.empty())
    result = "nothing in shared memory";
  else
    result = fmt::format("{} in shared memory", fmt::join(nest.cached, ", "));
  if (nest.granularity)
    result += fmt::format(", {} elements a thread", nest.granularity->size);
  else if (isOne)
    result += ", one element a thread";
  return result;
}

Amount NestCode::amount(std::size_t number) const {
  switch (number) {
  case Threads:
    return {form.nest.threads()};
  case Registers:
    return {static_cast<long>(registers)};
  default:
    return {form.nest.words()};
  }
}

std::shared_ptr<const Code> NestCode::applied(std::size_t strategy) const {
  if (strategy == GranularityOne) {
    if (!form.nest.granularity) return nullptr;
    return std::make_shared<NestCode>(NestForm{form.nest.withGranularityOne(), form.isCached, true}, counter);
  }
  if (form.nest.cached.empty()) return nullptr;
  return std::make_shared<NestCode>(NestForm{form.nest.uncached(), false, form.isOne}, counter);
}

unsigned estimatedRegisters(const NestForm& form) {
  return form.nest.registers();
}

CaseTree discussNest(const Nest& nest, const Limits& limits, const std::vector<std::string>& strategies,
                     const RegisterCounter& registers) {
  Discussion discussion;
  std::vector<std::size_t> lighter, smaller;
  for (const std::string& name : strategies) {
    const std::size_t strategy = name == "granularity" ? GranularityOne : Uncached;
    if (strategy == GranularityOne) lighter.push_back(strategy);
    smaller.push_back(strategy);
  }
  // Staging may cost registers, too: where it does, to stage nothing saves some.
  if (std::find(smaller.begin(), smaller.end(), Uncached) != smaller.end() && !nest.cached.empty() &&
      registers({nest.uncached(), false, false}) < registers({nest}))
    lighter.push_back(Uncached);
  discussion.counters = {{"threads", limits.threads, {}, "", false},
                         {"registers", limits.registers, lighter, "(1)", false},
                         {"words", limits.words, smaller, "(4a)", false}};
  discussion.strategies = {{"one element a thread", "(3b)", false},
                           {"nothing in shared memory", "(4b)", false}};
  discussion.keptCode = "(3a)";
  discussion.whenLogged = "(4a)";
  discussion.facts = nest.facts;
  return discuss(discussion, std::make_shared<NestCode>(NestForm{nest}, registers));
}

} // namespace warploom::cases
