#include "strategy/Fusion.h"

#include "analysis/Effort.h"
#include "mapping/Movement.h"

#include <algorithm>

namespace warploom {

namespace {

/// Of a nest with more statements threads need many registers.
constexpr std::size_t mostStatements = 8;

/// The loops of a perfect nest around statements alone; empty when `tree` is none.
std::vector<const LoopTree*> elementWise(const LoopTree& tree) {
  if (tree.kind != LoopTree::Kind::Loop) return {};
  std::vector<const LoopTree*> nest = nestFrom(tree), parts = partsOf(nest.back()->children.front());
  bool bare = std::all_of(parts.begin(), parts.end(),
                          [](const LoopTree* part) { return part->kind == LoopTree::Kind::Leaf; });
  return bare ? nest : std::vector<const LoopTree*>{};
}

class Fuser {
public:
  explicit Fuser(ScheduleState& state) : state(state) {}

  void fuse() {
    // A step may change the tree anywhere: begin anew until nothing is left to do.
    while (fuseIn(state.tree())) {
    }
  }

private:
  bool fuseIn(const LoopTree& tree) {
    if (tree.kind == LoopTree::Kind::Sequence)
      for (std::size_t k = 0; k + 1 < tree.children.size(); ++k)
        if (fusePair(tree.children[k], tree.children[k + 1])) return true;
    return std::any_of(tree.children.begin(), tree.children.end(),
                       [&](const LoopTree& child) { return fuseIn(child); });
  }

  bool fusePair(const LoopTree& a, const LoopTree& b) {
    std::vector<const LoopTree*> first = elementWise(a), second = elementWise(b);
    if (first.empty() || first.size() != second.size()) return false;
    std::size_t statements = statementsOf(state.region(), a).size() + statementsOf(state.region(), b).size();
    if (statements > mostStatements || !isParallel(first) || !isParallel(second)) return false;
    if (fastest(first) != fastest(second)) return false;
    auto equal = limited([&] { return valuesOf(first).range().is_equal(valuesOf(second).range()); });
    if (!equal.value_or(false)) return false;
    ScheduleState trial = state;
    std::vector<std::string> names;
    for (std::size_t k = 0; k < first.size(); ++k) {
      if (trial.take(Fuse{first[k]->name, second[k]->name})) return false;
      names.push_back(first[k]->name);
    }
    for (const std::string& name : names)
      if (!trial.isParallel(name).value_or(false)) return false;
    state = std::move(trial);
    return true;
  }

  bool isParallel(const std::vector<const LoopTree*>& nest) const {
    return std::all_of(nest.begin(), nest.end(),
                       [&](const LoopTree* loop) { return state.isParallel(loop->name).value_or(false); });
  }

  /// The loop along which most accesses go to the next element.
  std::size_t fastest(const std::vector<const LoopTree*>& nest) const {
    std::vector<double> scores;
    for (const LoopTree* loop : nest)
      scores.push_back(coalescing(state.region(), state.facts(), *loop));
    // Of equal ones the innermost.
    return static_cast<std::size_t>(scores.rend() - std::max_element(scores.rbegin(), scores.rend())) - 1;
  }

  ScheduleState& state;
};

} // namespace

void fuseEqualNests(ScheduleState& state) {
  Fuser(state).fuse();
}

} // namespace warploom
