#include "transform/Placing.h"

#include "analysis/Order.h"
#include "support/IslC.h"
#include "transform/Schedule.h"
#include "transform/Turning.h"

#include <algorithm>
#include <fmt/format.h>
#include <isl/map.h>
#include <isl/set.h>
#include <isl/space.h>

namespace warploom {

namespace {

/// True when `expr` is made of indices, sizes and numbers: it means the same in all statements of a loop.
bool isPlain(const Expr& expr) {
  switch (expr.kind) {
  case Expr::Kind::Literal:
  case Expr::Kind::Index:
    return true;
  case Expr::Kind::Unary:
  case Expr::Kind::Binary:
  case Expr::Kind::Cast:
    return std::all_of(expr.operands.begin(), expr.operands.end(),
                       [](const ExprPtr& operand) { return isPlain(*operand); });
  default:
    return false;
  }
}

/// Keeps a scalar of the iterations of a loop in the element that each writes it to.
class Placer {
public:
  Placer(const Region& source, const Facts& facts, int scalar, int loop)
      : source(source), facts(facts), scalar(scalar), loop(loop), result(source) {}

  std::variant<Region, Refusal> run() {
    if (auto refused = refusedScalar()) return *refused;
    if (auto refused = findUses()) return *refused;
    if (auto refused = refusedElement()) return *refused;
    rewrite();
    validate(result);
    return std::move(result);
  }

private:
  const std::string& name() const { return source.arrays[scalar].name; }
  const Statement& at(int s) const { return source.statements[s]; }
  std::size_t depth() const { return static_cast<std::size_t>(source.loops[loop].depth); }

  std::optional<Refusal> refusedScalar() const {
    const Array& object = source.arrays[scalar];
    if (!object.isScalar() || object.within >= 0 || object.storage != Array::Storage::Local ||
        object.element.kind == Type::Kind::Struct)
      return Refusal{fmt::format("`{}` is no scalar of the function", name())};
    if (!source.wholes.empty()) return Refusal{"there are loops that only data end"};
    const std::vector<int>& own = facts.loops[loop].privateArrays;
    if (object.declaredIn != loop && std::count(own.begin(), own.end(), scalar) == 0)
      return Refusal{fmt::format("`{}` is not private to an iteration of `{}`", name(),
                                 originalNames(source)[static_cast<std::size_t>(loop)])};
    return std::nullopt;
  }

  /// Finds the statements that use the scalar, the first and the last of which run once in an iteration.
  std::optional<Refusal> findUses() {
    for (int s = 0; s < static_cast<int>(source.statements.size()); ++s) {
      if (at(s).kind == Statement::Kind::Kill || !inside(at(s), loop) || !at(s).touches(scalar)) continue;
      if (at(s).kind != Statement::Kind::Assign || !at(s).guards.empty())
        return Refusal{fmt::format("line {} uses `{}` only sometimes", at(s).range.line, name())};
      uses.push_back(s);
    }
    if (uses.size() < 2) return Refusal{fmt::format("nothing is done to `{}` in an iteration", name())};
    const Statement &first = at(uses.front()), &last = at(uses.back());
    auto reads = [&](const Statement& one) {
      return std::any_of(one.accesses.begin(), one.accesses.end(),
                         [&](const Access& access) { return access.array == scalar && access.reads(); });
    };
    if (first.loops.back() != loop || !first.writes(scalar) || reads(first))
      return Refusal{fmt::format("line {} does not begin with a value of `{}` in each iteration",
                                 first.range.line, name())};
    const ExprPtr& target = last.body->operands[0];
    if (last.loops.back() != loop || last.writes(scalar) || last.body->text != "=" ||
        target->kind != Expr::Kind::Access)
      return Refusal{fmt::format("line {} does not put `{}` into an element at the end of each iteration",
                                 last.range.line, name())};
    element = target;
    array = last.accesses[target->access].array;
    const Array& object = source.arrays[array];
    const Type& type = source.arrays[scalar].element;
    if (object.isScalar() || object.within >= 0 || object.element.kind != type.kind ||
        object.element.bits != type.bits)
      return Refusal{fmt::format("`{}` has no elements like `{}`", object.name, name())};
    const isl::set same = own(isl_set_set_tuple_id(first.domain.copy(), idOf(last.name).release()));
    if (!same.is_equal(last.domain))
      return Refusal{fmt::format("lines {} and {} do not run in the same iterations", first.range.line,
                                 last.range.line)};
    return std::nullopt;
  }

