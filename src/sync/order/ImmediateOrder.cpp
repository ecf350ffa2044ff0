#include "sync/model/Text.h"
#include "sync/order/Graph.h"
#include "sync/order/Order.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <set>

namespace warploom::sync {

namespace {

/// Actions of one kind as a graph through the cells they write and read: node a is action a, node (number of
/// actions) + c is cell c, and what is added later only passes on. Its size is that of the actions, however
/// many pairs depend on each other.
class ActionGraph {
public:
  explicit ActionGraph(const CellSystem& of)
      : system(of), actions(int(of.actions.size())), graph(of.actions.size() + of.cells.count()),
        weights(graph.successors.size(), false) {
    for (int a = 0; a < actions; ++a) {
      if (system.actions[a].kind != CellAction::Kind::Immediate) continue;
      weights[a] = true;
      graph.add(a, actions + system.actions[a].target);
      for (int cell : system.actions[a].reads)
        graph.add(actions + cell, a);
    }
  }

  int cellNode(int cell) const { return actions + cell; }
  int addNode() {
    weights.push_back(false);
    return graph.addNode();
  }
  bool isAction(int node) const { return node < actions; }

  const CellSystem& system;
  const int actions;
  Graph graph;
  std::vector<char> weights;
};

std::string described(const CellSystem& system, int action) {
  const Place place = system.actions[action].place;
  return fmt::format("`{}`{}", system.text(system.actions[action]),
                     place.line == 0 ? "" : fmt::format(" (line {})", place.line));
}

std::string listed(const CellSystem& system, const std::vector<int>& actions) {
  std::string result;
  const std::size_t shown = std::min<std::size_t>(actions.size(), 12);
  for (std::size_t i = 0; i < shown; ++i)
    result += "\n  " + described(system, actions[i]);
  if (shown < actions.size()) result += fmt::format("\n  and {} more", actions.size() - shown);
  return result;
}

/// Looks into one strongly connected component of the graph.
class CycleCheck {
public:
  CycleCheck(CellSystem& of, ActionGraph& in, GuardQuestions& with, const std::vector<int>& component)
      : system(of), graph(in), questions(with) {
    for (int node : component) {
      if (graph.isAction(node))
        actions.push_back(node);
      else
        unsettled.insert(node - graph.actions);
    }
    std::sort(actions.begin(), actions.end());
    for (int a : actions) {
      writers[system.actions[a].target].push_back(a);
      for (int cell : system.actions[a].reads)
        if (unsettled.count(cell)) readers[cell].push_back(a);
    }
  }

  /// How many pairs of actions, one of which writes what the other reads, are inside.
  std::size_t pairs() const {
    std::size_t result = 0;
    for (const auto& [cell, list] : readers)
      result += list.size() * writers.at(cell).size();
    return result;
  }

  /// Finds out which of them can be enabled together.
  void findEdges() {
    for (const auto& [cell, list] : readers)
      for (int b : list)
        for (int a : writers.at(cell))
          if (!exclusive(a, b)) edges.push_back({a, b});
  }

  /// Replaces the ways through the component's cells by edges between actions that can be enabled together.
  void relax(const std::vector<std::vector<int>>& allWriters) {
    const auto isInside = [&](int action) {
      return std::binary_search(actions.begin(), actions.end(), action);
    };
    for (const auto& [cell, list] : readers) {
      std::erase_if(graph.graph.successors[graph.cellNode(cell)], isInside);
      const int outside = graph.addNode();
      graph.graph.successors[outside] = list;
      for (int a : allWriters[cell])
        if (!isInside(a)) graph.graph.add(a, outside);
    }
    for (const Edge& edge : edges)
      graph.graph.add(edge.from, edge.to);
  }

  bool orderable() const {
    const auto position = [&](int action) {
      return int(std::lower_bound(actions.begin(), actions.end(), action) - actions.begin());
    };
    Graph inner(actions.size());
    for (const Edge& edge : edges)
      inner.add(position(edge.from), position(edge.to));
    return cyclicComponents(inner).empty();
  }

  std::optional<std::vector<int>> enabledCycle() { return questions.enabledCycle(actions, edges, unsettled); }

  /// Splits every other action of the component into two cases by the guard of one whose guard is settled
  /// before the component runs. False when there is none that makes a difference.
  bool split(std::set<std::string>& used) {
    for (int p : actions) {
      const CellAction chosen = system.actions[p];
      bool settled = !chosen.guard->isTrue();
      forEachNode(*chosen.guard, [&](const Expr& node) {
        settled &= node.op != Expr::Op::Read || unsettled.count(system.cellOf(node)) == 0;
      });
      if (!settled || !used.insert(sync::text(*system.system, *chosen.guard)).second) continue;
      for (int q : actions) {
        if (q == p) continue;
        CellAction other = system.actions[q];
        system.actions[q].guard = conjunction({chosen.guard, other.guard});
        other.guard = conjunction({negation(chosen.guard), other.guard});
        system.actions[q].reads = readsOf(system, system.actions[q]);
        other.reads = readsOf(system, other);
        system.actions.push_back(std::move(other));
      }
      return true;
    }
    return false;
  }

  std::vector<int> actions; ///< of the component, ascending

private:
  bool exclusive(int a, int b) {
    if (a == b) return false;
    const auto key = std::minmax(a, b);
    auto [entry, isNew] = answers.try_emplace(key, false);
    if (isNew) entry->second = questions.exclusive(system.actions[a], system.actions[b], unsettled);
    return entry->second;
  }

