#include "transform/LibraryEquations.h"

#include "support/IslC.h"
#include "transform/Elements.h"
#include "transform/Levels.h"
#include "transform/Schedule.h"
#include "transform/Staging.h"

#include <algorithm>
#include <fmt/format.h>
#include <isl/set.h>
#include <set>

namespace warploom {

LibraryEquations::LibraryEquations(const ScheduleState& state, const std::string& loop)
    : state(state), region(state.region()), path(pathTo(state.tree(), loop)) {}

void LibraryEquations::readEquations() {
  for (int s : statementsOf(region, *path.back())) {
    const Statement& statement = region.statements[s];
    if (std::optional<RowLoop> rows = rowLoop(statement)) {
      const Expr& adds = *rows->assignment;
      checkTarget(*adds.operands[0]);
      equations.push_back({s, adds.operands[0], termsOfAssignment(adds, type), rows});
      continue;
    }
    if (statement.kind != Statement::Kind::Assign || !statement.guards.empty())
      refuse(fmt::format("line {} is no plain assignment", statement.range.line));
    for (const Access& access : statement.accesses)
      if (!access.exact || access.kind == Access::Kind::MayWrite || access.kind == Access::Kind::MayRead)
        refuse(fmt::format("`{}` reaches elements that data choose", access.text));
    const Expr& body = *statement.body;
    const ExprPtr& target = body.operands[0];
    if (isIndexLoad(s, body)) continue;
    checkTarget(*target);
    equations.push_back(equationOf(s, body));
  }
  std::set<int> done;
  for (const Equation& equation : equations)
    if (isLoad(equation)) done.insert(equation.statement);
  std::erase_if(equations, [&](const Equation& equation) { return done.count(equation.statement) > 0; });
}

Equation LibraryEquations::equationOf(int statement, const Expr& assign) const {
  const ExprPtr& target = assign.operands[0];
  if (assign.text != "/=") return {statement, target, termsOfAssignment(assign, type), {}};
  const ExprPtr quotient =
      makeExpr(Expr::Kind::Binary, "/", type, {target, assign.operands[1]}, assign.range);
  return {statement, target, {{false, {quotient}}}, {}};
}

void LibraryEquations::checkTarget(const Expr& target) {
  if (target.kind != Expr::Kind::Access || !target.type.isFloating() ||
      (target.type.bits != 32 && target.type.bits != 64))
    refuse(fmt::format("`{}` is no float or double", exprText(target)));
  if (!equations.empty() && target.type.bits != type.bits) refuse("floats and doubles are mixed");
  type = target.type;
}

/// True for `t = b[k][j]`, noted in `loads`, where t is a scalar that only statements after it in the same
/// iterations read.
bool LibraryEquations::isLoad(const Equation& equation) {
  if (equation.rows) return false;
  const int scalar = arrayOf(equation, *equation.target);
  if (!region.arrays[scalar].isScalar() || region.arrays[scalar].liveAfter || equation.terms.size() != 1 ||
      equation.terms[0].negated || equation.terms[0].factors.size() != 1)
    return false;
  const Expr& loaded = *equation.terms[0].factors[0];
  if (loaded.kind != Expr::Kind::Access || region.arrays[arrayOf(equation, loaded)].isScalar() ||
      !isReadAfterwards(equation.statement, scalar))
    return false;
  loads[scalar] = refOf(equation, loaded);
  return true;
}

/// True for `b = starts[i]`, noted in `loads`: where a row begins or ends.
bool LibraryEquations::isIndexLoad(int statement, const Expr& assign) {
  const Expr &target = *assign.operands[0], &value = withoutWidening(*assign.operands[1]);
  if (assign.text != "=" || target.kind != Expr::Kind::Access || !target.type.isInteger() ||
      value.kind != Expr::Kind::Access)
    return false;
  const int scalar = AccessRef{statement, target.access}.in(region).array;
  const AccessRef loaded{statement, value.access};
  if (!region.arrays[scalar].isScalar() || region.arrays[scalar].liveAfter ||
      region.arrays[loaded.in(region).array].isScalar() || !isReadAfterwards(statement, scalar))
    return false;
  loads[scalar] = loaded;
  return true;
}

/// Whether all that use `scalar` beside `statement`, which gives it a value, read it in the same iterations
/// after that.
bool LibraryEquations::isReadAfterwards(int statement, int scalar) const {
  const isl::set here = unnamed(instancesOf(statement));
  const std::vector<int> together = statementsOf(region, *path.back());
  for (int s = 0; s < static_cast<int>(region.statements.size()); ++s) {
    const Statement& other = region.statements[s];
    if (!other.touches(scalar) || s == statement) continue;
    if (other.writes(scalar) || s < statement || other.loops != region.statements[statement].loops ||
        std::find(together.begin(), together.end(), s) == together.end() ||
        !unnamed(instancesOf(s)).is_equal(here))
      return false;
  }
  return true;
}

AccessRef LibraryEquations::operandOf(const Equation& equation, const Expr& factor) const {
  auto load = loads.find(arrayOf(equation, factor));
  return load == loads.end() ? refOf(equation, factor) : load->second;
}

Scaled LibraryEquations::scaled(const Equation& equation, const Term& term) const {
  Scaled result;
  result.by.negated = term.negated;
  result.by.statement = equation.statement;
  for (const ExprPtr& factor : term.factors) {
    if (factor->kind == Expr::Kind::Literal) {
      result.by.factors.push_back(factor);
      continue;
    }
    if (factor->kind != Expr::Kind::Access)
      refuse(fmt::format("`{}` is neither a number nor an element of an array", exprText(*factor)));
    const int array = arrayOf(equation, *factor);
    const bool isNumber =
        region.arrays[array].isScalar() && region.arrays[array].within < 0 && !isWritten(region, array);
    if (isNumber)
      result.by.factors.push_back(factor);
    else
      result.operands.push_back(factor);
  }
  return result;
}

LibraryEquations::Split LibraryEquations::split(const Equation& equation, const Expr& old) const {
  Split result;
  for (const Term& term : equation.terms) {
    Scaled one = scaled(equation, term);
    if (one.operands.size() == 1 && sameExpr(*one.operands[0], old)) {
      if (!result.old.isZero) refuse("the old value is added twice");
      result.old = one.by;
    } else {
      result.added.push_back(std::move(one));
    }
  }
  return result;
}

void LibraryEquations::checkArray(int index, const Type& element) const {
  const Array& array = region.arrays[index];
  const bool hasExtents = std::all_of(array.extents.begin() + (array.isScalar() ? 0 : 1), array.extents.end(),
                                      [](const auto& extent) { return extent.has_value(); });
  if (array.within >= 0 || !array.tables.empty() || array.element.kind != element.kind ||
      array.element.bits != element.bits || !hasExtents || !expandedAlong(state, index).empty())
    refuse(fmt::format("`{}` does not lie in memory as a matrix does", array.name));
  for (const Staging& staging : state.staging())
    if (staging.kind == Staging::Kind::Constant && staging.array == index)
      refuse(fmt::format("`{}` is in constant memory", array.name));
}

isl::set LibraryEquations::instancesOf(int s) const {
  isl::union_set all = instances(*path.back());
  for (std::size_t k = 0; k + 1 < path.size(); ++k)
    all = fixedAt(all, path[k]->name, path[k]->value);
  const isl::union_set part = all.intersect(region.statements[s].domain);
  if (part.is_empty()) refuse("nothing is added");
  return own(isl_set_from_union_set(part.copy())).coalesce();
}

isl::set LibraryEquations::unnamed(const isl::set& set) {
  return own(isl_set_reset_tuple_id(set.copy()));
}

} // namespace warploom