  /// { S[i] -> A[a] }: the element for `statement`, which is in the loop.
  isl::map elementOf(const Statement& statement) const {
    const Statement& last = at(uses.back());
    const isl_map* reached = last.accesses[element->access].map.get();
    const auto further = static_cast<unsigned>(statement.loops.size() - depth());
    isl_map* map = isl_map_add_dims(
        isl_map_reset_tuple_id(isl_map_copy(const_cast<isl_map*>(reached)), isl_dim_in), isl_dim_in, further);
    map = isl_map_set_tuple_id(map, isl_dim_in, idOf(statement.name).release());
    return own(map).intersect_domain(statement.domain);
  }

  /// Refuses elements that an iteration uses otherwise while the scalar has the value.
  std::optional<Refusal> refusedElement() const {
    const Access& written = at(uses.back()).accesses[element->access];
    if (written.kind != Access::Kind::Write || !written.exact ||
        !std::all_of(element->operands.begin(), element->operands.end(),
                     [](const ExprPtr& subscript) { return isPlain(*subscript); }))
      return Refusal{fmt::format("which element line {} writes is not known", at(uses.back()).range.line)};
    for (int s = uses.front(); s <= uses.back(); ++s) {
      if (!inside(at(s), loop) || at(s).kind == Statement::Kind::Kill) continue;
      for (const Access& access : at(s).accesses) {
        const Array& object = source.arrays[access.array];
        if (access.array != array && object.within != array) continue;
        // What it begins with is read before, what it ends with written after.
        if ((s == uses.front() && access.reads()) || &access == &written) continue;
        if (object.within == array || !access.map.intersect(elementOf(at(s))).is_empty())
          return Refusal{fmt::format("line {} may use the element that line {} writes", at(s).range.line,
                                     at(uses.back()).range.line)};
      }
    }
    return std::nullopt;
  }

  void rewrite() {
    for (int s : uses) {
      Statement& statement = result.statements[s];
      for (int k = 0; k < static_cast<int>(statement.accesses.size()); ++k) {
        Access& access = statement.accesses[k];
        if (access.array != scalar) continue;
        access.array = array;
        access.map = elementOf(statement);
        access.text = exprText(*element);
        changeAccess(statement, k, [&](Expr& node) {
          node.text = element->text;
          node.operands = element->operands;
        });
      }
      statement.text = exprText(*statement.body);
    }
    // `a[i] = a[i]` does nothing.
    for (int s : {uses.back(), uses.front()}) {
      const Expr& body = *result.statements[s].body;
      if (body.text == "=" && sameExpr(*body.operands[0], *body.operands[1]))
        result.statements.erase(result.statements.begin() + s);
    }
  }

  const Region& source;
  const Facts& facts;
  const int scalar, loop;
  Region result;
  std::vector<int> uses; ///< the statements, in textual order
  ExprPtr element;       ///< the node that the last of them writes to
  int array = -1;
};

} // namespace

std::variant<Region, Refusal> placed(const Region& region, const Facts& facts, const PlaceScalar& step) {
  const auto meant = arrayInLoop(region, step.scalar, step.loop);
  if (const auto* refused = std::get_if<Refusal>(&meant)) return *refused;
  const auto& [scalar, loop] = std::get<ArrayInLoop>(meant);
  return Placer(region, facts, scalar, loop).run();
}

std::optional<Refusal> apply(const PlaceScalar& step, ScheduleState& state) {
  return state.place(step);
}

} // namespace warploom
