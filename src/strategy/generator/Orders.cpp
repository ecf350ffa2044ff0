#include "strategy/generator/Orders.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace warploom::strategies {

const char* nameOf(Rule rule) {
  switch (rule) {
  case Rule::Dependence:
    return "dependence";
  case Rule::Coalescing:
    return "coalescing";
  case Rule::Threads:
    return "threads";
  case Rule::Shared:
    return "shared";
  case Rule::Constant:
    return "constant";
  case Rule::Registers:
    return "registers";
  case Rule::Same:
    return "same";
  case Rule::Step:
    return "step";
  }
  return "";
}

std::size_t Orders::count(Rule rule) const {
  return static_cast<std::size_t>(
      std::count_if(dropped.begin(), dropped.end(), [&](const Dropped& one) { return one.rule == rule; }));
}

bool isContiguous(const Nest& nest, std::size_t loop) {
  std::size_t most = 0;
  auto movedBy = [&](const NestArrays& array) {
    std::size_t loops = 0;
    for (std::size_t l = 0; l < nest.loops.size(); ++l)
      loops += array.moves(l);
    return loops;
  };
  for (const NestArrays& array : nest.arrays)
    most = std::max(most, movedBy(array));
  int contiguous = 0, apart = 0;
  for (const NestArrays& array : nest.arrays) {
    if (movedBy(array) != most) continue;
    for (const NestAccess& access : array.accesses)
      (access.isContiguous(loop) ? contiguous : apart) += access.moves(loop);
  }
  return contiguous > apart;
}

namespace {

std::string textOf(const std::vector<std::string>& loops) {
  return fmt::format("{}", fmt::join(loops, ", "));
}

/// All orders of the nest's first loops, each with the number of its loops for the host and the grid, as far
/// as they are legal.
class Permutations {
public:
  Permutations(const ScheduleState& state, const std::string& outermost) : state(state) {
    for (const LoopTree* loop : nestFrom(*findLoop(state.tree(), outermost)))
      names.push_back(loop->name);
  }

  void visit() {
    std::vector<std::size_t> order(std::min(names.size(), mostPermuted));
    for (std::size_t k = 0; k < order.size(); ++k)
      order[k] = k;
    do {
      std::vector<std::string> loops;
      for (std::size_t k : order)
        loops.push_back(names[k]);
      loops.insert(loops.end(), names.begin() + static_cast<long>(order.size()), names.end());
      ++all;
      ScheduleState trial = state;
      if (auto refused = trial.take(Permute{loops})) {
        illegal.push_back({Rule::Dependence, textOf(loops), refused->reason});
        continue;
      }
      legal.push_back(divided(trial, loops));
    } while (std::next_permutation(order.begin(), order.end()));
  }

  bool isParallel() const {
    return std::any_of(legal.begin(), legal.end(), [](const LoopOrder& order) { return order.parallel > 0; });
  }

  std::size_t all = 0;
  std::vector<std::string> names;
  std::vector<LoopOrder> legal;
  std::vector<Dropped> illegal;

private:
  static LoopOrder divided(const ScheduleState& trial, const std::vector<std::string>& loops) {
    LoopOrder order{loops};
    auto isParallel = [&](std::size_t k) { return trial.isParallelUnreduced(loops[k]).value_or(false); };
    while (order.host < loops.size() && !isParallel(order.host))
      ++order.host;
    while (order.host + order.parallel < loops.size() && isParallel(order.host + order.parallel))
      ++order.parallel;
    if (order.parallel == 0) order.host = 0;
    return order;
  }

  const ScheduleState& state;
};

/// Skews the innermost of `names` by each of the others, so that a loop outside carries all dependences.
std::vector<Step> skews(const std::vector<std::string>& names) {
  std::vector<Step> steps;
  for (std::size_t k = 0; k + 1 < names.size(); ++k)
    steps.push_back(Skew{names.back(), names[k], 1});
  return steps;
}

} // namespace

Orders loopOrders(const ScheduleState& state, const std::string& outermost, long assumed) {
  Orders result;
  Permutations permutations(state, outermost);
  permutations.visit();
  ScheduleState skewed = state;
  if (!permutations.isParallel() && permutations.names.size() > 1) {
    const std::vector<Step> steps = skews(permutations.names);
    const bool taken =
        std::all_of(steps.begin(), steps.end(), [&](const Step& step) { return !skewed.take(step); });
    Permutations others(skewed, outermost);
    if (taken) others.visit();
    if (others.isParallel()) {
      result.before = steps;
      permutations.all = others.all;
      permutations.legal = std::move(others.legal);
      permutations.illegal = std::move(others.illegal);
    }
  }
  result.all = permutations.all;
  result.dropped = permutations.illegal;
  // As few loops on the host as possible, and then as many on the grid.
  const LoopOrder* best = nullptr;
  for (const LoopOrder& order : permutations.legal)
    if (order.parallel > 0 &&
        (!best || order.host < best->host || (order.host == best->host && order.parallel > best->parallel)))
      best = &order;
  std::vector<LoopOrder> kept;
  for (const LoopOrder& order : permutations.legal)
    if (best && order.parallel == best->parallel && order.host == best->host)
      kept.push_back(order);
    else
      result.dropped.push_back({Rule::Dependence, textOf(order.loops),
                                "a loop that carries a dependence is outside of one that carries none"});
  const ScheduleState& begun = result.before.empty() ? state : skewed;
  const Nest nest = nestOf(begun, outermost, assumed);
  auto coalesces = [&](const LoopOrder& order) {
    return isContiguous(nest, nest.at(order.loops[order.host]));
  };
  result.relaxed = std::none_of(kept.begin(), kept.end(), coalesces);
  for (const LoopOrder& order : kept)
    if (result.relaxed || coalesces(order))
      result.left.push_back(order);
    else
      result.dropped.push_back({Rule::Coalescing, textOf(order.loops),
                                fmt::format("along `{}` neighbouring threads go through memory in strides",
                                            order.loops[order.host])});
  return result;
}

} // namespace warploom::strategies
