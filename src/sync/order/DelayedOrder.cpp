#include "sync/order/Graph.h"
#include "sync/order/Order.h"
#include "sync/passes/NewLocals.h"

#include <algorithm>
#include <map>
#include <unordered_map>

namespace warploom::sync {

namespace {

/// Some delayed actions and the anti dependences among them, through the cells they read and write: node a is
/// actions[a], the nodes behind stand for cells. Its size is that of the actions, however many pairs depend
/// on each other.
struct AntiGraph {
  AntiGraph(const CellSystem& system, std::vector<int> of) : actions(std::move(of)), graph(actions.size()) {
    struct Uses {
      std::vector<int> readers, writers; // nodes
    };
    std::map<int, Uses> cells;
    for (int a = 0; a < int(actions.size()); ++a) {
      const CellAction& action = system.actions[actions[a]];
      cells[action.target].writers.push_back(a);
      for (int cell : action.reads)
        cells[cell].readers.push_back(a);
    }
    for (const auto& [cell, uses] : cells) {
      // An action does not wait for itself.
      int both = 0;
      for (int a : uses.readers)
        both += system.actions[actions[a]].target == cell;
      const std::size_t pairs = uses.readers.size() * uses.writers.size() - std::size_t(both);
      if (pairs == 0) continue;
      edges += pairs;
      ordering.emplace_back(cell, int(uses.readers.size()) - (uses.writers.size() == 1 ? both : 0));
      const int node = int(graph.successors.size());
      graph.successors.push_back(uses.writers);
      for (int a : uses.readers)
        if (both != 1 || system.actions[actions[a]].target != cell)
          graph.add(a, node);
        else
          for (int b : uses.writers)
            if (b != a) graph.add(a, b);
    }
  }

  bool isAction(int node) const { return node < int(actions.size()); }

  std::vector<int> actions;
  Graph graph;
  std::size_t edges = 0;                     ///< pairs (reader, writer)
  std::vector<std::pair<int, int>> ordering; ///< cells that order actions, and how many wait to read them
};

/// Lets delayed actions read copies of cells.
class Copies {
public:
  explicit Copies(CellSystem& of) : system(of) {
    for (int a = 0; a < int(system.actions.size()); ++a)
      if (system.actions[a].kind == CellAction::Kind::Delayed)
        for (int cell : system.actions[a].reads)
          readers[cell].push_back(a);
  }

  /// From now on delayed actions do not count as readers of `cell`.
  void add(int cell) {
    for (int reader : readers[cell])
      std::erase(system.actions[reader].reads, cell);
    copied.emplace(cell, nullptr);
  }

  /// Changes the system accordingly, and returns how many copies there are.
  int finish() {
    if (copied.empty()) return 0;
    System changed = *system.system;
    NewLocals locals(changed);
    std::vector<CellAction> actions;
    for (auto& [cell, copy] : copied) {
      const int variable = system.cells.variableOf(cell);
      const ScalarType type = system.variableOf(cell).type.scalar;
      std::string name = system.cells.name(cell) + "'";
      std::replace(name.begin(), name.end(), '[', '_');
      std::erase(name, ']');
      copy = readCell(locals.add(name, Variable::Storage::Memorized, {type, {}}), type);
      CellAction action;
      action.guard = boolLiteral(true);
      action.target = system.cells.count() + int(actions.size());
      action.value = readCell(variable, type, cell - system.cells.first(variable));
      actions.push_back(std::move(action));
    }
    const auto redirected = [&](ExprPtr expr) {
      return rewrite(expr, [&](const Expr& node) -> ExprPtr {
        const auto found = node.isCell() ? copied.find(system.cellOf(node)) : copied.end();
        return found == copied.end() ? nullptr : found->second;
      });
    };
    for (CellAction& action : system.actions)
      if (action.kind == CellAction::Kind::Delayed) {
        action.guard = redirected(action.guard);
        action.value = redirected(action.value);
      }
    auto shared = std::make_shared<const System>(std::move(changed));
    actions.insert(actions.begin(), system.actions.begin(), system.actions.end());
    system = CellSystem{shared, CellNumbering(*shared, true), std::move(actions), std::move(system.reports),
                        system.ports};
    for (CellAction& action : system.actions)
      action.reads = readsOf(system, action);
    return int(copied.size());
  }

private:
  CellSystem& system;
  std::unordered_map<int, std::vector<int>> readers; ///< by cell: delayed actions
  std::map<int, ExprPtr> copied;                     ///< by cell: a read of its copy, in the end
};

} // namespace

DelayedOrder breakAntiDependences(CellSystem& system) {
  constexpr std::size_t largeComponent = 1024;
  std::vector<int> delayed;
  for (int a = 0; a < int(system.actions.size()); ++a)
    if (system.actions[a].kind == CellAction::Kind::Delayed) delayed.push_back(a);
  Copies copies(system);
  std::vector<std::vector<int>> open{delayed}; // sets of actions among which there may be cycles
  while (!open.empty()) {
    const AntiGraph all(system, std::move(open.back()));
    open.pop_back();
    for (const std::vector<int>& component : cyclicComponents(all.graph)) {
      std::vector<int> members;
      for (int node : component)
        if (all.isAction(node)) members.push_back(all.actions[node]);
      std::sort(members.begin(), members.end());
      const std::vector<std::pair<int, int>> cells = AntiGraph(system, members).ordering;
      // The cell that the most actions read: one copy then cuts the most. In a large component looking for
      // the best would take longer than the copies do.
      const auto most = std::max_element(cells.begin(), cells.end(),
                                         [](const auto& x, const auto& y) { return x.second < y.second; });
      if (members.size() > largeComponent)
        for (const auto& [cell, readers] : cells)
          copies.add(cell);
      else
        copies.add(most->first);
      open.push_back(std::move(members));
    }
  }
  DelayedOrder result;
  result.copies = copies.finish();

  const AntiGraph all(system, delayed);
  result.edges = all.edges;
  std::vector<char> weights(all.graph.successors.size(), false);
  std::fill_n(weights.begin(), delayed.size(), true);
  const std::vector<int> levels = longestPaths(all.graph, weights);
  result.levels.assign(system.actions.size(), -1);
  UnionFind sets(int(all.graph.successors.size()));
  for (std::size_t from = 0; from < all.graph.successors.size(); ++from)
    for (int to : all.graph.successors[from])
      sets.unite(int(from), to);
  std::map<int, int> numbers;
  for (std::size_t i = 0; i < delayed.size(); ++i) {
    result.levels[delayed[i]] = levels[i];
    auto [entry, isNew] = numbers.try_emplace(sets.find(int(i)), int(result.components.size()));
    if (isNew) result.components.emplace_back();
    result.components[entry->second].push_back(delayed[i]);
  }
  return result;
}

} // namespace warploom::sync
