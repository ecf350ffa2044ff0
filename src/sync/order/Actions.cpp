#include "sync/order/Actions.h"

#include "sync/model/Cells.h"
#include "sync/model/Text.h"
#include "sync/passes/NewLocals.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace warploom::sync {

std::string CellSystem::text(const CellAction& action) const {
  if (action.kind == CellAction::Kind::Report) return fmt::format("assertion {}", reports[action.report]);
  std::string target = cells.name(action.target);
  if (action.address) target += fmt::format("[{}]", sync::text(*system, *action.address));
  const bool next = action.kind == CellAction::Kind::Delayed || action.kind == CellAction::Kind::Store;
  return fmt::format("{} => {} = {}", sync::text(*system, *action.guard),
                     next ? fmt::format("next({})", target) : target, sync::text(*system, *action.value));
}

std::vector<int> readsOf(const CellSystem& system, const CellAction& action) {
  std::vector<int> result;
  auto collect = [&](const Expr& node) {
    if (node.op == Expr::Op::Read) result.push_back(system.cellOf(node));
  };
  for (ExprPtr expr : {action.guard, action.address, action.value})
    if (expr) forEachNode(*expr, collect);
  std::sort(result.begin(), result.end());
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

namespace {

/// The row-major offset of `subscripts`: what they add up to, and a constant where one of them is constant,
/// so that accesses that differ only in constants have one shape.
ExprPtr rowMajor(const Type& type, ExprList subscripts) {
  std::vector<ExprPtr> terms;
  std::int64_t constant = 0, stride = type.cellCount();
  bool fixed = false;
  for (std::size_t i = 0; i < subscripts.size(); ++i) {
    stride /= type.extents[i];
    if (subscripts[i]->op == Expr::Op::Literal) {
      constant += stride * subscripts[i]->value.integer;
      fixed = true;
    } else {
      terms.push_back(stride == 1 ? subscripts[i]
                                  : apply(Expr::Op::Mul, {subscripts[i], integerLiteral(stride)}));
    }
  }
  if (fixed || terms.empty()) terms.push_back(integerLiteral(constant));
  return terms.size() == 1 ? terms[0] : sync::apply(Expr::Op::Add, ExprList(terms));
}

/// Makes the actions of a normalised system.
class CellActions {
public:
  explicit CellActions(System normal) : system(std::move(normal)), locals(system) {
    for (const Action& action : system.main.dataFlow)
      if (action.delayed && system.variables[action.target.variable].isMemory && !action.guard->isFalse())
        ++stores[action.target.variable].count;
  }

  CellSystem make() {
    const int ports = int(system.variables.size());
    for (auto& [variable, needed] : stores)
      declare(variable, needed);
    auto shared = std::make_shared<const System>(std::move(system));
    CellSystem result{shared, CellNumbering(*shared, true), {}, {}, ports};
    std::vector<CellAction> last;
    for (const Action& action : shared->main.dataFlow) {
      if (action.guard->isFalse()) continue; // never enabled
      CellAction made;
      made.kind = action.delayed ? CellAction::Kind::Delayed : CellAction::Kind::Immediate;
      made.guard = flat(*shared, action.guard);
      made.value = flat(*shared, action.value);
      made.place = action.place;
      const Variable& variable = shared->variables[action.target.variable];
      if (!variable.isMemory) {
        made.target = result.cells.cell(action.target);
      } else {
        made.target = result.cells.first(action.target.variable);
        made.address = flat(*shared, rowMajor(variable.type, subscriptsOf(variable.type, action.target)));
        if (action.delayed) {
          last.push_back(store(result, made, action.target.variable));
          continue;
        }
      }
      result.actions.push_back(std::move(made));
    }
    for (const Assertion& assertion : shared->main.assertions) {
      CellAction made;
      made.kind = CellAction::Kind::Report;
      made.guard = flat(*shared, conjunction({assertion.guard, negation(assertion.condition)}));
      made.report = int(result.reports.size());
      made.place = assertion.place;
      result.reports.push_back(assertion.name);
      result.actions.push_back(std::move(made));
    }
    result.actions.insert(result.actions.end(), last.begin(), last.end());
    for (CellAction& action : result.actions)
      action.reads = readsOf(result, action);
    return result;
  }

private:
  /// What the stores of one memory need: guards, addresses and values of this step, one of each per store.
  struct Ports {
    int count = 0, used = 0;
    int on = -1, at = -1, value = -1; ///< variables
  };

  void declare(int variable, Ports& ports) {
    const Type type = system.variables[variable].type;
    const std::string name = system.variables[variable].name;
    const std::vector<std::int64_t> extents =
        ports.count == 1 ? std::vector<std::int64_t>() : std::vector<std::int64_t>{ports.count};
    ports.on = locals.add(name + "_on", Variable::Storage::Memorized, {{}, extents});
    ports.at = locals.add(name + "_at", Variable::Storage::Memorized,
                          {{ScalarType::Base::Nat, type.cellCount()}, extents});
    ports.value = locals.add(name + "_new", Variable::Storage::Memorized, {type.scalar, extents});
  }

  static ExprPtr flat(const System& in, ExprPtr expr) {
    return rewrite(expr, [&](const Expr& node) -> ExprPtr {
      if (node.op != Expr::Op::Read || !in.variables[node.variable].isMemory) return nullptr;
      const Type& type = in.variables[node.variable].type;
      const ExprPtr at = node.isCell() ? integerLiteral(node.value.integer) : rowMajor(type, node.operands);
      return load(node.variable, type.scalar, at, node.place);
    });
  }

  /// The store that `delayed` becomes; the actions that compute what it needs are added to `result`.
  CellAction store(CellSystem& result, const CellAction& delayed, int memory) {
    Ports& ports = stores.at(memory);
    const int number = ports.used++;
    const auto computed = [&](int variable, ExprPtr value) -> ExprPtr {
      if (value->op == Expr::Op::Literal) return value;
      CellAction made;
      made.guard = boolLiteral(true);
      made.target = result.cells.first(variable) + number;
      made.value = value;
      made.place = delayed.place;
      result.actions.push_back(std::move(made));
      return readCell(variable, result.system->variables[variable].type.scalar, number);
    };
    CellAction made = delayed;
    made.kind = CellAction::Kind::Store;
    made.guard = computed(ports.on, delayed.guard);
    made.address = computed(ports.at, delayed.address);
    made.value = computed(ports.value, delayed.value);
    return made;
  }

  System system;
  NewLocals locals;
  std::map<int, Ports> stores; ///< by memory
};

} // namespace

CellSystem cellSystem(System normal) {
  return CellActions(std::move(normal)).make();
}

std::vector<Edge> dependences(const CellSystem& system, Dependence kind, const std::vector<int>& nodes) {
  const auto nodeOf = [&](int action) { return nodes.empty() ? action : nodes[std::size_t(action)]; };
  const auto add = [](std::vector<int>& to, int node) { // equal ones mostly come in a row
    if (to.empty() || to.back() != node) to.push_back(node);
  };
  const CellAction::Kind writing =
      kind == Dependence::Anti ? CellAction::Kind::Delayed : CellAction::Kind::Immediate;
  std::vector<std::vector<int>> writers(system.cells.count()), readers(system.cells.count());
  for (int i = 0; i < int(system.actions.size()); ++i) {
    const CellAction& action = system.actions[i];
    if (action.kind == writing) add(writers[action.target], nodeOf(i));
    if ((action.kind == writing) != (kind == Dependence::Later))
      for (int cell : action.reads)
        add(readers[cell], nodeOf(i));
  }
  std::vector<Edge> result;
  for (std::size_t cell = 0; cell < writers.size(); ++cell)
    for (std::vector<int>* ends : {&writers[cell], &readers[cell]}) {
      std::ranges::sort(*ends);
      ends->erase(std::unique(ends->begin(), ends->end()), ends->end());
    }
  for (std::size_t cell = 0; cell < writers.size(); ++cell)
    for (int writer : writers[cell])
      for (int reader : readers[cell]) {
        if (writer == reader && (kind == Dependence::Anti || !nodes.empty())) continue;
        result.push_back(kind == Dependence::Anti ? Edge{reader, writer} : Edge{writer, reader});
      }
  std::ranges::sort(result);
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

} // namespace warploom::sync
