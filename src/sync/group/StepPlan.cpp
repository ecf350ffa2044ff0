#include "sync/group/StepPlan.h"

#include <algorithm>
#include <tuple>
#include <unordered_map>

namespace warploom::sync {

namespace {

class Planner {
public:
  Planner(System normalised, PlanOptions with)
      : plan{cellSystem(std::move(normalised)), with, {}, {}, {}, {}, 0, 0, 0, 0, {}, {}} {}

  StepPlan make() {
    DelayedOrder delayed;
    if (!plan.options.twoPhase) {
      delayed = breakAntiDependences(plan.system);
      plan.copies = delayed.copies;
      plan.antiEdges = delayed.edges;
    }
    const ImmediateOrder order = orderImmediate(plan.system, plan.options.solver);
    plan.remarks = order.remarks;
    rankShapes();
    markRegistered();
    planImmediate(order);
    if (plan.options.twoPhase)
      planTwoPhase();
    else
      planInPlace(delayed);
    planStores();
    return std::move(plan);
  }

private:
  /// Puts the actions into canonical form and numbers their shapes.
  void rankShapes() {
    Shapes known;
    for (CellAction& action : plan.system.actions)
      plan.shapes.push_back(canonicalise(plan.system, action, plan.options.shapes, known));
    std::vector<int> sorted = plan.shapes;
    std::sort(sorted.begin(), sorted.end());
    sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
    std::sort(sorted.begin(), sorted.end(), [&](int a, int b) { return known.text(a) < known.text(b); });
    std::unordered_map<int, int> rank;
    for (std::size_t i = 0; i < sorted.size(); ++i)
      rank.emplace(sorted[i], int(i));
    for (int& shape : plan.shapes)
      shape = rank[shape];
  }

  void markRegistered() {
    plan.registered.assign(plan.system.system->variables.size(), false);
    if (!plan.options.twoPhase) return;
    for (const CellAction& action : plan.system.actions)
      if (action.kind == CellAction::Kind::Delayed)
        plan.registered[plan.system.cells.variableOf(action.target)] = true;
  }

  /// By (level, shape), ties by the order in the system: the sequence of shapes does not depend on that
  /// order.
  void sortCanonically(std::vector<int>& actions, const std::vector<int>& levels) const {
    std::sort(actions.begin(), actions.end(), [&](int a, int b) {
      return std::tuple(levels[a], plan.shapes[a], a) < std::tuple(levels[b], plan.shapes[b], b);
    });
  }

  void planImmediate(const ImmediateOrder& order) {
    std::vector<std::vector<Unit>> phases(1);
    const std::vector<std::vector<int>> components = immediateComponents(plan.system);
    plan.components = int(components.size());
    for (std::vector<int> component : components) {
      sortCanonically(component, order.levels);
      const int levels = order.levels[component.back()] + 1;
      plan.levels = std::max(plan.levels, levels);
      const bool byLevel = int(component.size()) > plan.options.largeComponent &&
                           int(component.size()) / levels >= plan.options.levelWidth;
      if (!byLevel) {
        phases[0].push_back({std::move(component), -1});
        continue;
      }
      if (int(phases.size()) < levels) phases.resize(levels);
      for (int action : component)
        phases[order.levels[action]].push_back({{action}, -1});
    }
    for (std::vector<Unit>& units : phases)
      if (!units.empty()) plan.immediate.push_back(grouped(std::move(units)));
  }

  void planTwoPhase() {
    std::vector<std::vector<int>> perCell(plan.system.cells.count());
    std::vector<Unit> units;
    for (int a = 0; a < int(plan.system.actions.size()); ++a) {
      if (plan.system.actions[a].kind == CellAction::Kind::Delayed)
        perCell[plan.system.actions[a].target].push_back(a);
      if (plan.system.actions[a].kind == CellAction::Kind::Report) units.push_back({{a}, -1});
    }
    const std::vector<int> sameLevel(plan.system.actions.size(), 0);
    for (int variable = 0; variable < int(plan.registered.size()); ++variable) {
      if (!plan.registered[variable]) continue;
      const int first = plan.system.cells.first(variable);
      for (int cell = first; cell < first + plan.system.system->variables[variable].type.cellCount();
           ++cell) {
        sortCanonically(perCell[cell], sameLevel);
        units.push_back({std::move(perCell[cell]), cell});
      }
    }
    plan.delayed = grouped(std::move(units));
  }

  void planInPlace(const DelayedOrder& order) {
    std::vector<Unit> units;
    for (int a = 0; a < int(plan.system.actions.size()); ++a)
      if (plan.system.actions[a].kind == CellAction::Kind::Report) units.push_back({{a}, -1});
    for (std::vector<int> component : order.components) {
      sortCanonically(component, order.levels);
      units.push_back({std::move(component), -1});
    }
    plan.delayed = grouped(std::move(units));
  }

  void planStores() {
    std::vector<Unit> units;
    for (int a = 0; a < int(plan.system.actions.size()); ++a)
      if (plan.system.actions[a].kind == CellAction::Kind::Store) units.push_back({{a}, -1});
    plan.stores = grouped(std::move(units));
  }

