#include "strategy/Forwarding.h"

#include "model/Definitions.h"
#include "support/IslC.h"

#include <algorithm>
#include <isl/aff.h>
#include <isl/map.h>

namespace warploom {

namespace {

/// Nodes of a definition that is cheap enough to be evaluated at each use.
constexpr int mostNodes = 12;

/// How many nodes `expr` has; more than any limit where it is not made of loads and arithmetic.
int cost(const Expr& expr) {
  switch (expr.kind) {
  case Expr::Kind::Literal:
  case Expr::Kind::Index:
  case Expr::Kind::Affine:
  case Expr::Kind::Access:
  case Expr::Kind::Unary:
  case Expr::Kind::Binary:
  case Expr::Kind::Cast:
    break;
  default:
    return mostNodes + 1;
  }
  int sum = 1;
  for (const ExprPtr& operand : expr.operands)
    sum += cost(*operand);
  return sum;
}

/// Puts the definition of one scalar in the place of its uses.
class Forwarder {
public:
  Forwarder(const Region& region, const Facts& facts, int scalar)
      : region(region), facts(facts), scalar(scalar) {}

  /// True when every use is in an iteration of the definition's loop, after it, sees its value, and would see
  /// the same when it loaded by itself; and when the definition is in the way of a loop.
  bool isFor() {
    definition = definitionOf(region, scalar);
    if (!definition) return false;
    for (int s = 0; s < static_cast<int>(region.statements.size()); ++s)
      if (&at(s) != definition && at(s).touches(scalar)) uses.push_back(s);
    return !uses.empty() && isCheap() && usesAreSimple() && isInTheWay();
  }

  void forward(Region& result) const {
    for (int s : uses)
      result.statements[s] = rewritten(result.statements[s]);
  }

private:
  const Statement& at(int s) const { return region.statements[s]; }

  /// The definition is some arithmetic on elements that are known exactly and that the region never writes.
  bool isCheap() const {
    if (cost(*definition->body->operands[1]) > mostNodes) return false;
    return std::all_of(definition->accesses.begin(), definition->accesses.end(), [&](const Access& access) {
      return access.array == scalar ||
             (access.kind == Access::Kind::Read && access.exact && isNeverWritten(region, access.array));
    });
  }

  /// Uses are reads in the body of an assignment, which see the definition.
  bool usesAreSimple() const {
    for (int s : uses) {
      const Statement& use = at(s);
      if (use.kind != Statement::Kind::Assign || use.code || !isDefinedBy(use, *definition)) return false;
      for (const ExprPtr& guard : use.guards)
        if (mentionsScalar(*guard, use)) return false;
      if (inSubscript(*use.body, use, false)) return false;
    }
    return true;
  }

  bool isScalar(const Expr& expr, const Statement& statement) const {
    return expr.kind == Expr::Kind::Access && expr.access >= 0 &&
           statement.accesses[expr.access].array == scalar;
  }
  bool mentionsScalar(const Expr& expr, const Statement& statement) const {
    return isScalar(expr, statement) ||
           std::any_of(expr.operands.begin(), expr.operands.end(),
                       [&](const ExprPtr& operand) { return mentionsScalar(*operand, statement); });
  }
  /// True when the scalar is used in a subscript below `expr`, or in what is not looked into.
  bool inSubscript(const Expr& expr, const Statement& statement, bool inside) const {
    if (expr.kind == Expr::Kind::Opaque || (inside && isScalar(expr, statement))) return true;
    return std::any_of(expr.operands.begin(), expr.operands.end(), [&](const ExprPtr& operand) {
      return inSubscript(*operand, statement, inside || expr.kind == Expr::Kind::Access);
    });
  }

  /// The loop around the definition has an order to keep, and a loop inside it that uses the scalar has none.
  bool isInTheWay() const {
    const std::size_t depth = definition->loops.size();
    if (isParallel(definition->loops.back())) return false;
    return std::any_of(uses.begin(), uses.end(), [&](int s) {
      const std::vector<int>& loops = at(s).loops;
      return std::any_of(loops.begin() + static_cast<long>(depth), loops.end(),
                         [&](int loop) { return isParallel(loop); });
    });
  }
  bool isParallel(int loop) const {
    const LoopVerdict& verdict = facts.loops[loop];
    return verdict.verdict == Verdict::Parallel ||
           (verdict.verdict == Verdict::Conditional && verdict.reductions.empty());
  }

  /// `use` with the definition in the place of the scalar.
  Statement rewritten(Statement use) const {
    const Statement& from = *definition;
    const isl::map seen = definingInstance(use, from);
    std::vector<Access> accesses;
    std::vector<int> kept(use.accesses.size(), -1), brought(from.accesses.size(), -1);
    // Reads come before the write.
    for (std::size_t a = 0; a < from.accesses.size(); ++a) {
      if (from.accesses[a].array == scalar) continue;
      brought[a] = static_cast<int>(accesses.size());
      accesses.push_back(from.accesses[a]);
      accesses.back().map = seen.apply_range(from.accesses[a].map).intersect_domain(use.domain);
    }
    for (std::size_t a = 0; a < use.accesses.size(); ++a) {
      if (use.accesses[a].array == scalar) continue;
      kept[a] = static_cast<int>(accesses.size());
      accesses.push_back(use.accesses[a]);
    }
    const isl::pw_multi_aff instance = own(isl_pw_multi_aff_from_map(seen.copy()));
    auto bring = [&](const ExprPtr& expr, const auto& self) -> ExprPtr {
      auto copy = std::make_shared<Expr>(*expr);
      if (expr->access >= 0) copy->access = brought[expr->access];
      if (expr->value) copy->value = expr->value->pullback(instance);
      for (ExprPtr& operand : copy->operands)
        operand = self(operand, self);
      return copy;
    };
    ExprPtr value = bring(from.body->operands[1], bring);
    const Type& type = region.arrays[scalar].element;
    if (value->type.kind != type.kind || value->type.bits != type.bits)
      value = makeExpr(Expr::Kind::Cast, "", type, {value}, value->range);
    auto replace = [&](const ExprPtr& expr, const auto& self) -> ExprPtr {
      if (isScalar(*expr, use)) return value;
      auto copy = std::make_shared<Expr>(*expr);
      if (expr->access >= 0) copy->access = kept[expr->access];
      for (ExprPtr& operand : copy->operands)
        operand = self(operand, self);
      return copy;
    };
    Statement result = use;
    result.body = replace(use.body, replace);
    for (ExprPtr& guard : result.guards)
      guard = replace(guard, replace);
    result.accesses = std::move(accesses);
    return result;
  }

  const Region& region;
  const Facts& facts;
  const int scalar;
  const Statement* definition = nullptr;
  std::vector<int> uses;
};

} // namespace

std::optional<Region> withForwardedLoads(const Region& region, const Facts& facts) {
  std::optional<Region> result;
  for (int scalar = 0; scalar < static_cast<int>(region.arrays.size()); ++scalar) {
    // One definition may use another scalar that was forwarded before it.
    Forwarder forwarder(result ? *result : region, facts, scalar);
    if (!forwarder.isFor()) continue;
    if (!result) result = region;
    forwarder.forward(*result);
  }
  return result;
}

} // namespace warploom
