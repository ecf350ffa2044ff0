#include "mapping/Inspection.h"

#include "model/Definitions.h"
#include "support/IslC.h"

#include <algorithm>
#include <isl/aff.h>
#include <isl/set.h>

namespace warploom {

namespace {

/// True for numbers that begin again at 0, and not only where a `long` does.
bool mayWrap(const Type& type) {
  return type.kind == Type::Kind::UnsignedInt && type.bits < 64;
}

/// True when every number of `from` is the same, as a `long`, in `to`.
bool keepsValues(const Type& from, const Type& to) {
  if (!from.isInteger() || !to.isInteger() || to.kind == Type::Kind::Bool) return false;
  const bool grows = to.bits > from.bits;
  return mayWrap(to) ? mayWrap(from) && to.bits >= from.bits
                     : grows || (to.bits == from.bits && !mayWrap(from));
}

bool isDivision(const std::string& op) {
  return op == "/" || op == "%";
}

/// Takes one statement's subscripts apart.
class Inspector {
public:
  Inspector(const Region& region, const Statement& statement) : region(region), statement(statement) {}

  /// The use by `subscript`, if it has the form.
  std::optional<InspectedUse> use(const Expr& subscript) {
    if (!statement.guards.empty() || statement.kind != Statement::Kind::Assign || statement.code)
      return std::nullopt;
    InspectedUse result;
    result.happens = statement.domain.params();
    auto value = valueOf(subscript, statement, 0);
    if (!value || !findRanges(result)) return std::nullopt;
    result.subscript = std::move(*value);
    findChoosing(result.subscript, false, result.chosenBy);
    return result;
  }

private:
  using Value = InspectedValue;

  /// The first and last value of every index; false where they depend on each other, or an iteration may not
  /// run though others do.
  bool findRanges(InspectedUse& result) const {
    const auto depth = static_cast<unsigned>(statement.loops.size());
    isl::set box = own(isl_set_universe(isl_set_get_space(statement.domain.get())));
    for (unsigned k = 0; k < depth; ++k) {
      const Loop& loop = region.loops[statement.loops[k]];
      if (loop.step != 1 || !loop.mustStaySequential.empty() || !loop.inexactBounds.empty()) return false;
      isl_set* alone = isl_set_eliminate(statement.domain.copy(), isl_dim_set, 0, k);
      alone = isl_set_eliminate(alone, isl_dim_set, k + 1, depth - k - 1);
      box = box.intersect(own(alone));
      isl::pw_aff first = own(isl_set_dim_min(statement.domain.copy(), static_cast<int>(k)));
      isl::pw_aff last = own(isl_set_dim_max(statement.domain.copy(), static_cast<int>(k)));
      const isl::set known = region.context.intersect(result.happens);
      result.loops.push_back(
          {statement.loops[k], first.gist_params(known).coalesce(), last.gist_params(known).coalesce()});
    }
    return box.is_subset(statement.domain);
  }

  static Value binary(const std::string& op, Value left, Value right) {
    Value result;
    result.kind = Value::Kind::Binary;
    result.op = op;
    result.operands = {std::move(left), std::move(right)};
    return result;
  }
  static Value size(const isl::pw_aff& value) {
    Value result;
    result.value = value;
    return result;
  }
  static Value indexOf(int loop) {
    Value result;
    result.kind = Value::Kind::Index;
    result.loop = loop;
    return result;
  }

  /// The value of `expr`, which stands in `at`: the statement, or one that defines a scalar for it.
  std::optional<Value> valueOf(const Expr& expr, const Statement& at, int definitions) const {
    switch (expr.kind) {
    case Expr::Kind::Literal:
      return literal(expr.text);
    case Expr::Kind::Index:
      for (int loop : at.loops)
        if (region.loops[loop].index == expr.text) return indexOf(loop);
      for (const Parameter& parameter : region.parameters)
        if (parameter.name == expr.text) return size(warploom::parameter(expr.text));
      return std::nullopt;
    case Expr::Kind::Affine:
      return linear(*expr.value, at);
    case Expr::Kind::Cast:
      if (!keepsValues(expr.operands[0]->type, expr.type)) return std::nullopt;
      return valueOf(*expr.operands[0], at, definitions);
    case Expr::Kind::Binary: {
      const bool divides = isDivision(expr.text);
      if ((expr.text != "+" && expr.text != "-" && expr.text != "*" && !divides) || mayWrap(expr.type) ||
          (divides && expr.type.kind != Type::Kind::SignedInt))
        return std::nullopt;
      auto left = valueOf(*expr.operands[0], at, definitions),
           right = valueOf(*expr.operands[1], at, definitions);
      if (!left || !right) return std::nullopt;
      return binary(expr.text, std::move(*left), std::move(*right));
    }
    case Expr::Kind::Access:
      return loaded(expr, at, definitions);
    default:
      return std::nullopt;
    }
  }

  static std::optional<Value> literal(const std::string& text) {
    if (text.empty() || text.size() > 9 || text.find_first_not_of("0123456789") != text.npos ||
        (text.size() > 1 && text[0] == '0'))
      return std::nullopt;
    return size(constant(std::stol(text)));
  }