  std::vector<int> sequence(const Unit& unit) const {
    std::vector<int> result;
    if (unit.cell >= 0) {
      const ScalarType& type = plan.system.variableOf(unit.cell).type.scalar;
      result.push_back(-1 - int(type.base));
    }
    for (int action : unit.actions)
      result.push_back(plan.shapes[action]);
    return result;
  }

  Phase grouped(std::vector<Unit> units) const {
    std::unordered_map<std::vector<int>, std::size_t, SequenceHash> index;
    std::vector<std::vector<int>> sequences;
    Phase phase;
    for (Unit& unit : units) {
      std::vector<int> key = sequence(unit);
      auto [entry, isNew] = index.try_emplace(key, phase.groups.size());
      if (isNew) {
        phase.groups.emplace_back();
        sequences.push_back(std::move(key));
      }
      phase.groups[entry->second].units.push_back(std::move(unit));
    }
    if (plan.options.padding) pad(phase, sequences);
    std::vector<Leaf> leaves;
    for (Group& group : phase.groups) {
      group.padded.assign(group.units[0].actions.size(), false);
      for (const Unit& unit : group.units)
        for (std::size_t i = 0; i < unit.actions.size(); ++i)
          if (unit.actions[i] < 0) group.padded[i] = true;
      for (int action : group.units[0].actions) {
        leaves.clear();
        appendLeaves(plan.system, plan.system.actions[action], plan.options.shapes, leaves);
        for (const Leaf& leaf : leaves)
          group.positions += leaf.cell >= 0;
      }
    }
    return phase;
  }

  /// Where each element of `part` stands in `whole`, or nothing when it is not a subsequence.
  static std::optional<std::vector<std::size_t>> embedding(const std::vector<int>& part,
                                                           const std::vector<int>& whole) {
    std::vector<std::size_t> result;
    std::size_t at = 0;
    for (int shape : part) {
      while (at < whole.size() && whole[at] != shape)
        ++at;
      if (at == whole.size()) return std::nullopt;
      result.push_back(at++);
    }
    return result;
  }

  /// Moves the units of small groups into groups whose sequence contains theirs with little to spare.
  static void pad(Phase& phase, const std::vector<std::vector<int>>& sequences) {
    constexpr std::size_t fewUnits = 32, manyGroups = 256;
    if (phase.groups.size() > manyGroups) return;
    std::vector<bool> gone(phase.groups.size(), false), host(phase.groups.size(), false);
    for (std::size_t small = 0; small < phase.groups.size(); ++small) {
      if (phase.groups[small].units.size() >= fewUnits || host[small]) continue;
      for (std::size_t large = 0; large < phase.groups.size(); ++large) {
        const std::vector<int>&part = sequences[small], &whole = sequences[large];
        if (large == small || gone[large] || part.size() < 2 || whole.size() <= part.size() ||
            whole.size() - part.size() > std::max<std::size_t>(1, part.size() / 4))
          continue;
        const bool hasCell = phase.groups[small].units[0].cell >= 0;
        if (hasCell != (phase.groups[large].units[0].cell >= 0)) continue;
        const auto places = embedding(part, whole);
        if (!places) continue;
        const std::size_t skipped = hasCell;
        for (Unit& unit : phase.groups[small].units) {
          Unit padded{std::vector<int>(whole.size() - skipped, -1), unit.cell};
          for (std::size_t i = skipped; i < places->size(); ++i)
            padded.actions[(*places)[i] - skipped] = unit.actions[i - skipped];
          phase.groups[large].units.push_back(std::move(padded));
        }
        gone[small] = true;
        host[large] = true;
        break;
      }
    }
    std::vector<Group> kept;
    for (std::size_t i = 0; i < phase.groups.size(); ++i)
      if (!gone[i]) kept.push_back(std::move(phase.groups[i]));
    phase.groups = std::move(kept);
  }

  StepPlan plan;
};

} // namespace

StepPlan planStep(System normalised, PlanOptions options) {
  return Planner(std::move(normalised), options).make();
}

std::vector<Leaf> leavesOf(const StepPlan& plan, const Group& group, const Unit& unit) {
  std::vector<Leaf> leaves;
  leaves.reserve(std::size_t(group.positions) + unit.actions.size() + 1);
  if (unit.cell >= 0) {
    Leaf own;
    own.cell = unit.cell;
    own.written = true;
    leaves.push_back(own);
  }
  for (std::size_t i = 0; i < unit.actions.size(); ++i) {
    const bool missing = unit.actions[i] < 0;
    if (group.padded[i]) {
      Leaf present;
      present.type = {ScalarType::Base::Int, 0};
      present.value.integer = !missing;
      leaves.push_back(present);
    }
    const int action = missing ? group.units[0].actions[i] : unit.actions[i];
    const std::size_t first = leaves.size();
    appendLeaves(plan.system, plan.system.actions[action], plan.options.shapes, leaves);
    // In a two-phase unit the action's target is the unit's own cell.
    if (unit.cell >= 0)
      for (std::size_t leaf = first; leaf < leaves.size(); ++leaf)
        if (leaves[leaf].written) leaves[leaf].cell = unit.cell;
  }
  return leaves;
}

} // namespace warploom::sync