  CellSystem& system;
  ActionGraph& graph;
  GuardQuestions& questions;
  std::set<int> unsettled;                          ///< cells of the component
  std::map<int, std::vector<int>> writers, readers; ///< by cell of the component: actions of it
  std::vector<Edge> edges;                          ///< true dependences inside that can matter in one step
  std::map<std::pair<int, int>, bool> answers;
};

} // namespace

namespace {

/// The actions that came of one component by splitting it, again and again.
struct SplitFamily {
  std::set<std::string> guards; ///< it was split by
  int rounds = 0;
};

/// Orders the immediate actions in rounds: in each, every component that has no order is split once.
class Ordering {
public:
  Ordering(CellSystem& of, SolverLimits with)
      : system(of), limits(with), questions(of, with), families(of.actions.size(), nullptr) {}

  ImmediateOrder find() {
    const std::size_t actionsBefore = system.actions.size();
    while (!tryRound())
      if (system.actions.size() - actionsBefore > mostCases)
        throw Error(system.actions.front().place,
                    fmt::format("the cycles of this system need more than {} cases", mostCases));
    if (harmless > shownCycles)
      result.remarks.push_back(fmt::format("{} more cycles never close either", harmless - shownCycles));
    result.questions = questions.asked();
    return std::move(result);
  }

private:
  static constexpr int mostRounds = 6;
  static constexpr std::size_t mostCases = 1'000'000, mostPairs = 1'000'000, shownCycles = 4;

  /// Fills in the result and returns true, or splits actions and returns false.
  bool tryRound() {
    ActionGraph graph(system);
    const std::vector<std::vector<int>> cyclic = cyclicComponents(graph.graph);
    std::vector<std::vector<int>> writers(system.cells.count());
    if (!cyclic.empty())
      for (int a = 0; a < graph.actions; ++a)
        if (system.actions[a].kind == CellAction::Kind::Immediate)
          writers[system.actions[a].target].push_back(a);
    result.remarks.clear();
    harmless = 0;
    bool split = false;
    std::size_t pairs = 0;
    for (const std::vector<int>& component : cyclic) {
      CycleCheck check(system, graph, questions, component);
      pairs += check.pairs();
      if (pairs > mostPairs)
        throw Error(system.actions[check.actions.front()].place,
                    fmt::format("these actions depend on each other in a cycle, and whether their guards "
                                "exclude each other would take more than {} pairs of actions to find out:{}",
                                mostPairs, listed(system, check.actions)));
      check.findEdges();
      if (check.orderable()) {
        check.relax(writers);
        remark(check.actions);
      } else {
        splitOrRefuse(check);
        split = true;
      }
    }
    if (split) return false;
    const std::vector<int> levels = longestPaths(graph.graph, graph.weights);
    result.levels.assign(system.actions.size(), -1);
    for (int a = 0; a < graph.actions; ++a)
      if (system.actions[a].kind == CellAction::Kind::Immediate) result.levels[a] = levels[a];
    return true;
  }

  void remark(const std::vector<int>& actions) {
    if (++harmless <= shownCycles)
      result.remarks.push_back(fmt::format("the guards of a cycle of {} actions exclude each other, so that "
                                           "it never closes in one step:{}",
                                           actions.size(), listed(system, actions)));
  }

  void splitOrRefuse(CycleCheck& check) {
    const std::optional<std::vector<int>> cycle = check.enabledCycle();
    const Place place = system.actions[check.actions.front()].place;
    if (!cycle)
      throw Error(
          place,
          fmt::format("these actions depend on each other in a cycle, and whether their guards exclude "
                      "each other could not be decided within {} solver steps (at most {} a "
                      "question):{}",
                      limits.totalSteps, limits.questionSteps, listed(system, check.actions)));
    if (!cycle->empty())
      throw Error(system.actions[cycle->front()].place,
                  "these actions depend on each other's values in one step:" + listed(system, *cycle));
    std::shared_ptr<SplitFamily> family = families[check.actions.front()];
    if (!family) family = std::make_shared<SplitFamily>();
    if (family->rounds++ == mostRounds || !check.split(family->guards))
      throw Error(place,
                  "these actions depend on each other in a cycle that never closes in one step, but no "
                  "fixed order of them was found:" +
                      listed(system, check.actions));
    for (int action : check.actions)
      families[action] = family;
    families.resize(system.actions.size(), family);
  }

  CellSystem& system;
  const SolverLimits limits;
  GuardQuestions questions;
  std::vector<std::shared_ptr<SplitFamily>> families; ///< per action; null where it was not split
  ImmediateOrder result;
  std::size_t harmless = 0; ///< cycles
};

} // namespace

ImmediateOrder orderImmediate(CellSystem& system, SolverLimits limits) {
  return Ordering(system, limits).find();
}

std::vector<std::vector<int>> immediateComponents(const CellSystem& system) {
  const int actions = int(system.actions.size());
  std::vector<char> written(system.cells.count(), false), read(system.cells.count(), false);
  for (const CellAction& action : system.actions) {
    if (action.kind != CellAction::Kind::Immediate) continue;
    written[action.target] = true;
    for (int cell : action.reads)
      read[cell] = true;
  }
  UnionFind sets(actions + system.cells.count());
  for (int a = 0; a < actions; ++a) {
    const CellAction& action = system.actions[a];
    if (action.kind != CellAction::Kind::Immediate) continue;
    if (read[action.target]) sets.unite(a, actions + action.target);
    for (int cell : action.reads)
      if (written[cell]) sets.unite(a, actions + cell);
  }
  std::map<int, int> numbers;
  std::vector<std::vector<int>> result;
  for (int a = 0; a < actions; ++a) {
    if (system.actions[a].kind != CellAction::Kind::Immediate) continue;
    auto [entry, isNew] = numbers.try_emplace(sets.find(a), int(result.size()));
    if (isNew) result.emplace_back();
    result[entry->second].push_back(a);
  }
  return result;
}

} // namespace warploom::sync
