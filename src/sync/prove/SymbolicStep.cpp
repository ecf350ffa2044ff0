#include "sync/prove/SymbolicStep.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <fmt/format.h>

namespace warploom::sync {

using Base = ScalarType::Base;

SymbolicSystem::SymbolicSystem(z3::context& in, const StepPlan& of, std::vector<std::string> keptNames,
                               long most)
    : context(in), plan(of), system(*of.system.system), kept(std::move(keptNames)),
      bits(unsigned(system.wordBits)), mostTerms(most) {
  context.set_rounding_mode(z3::RNE);
  for (const Variable& variable : system.variables)
    memories |= variable.isMemory;
  const auto look = [&](const Expr& expr) {
    forEachNode(expr, [&](const Expr& node) { reals |= node.type.base == Base::Real; });
  };
  for (const CellAction& action : plan.system.actions)
    for (ExprPtr expr : {action.guard, action.address, action.value})
      if (expr != nullptr) look(*expr);
}

std::size_t SymbolicSystem::stateCells() const {
  std::size_t count = 0;
  for (int cell = 0; cell < plan.system.cells.count(); ++cell)
    count += !plan.system.variableOf(cell).isInput();
  return count;
}

z3::sort SymbolicSystem::sortOf(const ScalarType& type) {
  switch (type.base) {
  case Base::Bool:
    return context.bool_sort();
  case Base::Bits:
    return context.bv_sort(unsigned(type.bound));
  case Base::Real:
    return context.fpa_sort<64>();
  default:
    return context.bv_sort(bits);
  }
}

z3::expr SymbolicSystem::integer(std::int64_t value) {
  return context.bv_val(value, bits);
}

z3::expr SymbolicSystem::literal(const ScalarType& type, const Value& value) {
  switch (type.base) {
  case Base::Bool:
    return context.bool_val(value.integer != 0);
  case Base::Bits:
    return context.bv_val(std::uint64_t(value.integer), unsigned(type.bound));
  case Base::Real:
    return context.fpa_val(value.real);
  default:
    return integer(value.integer);
  }
}

/// The value is one of the type; a real, a number.
z3::expr SymbolicSystem::within(const ScalarType& type, const z3::expr& value) {
  if (type.isInteger()) return integer(type.smallest()) <= value && value <= integer(type.largest());
  if (type.base == Base::Real)
    return !z3::expr(context, Z3_mk_fpa_is_nan(context, value)) &&
           !z3::expr(context, Z3_mk_fpa_is_infinite(context, value));
  return context.bool_val(true);
}

z3::expr SymbolicSystem::constant(const std::string& name, const Variable& variable) {
  const z3::sort sort = sortOf(variable.type.scalar);
  return context.constant(name.c_str(),
                          variable.isMemory ? context.array_sort(context.bv_sort(bits), sort) : sort);
}

SymbolicState SymbolicSystem::initial() {
  SymbolicState state;
  for (int cell = 0; cell < plan.system.cells.count(); ++cell) {
    const Variable& variable = plan.system.variableOf(cell);
    const z3::expr value = literal(variable.type.scalar, defaultValue());
    state.push_back(variable.isMemory ? z3::const_array(context.bv_sort(bits), value) : value);
  }
  for (const Action& preset : system.init.dataFlow) {
    const Variable& variable = system.variables[preset.target.variable];
    const ScalarType& type = variable.type.scalar;
    const bool toReal = type.base == Base::Real && preset.value->type.isInteger();
    const z3::expr value =
        literal(type, toReal ? Value{0, double(preset.value->value.integer)} : preset.value->value);
    if (variable.isMemory) {
      z3::expr& memory = state[std::size_t(plan.system.cells.first(preset.target.variable))];
      memory = z3::store(memory, integer(preset.target.offset), value);
    } else {
      state[std::size_t(plan.system.cells.cell(preset.target))] = value;
    }
  }
  return state;
}

SymbolicState SymbolicSystem::anything(std::vector<z3::expr>& known) {
  SymbolicState state;
  for (int cell = 0; cell < plan.system.cells.count(); ++cell) {
    const Variable& variable = plan.system.variableOf(cell);
    state.push_back(constant(fmt::format("s{}", cell), variable));
    const bool keeps =
        std::ranges::find(kept, variable.name) != kept.end() && variable.type.scalar.isInteger();
    if (keeps && variable.isMemory) bases.insert_or_assign(cell, state.back());
    if (keeps && !variable.isMemory) known.push_back(within(variable.type.scalar, state.back()));
  }
  return state;
}

z3::expr SymbolicSystem::differ(const SymbolicState& a, const SymbolicState& b) {
  z3::expr_vector different(context);
  for (int cell = 0; cell < plan.system.cells.count(); ++cell)
    if (!plan.system.variableOf(cell).isInput())
      different.push_back(a[std::size_t(cell)] != b[std::size_t(cell)]);
  return z3::mk_or(different);
}

SymbolicStep SymbolicSystem::step(const SymbolicState& before, const std::string& name) {
  constexpr std::int64_t mostGiven = 65536; // cells of an input that a counterexample would have to tell
  terms += plan.system.cells.count();
  SymbolicStep result;
  SymbolicState now = before;
  for (int cell = 0; cell < plan.system.cells.count(); ++cell) {
    const Variable& variable = plan.system.variableOf(cell);
    if (!variable.isInput()) continue;
    if (variable.type.cellCount() > mostGiven)
      throw TooManyTerms(fmt::format("input `{}` has more than {} cells", variable.name, mostGiven));
    const ScalarType& type = variable.type.scalar;
    const std::string own = fmt::format("{}i{}", name, cell);
    z3::expr& value = now[std::size_t(cell)];
    if (type.base == Base::Real && !variable.isMemory) { // the bits are what a model tells
      const z3::expr encoded = context.bv_const(own.c_str(), 64);
      value = encoded.mk_from_ieee_bv(sortOf(type));
      result.inputs.emplace(cell, encoded);
    } else {
      value = constant(own, variable);
      result.inputs.emplace(cell, value);
    }
    if (variable.isMemory)
      bases.insert_or_assign(cell, value);
    else
      result.known.push_back(within(type, value));
  }
  making = &result;
  result.violated.assign(plan.system.reports.size(), context.bool_val(false));
  for (const Phase& phase : plan.immediate)
    for (const Group& group : phase.groups)
      for (const Unit& unit : group.units)
        for (int action : unit.actions)
          if (action >= 0) execute(plan.system.actions[action], now, now, result);
  result.after = now;
  for (const Phase* phase : {&plan.delayed, &plan.stores})
    for (const Group& group : phase->groups)
      for (const Unit& unit : group.units)
        for (int action : unit.actions)
          if (action >= 0) execute(plan.system.actions[action], result.after, now, result);
  making = nullptr;
  return result;
}

/// Changes `on` as `action` does where the expressions read `from`.
void SymbolicSystem::execute(const CellAction& action, SymbolicState& on, const SymbolicState& from,
                             SymbolicStep& step) {
  reading = &from;
  const z3::expr guard = term(*action.guard);
  if (action.kind == CellAction::Kind::Report) {
    step.violated[std::size_t(action.report)] = guard;
    return;
  }
  z3::expr& target = on[std::size_t(action.target)];
  const z3::expr value = as(plan.system.variableOf(action.target).type.scalar, *action.value);
  const z3::expr written =
      action.address == nullptr ? value : z3::store(target, term(*action.address), value);
  target = action.guard->isTrue() ? written : z3::ite(guard, written, target);
}

std::vector<Value> SymbolicSystem::inputsOf(const z3::model& model, const SymbolicStep& step) {
  std::vector<Value> result;
  const auto valueOf = [&](const ScalarType& type, const z3::expr& term) {
    const z3::expr found = model.eval(term, true);
    if (type.isBool()) return Value{found.is_true(), 0};
    const std::uint64_t number = found.get_numeral_uint64();
    if (type.base == Base::Real) return Value{0, std::bit_cast<double>(number)};
    if (type.base == Base::Bits) return Value{std::int64_t(number), 0};
    return Value{wrapped(std::int64_t(number), int(bits)), 0};
  };
  for (int cell = 0; cell < plan.system.cells.count(); ++cell) {
    const Variable& variable = plan.system.variableOf(cell);
    if (!variable.isInput()) continue;
    const z3::expr& input = step.inputs.at(cell);
    const ScalarType& type = variable.type.scalar;
    if (!variable.isMemory) {
      result.push_back(valueOf(type, input));
      continue;
    }
    for (std::int64_t i = 0; i < variable.type.cellCount(); ++i) {
      z3::expr element = z3::select(input, integer(i));
      if (type.base == Base::Real) element = z3::expr(context, Z3_mk_fpa_to_ieee_bv(context, element));
      const Value value = valueOf(type, element);
      // What no step reads may be anything in the model.
      result.push_back(fits(type, value) && std::isfinite(value.real) ? value : defaultValue());
    }
  }
  return result;
}

z3::expr SymbolicSystem::as(const ScalarType& type, const Expr& expr) {
  const z3::expr value = term(expr);
  return type.base == Base::Real && expr.type.isInteger() ? z3::sbv_to_fpa(value, sortOf(type)) : value;
}

z3::expr SymbolicSystem::term(const Expr& expr) {
  if (++terms > mostTerms) throw TooManyTerms(fmt::format("more than {} terms", mostTerms));
  switch (expr.op) {
  case Expr::Op::Literal:
    return literal(expr.type, expr.value);
  case Expr::Op::Read:
    return plan.system.variableOf(plan.system.cellOf(expr)).isMemory
               ? load(expr)
               : (*reading)[std::size_t(plan.system.cellOf(expr))];
  default:
    return operation(expr);
  }
}

z3::expr SymbolicSystem::load(const Expr& read) {
  const int cell = plan.system.cells.first(read.variable);
  const z3::expr at = term(*read.operands[0]);
  if (const auto base = bases.find(cell); base != bases.end())
    making->known.push_back(within(plan.system.variableOf(cell).type.scalar, z3::select(base->second, at)));
  return z3::select((*reading)[std::size_t(cell)], at);
}

/// The operator as applyOperator and evaluate have it.
z3::expr SymbolicSystem::operation(const Expr& expr) {
  const auto operand = [&](std::size_t i) { return term(*expr.operands[i]); };
  switch (expr.op) {
  case Expr::Op::Not:
    return expr.type.isBool() ? !operand(0) : ~operand(0);
  case Expr::Op::Xor:
    return expr.type.isBool() ? operand(0) != operand(1) : operand(0) ^ operand(1);
  case Expr::Op::And:
  case Expr::Op::Or: {
    if (expr.type.isBool()) {
      z3::expr_vector parts(context);
      for (std::size_t i = 0; i < expr.operands.size(); ++i)
        parts.push_back(operand(i));
      return expr.op == Expr::Op::And ? z3::mk_and(parts) : z3::mk_or(parts);
    }
    z3::expr result = operand(0);
    for (std::size_t i = 1; i < expr.operands.size(); ++i)
      result = expr.op == Expr::Op::And ? result & operand(i) : result | operand(i);
    return result;
  }
  case Expr::Op::Eq:
  case Expr::Op::Ne:
  case Expr::Op::Lt:
  case Expr::Op::Le:
  case Expr::Op::Gt:
  case Expr::Op::Ge:
    return compared(expr);
  case Expr::Op::If:
    return z3::ite(operand(0), as(expr.type, *expr.operands[1]), as(expr.type, *expr.operands[2]));
  case Expr::Op::Shl:
  case Expr::Op::Shr:
    return shifted(expr);
  case Expr::Op::Neg:
    return -operand(0);
  case Expr::Op::Abs: {
    const z3::expr value = operand(0), zero = literal(expr.type, defaultValue());
    return z3::ite(value < zero, -value, value);
  }
  case Expr::Op::Min:
  case Expr::Op::Max: {
    const z3::expr a = as(expr.type, *expr.operands[0]), b = as(expr.type, *expr.operands[1]);
    return expr.op == Expr::Op::Min ? z3::ite(a < b, a, b) : z3::ite(a < b, b, a);
  }
  case Expr::Op::Slice: {
    const auto low = unsigned(expr.value.integer);
    return operand(0).extract(low + unsigned(expr.type.bound) - 1, low);
  }
  case Expr::Op::Join:
    return z3::concat(operand(0), operand(1));
  case Expr::Op::ToNat:
  case Expr::Op::ToInt: {
    const z3::expr vector = operand(0);
    const auto width = unsigned(expr.operands[0]->type.bound);
    if (width >= bits) return vector.extract(bits - 1, 0);
    return expr.op == Expr::Op::ToNat ? z3::zext(vector, bits - width) : z3::sext(vector, bits - width);
  }
  case Expr::Op::ToBits: {
    const z3::expr number = operand(0);
    const auto width = unsigned(expr.type.bound);
    return width <= bits ? number.extract(width - 1, 0) : z3::sext(number, width - bits);
  }
  default:
    return arithmetic(expr);
  }
}

z3::expr SymbolicSystem::compared(const Expr& expr) {
  const Expr &left = *expr.operands[0], &right = *expr.operands[1];
  const bool real = left.type.base == Base::Real || right.type.base == Base::Real;
  const ScalarType type = real ? ScalarType{Base::Real, 0} : left.type;
  const z3::expr a = as(type, left), b = as(type, right);
  switch (expr.op) {
  case Expr::Op::Eq:
    return real ? z3::fp_eq(a, b) : a == b;
  case Expr::Op::Ne:
    return real ? !z3::fp_eq(a, b) : a != b;
  case Expr::Op::Lt:
    return a < b;
  case Expr::Op::Le:
    return a <= b;
  case Expr::Op::Gt:
    return a > b;
  default:
    return a >= b;
  }
}

z3::expr SymbolicSystem::shifted(const Expr& expr) {
  const z3::expr vector = term(*expr.operands[0]), places = term(*expr.operands[1]);
  const auto width = unsigned(expr.type.bound);
  const z3::expr by = width <= bits ? places.extract(width - 1, 0) : z3::zext(places, width - bits);
  const z3::expr inside = integer(0) <= places && places < integer(expr.type.bound);
  return z3::ite(inside, expr.op == Expr::Op::Shl ? z3::shl(vector, by) : z3::lshr(vector, by),
                 context.bv_val(0, width));
}

z3::expr SymbolicSystem::arithmetic(const Expr& expr) {
  const bool real = expr.type.base == Base::Real;
  z3::expr result = as(expr.type, *expr.operands[0]);
  for (std::size_t i = 1; i < expr.operands.size(); ++i) {
    const z3::expr next = as(expr.type, *expr.operands[i]);
    switch (expr.op) {
    case Expr::Op::Add:
      result = result + next;
      break;
    case Expr::Op::Sub:
      result = result - next;
      break;
    case Expr::Op::Mul:
      result = result * next;
      break;
    default: { // of integers towards zero, and 0 where the divisor is
      if (real) {
        result = result / next;
        break;
      }
      const z3::expr quotient = expr.op == Expr::Op::Div ? result / next : z3::srem(result, next);
      result = z3::ite(next == integer(0), integer(0), quotient);
    }
    }
  }
  return result;
}

} // namespace warploom::sync
