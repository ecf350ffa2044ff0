#include "sync/order/Actions.h"

#include "sync/model/Text.h"

#include <algorithm>
#include <fmt/format.h>

namespace warploom::sync {

std::string CellSystem::text(const CellAction& action) const {
  if (action.kind == CellAction::Kind::Report) return fmt::format("assertion {}", reports[action.report]);
  const std::string target = cells.name(action.target);
  return fmt::format("{} => {} = {}", sync::text(*system, *action.guard),
                     action.kind == CellAction::Kind::Delayed ? fmt::format("next({})", target) : target,
                     sync::text(*system, *action.value));
}

std::vector<int> readsOf(const CellSystem& system, const CellAction& action) {
  std::vector<int> result;
  auto collect = [&](const Expr& node) {
    if (node.op == Expr::Op::Read) result.push_back(system.cellOf(node));
  };
  forEachNode(*action.guard, collect);
  if (action.value) forEachNode(*action.value, collect);
  std::sort(result.begin(), result.end());
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

CellSystem cellSystem(System normal) {
  auto system = std::make_shared<const System>(std::move(normal));
  CellSystem result{system, CellNumbering(*system), {}, {}};
  for (const Action& action : system->main.dataFlow) {
    if (action.guard->isFalse()) continue; // never enabled
    CellAction made;
    made.kind = action.delayed ? CellAction::Kind::Delayed : CellAction::Kind::Immediate;
    made.guard = action.guard;
    made.value = action.value;
    made.target = result.cells.cell(action.target);
    made.place = action.place;
    result.actions.push_back(std::move(made));
  }
  for (const Assertion& assertion : system->main.assertions) {
    CellAction made;
    made.kind = CellAction::Kind::Report;
    made.guard = conjunction({assertion.guard, negation(assertion.condition)});
    made.report = int(result.reports.size());
    made.place = assertion.place;
    result.reports.push_back(assertion.name);
    result.actions.push_back(std::move(made));
  }
  for (CellAction& action : result.actions)
    action.reads = readsOf(result, action);
  return result;
}

namespace {
std::vector<std::vector<int>> writersPerCell(const CellSystem& system, CellAction::Kind kind) {
  std::vector<std::vector<int>> result(system.cells.count());
  for (int i = 0; i < int(system.actions.size()); ++i)
    if (system.actions[i].kind == kind) result[system.actions[i].target].push_back(i);
  return result;
}
} // namespace

std::vector<Edge> trueDependences(const CellSystem& system) {
  const auto writers = writersPerCell(system, CellAction::Kind::Immediate);
  std::vector<Edge> result;
  for (int b = 0; b < int(system.actions.size()); ++b)
    if (system.actions[b].kind == CellAction::Kind::Immediate)
      for (int cell : system.actions[b].reads)
        for (int a : writers[cell])
          result.push_back({a, b});
  std::sort(result.begin(), result.end());
  return result;
}

std::vector<Edge> antiDependences(const CellSystem& system) {
  const auto writers = writersPerCell(system, CellAction::Kind::Delayed);
  std::vector<Edge> result;
  for (int a = 0; a < int(system.actions.size()); ++a)
    if (system.actions[a].kind == CellAction::Kind::Delayed)
      for (int cell : system.actions[a].reads)
        for (int b : writers[cell])
          if (a != b) result.push_back({a, b});
  std::sort(result.begin(), result.end());
  return result;
}

} // namespace warploom::sync