  /// `value`, over the domain of `at`, as a sum of its terms, where it is one.
  std::optional<Value> linear(const isl::pw_aff& value, const Statement& at) const {
    if (!value.isa_aff()) return std::nullopt;
    const isl::aff one = value.as_aff();
    if (isl_aff_dim(one.get(), isl_dim_div) > 0) return std::nullopt;
    auto rest = own(isl_aff_copy(one.get()));
    std::vector<Value> terms;
    for (int k = 0; k < static_cast<int>(at.loops.size()); ++k) {
      const isl::val factor = isl::manage(isl_aff_get_coefficient_val(one.get(), isl_dim_in, k));
      if (factor.is_zero()) continue;
      if (!factor.is_int()) return std::nullopt;
      Value index = indexOf(at.loops[static_cast<std::size_t>(k)]);
      terms.push_back(factor.is_one() ? std::move(index)
                                      : binary("*", size(constant(factor.num_si())), std::move(index)));
      rest = own(isl_aff_set_coefficient_si(rest.release(), isl_dim_in, k, 0));
    }
    const bool none = isl_aff_plain_is_zero(rest.get()) == isl_bool_true && !terms.empty();
    if (!none)
      terms.push_back(size(own(isl_pw_aff_from_aff(isl_aff_project_domain_on_params(rest.release())))));
    Value sum = std::move(terms.front());
    for (std::size_t k = 1; k < terms.size(); ++k)
      sum = binary("+", std::move(sum), std::move(terms[k]));
    return sum;
  }

  /// What a load gives, or a scalar that is set once in the same iteration, by such a value.
  std::optional<Value> loaded(const Expr& expr, const Statement& at, int definitions) const {
    const Access& access = at.accesses[expr.access];
    const Array& array = region.arrays[access.array];
    if (!array.element.isInteger() || array.within >= 0) return std::nullopt;
    if (array.isScalar()) {
      const Statement* definition = definitionOf(region, access.array);
      if (!definition || !isDefinedBy(at, *definition) || definitions > 4) return std::nullopt;
      const Expr& body = *definition->body->operands[1];
      if (!keepsValues(body.type, array.element)) return std::nullopt;
      return valueOf(body, *definition, definitions + 1);
    }
    if (access.kind != Access::Kind::Read || !access.exact || expr.operands.size() != 1 ||
        !isNeverWritten(region, access.array) || array.storage != Array::Storage::Pointee)
      return std::nullopt;
    auto place = valueOf(*expr.operands[0], at, definitions);
    if (!place) return std::nullopt;
    Value result;
    result.kind = Value::Kind::Load;
    result.array = access.array;
    result.operands = {std::move(*place)};
    return result;
  }

  /// The loops of the indices inside loads and divisions of `value`, for which there are no intervals.
  static void findChoosing(const Value& value, bool inside, std::set<int>& loops) {
    if (value.kind == Value::Kind::Index && inside) loops.insert(value.loop);
    for (const Value& operand : value.operands)
      findChoosing(operand, inside || value.kind == Value::Kind::Load || isDivision(value.op), loops);
  }

  const Region& region;
  const Statement& statement;
};

/// Finds the nodes below `expr` that are accesses of `array`; false when one of them is not always evaluated.
bool findUses(const Expr& expr, const Statement& statement, int array, bool always,
              std::vector<const Expr*>& found) {
  if (expr.kind == Expr::Kind::Access && statement.accesses[expr.access].array == array) {
    if (!always) return false;
    found.push_back(&expr);
  }
  always = always && expr.kind != Expr::Kind::Conditional && !isLogical(expr.text);
  return std::all_of(expr.operands.begin(), expr.operands.end(), [&](const ExprPtr& operand) {
    return findUses(*operand, statement, array, always, found);
  });
}

} // namespace

std::optional<std::vector<InspectedUse>> inspectedUses(const Region& region, int array) {
  if (region.arrays[array].isScalar() || region.arrays[array].within >= 0) return std::nullopt;
  std::size_t deepest = 0;
  for (const Statement& statement : region.statements)
    deepest = std::max(deepest, statement.loops.size());
  std::vector<InspectedUse> uses;
  for (const Statement& statement : region.statements) {
    std::vector<const Expr*> found;
    if (statement.body && !findUses(*statement.body, statement, array, true, found)) return std::nullopt;
    for (const Expr* node : found) {
      if (node->operands.size() != 1) return std::nullopt;
      auto use = Inspector(region, statement).use(*node->operands[0]);
      if (!use || use->chosenBy.size() >= deepest) return std::nullopt;
      uses.push_back(std::move(*use));
    }
    // `a[k] += x` has an access of each kind, and one node.
    for (const Access& access : statement.accesses) {
      if (access.array != array || access.kind == Access::Kind::Kill) continue;
      const bool seen = std::any_of(found.begin(), found.end(), [&](const Expr* node) {
        return statement.accesses[node->access].map.is_equal(access.map);
      });
      if (!seen) return std::nullopt;
    }
  }
  return uses;
}

} // namespace warploom
