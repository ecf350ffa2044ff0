// Integers and conditions: C expressions as polynomials, and comparisons of them as sets of parameter values.
#include "frontend/ClangText.h"
#include "frontend/RegionReader.h"
#include "frontend/StorageUnits.h"
#include "support/Parameters.h"

#include <algorithm>
#include <clang/AST/RecursiveASTVisitor.h>
#include <fmt/format.h>
#include <isl/aff.h>
#include <isl/set.h>
#include <isl/val.h>

namespace warploom {

namespace {

isl::pw_aff powerOfTwo(unsigned exponent) {
  isl_ctx* ctx = islContext().get();
  isl_val* value = isl_val_2exp(isl_val_int_from_ui(ctx, exponent));
  isl_local_space* space = isl_local_space_from_space(isl_space_params_alloc(ctx, 0));
  return isl::manage(isl_pw_aff_from_aff(isl_aff_val_on_domain(space, value)));
}

} // namespace

isl::set RegionReader::withoutLoopIndices(isl::set set) const {
  return withoutParameters(std::move(set),
                           [](const std::string& name) { return name[0] == '$' || name[0] == '@'; });
}

bool RegionReader::assume(Condition::Kind kind, const isl::set& violated, const SourceRange& at, int object) {
  isl::set bad = violated.intersect(domain);
  if (bad.is_empty()) return true;
  isl::set badParameters = withoutLoopIndices(bad).intersect(region.context).intersect(typeRanges);
  if (badParameters.is_empty()) return true;
  isl::set holds = region.context.intersect(typeRanges).subtract(badParameters).coalesce();
  // What holds only where nothing of this runs is no help.
  if (holds.intersect(withoutLoopIndices(domain)).is_empty()) return false;
  if (dry > 0) return true;
  Condition condition;
  condition.kind = kind;
  condition.holds = holds.gist(region.context.intersect(typeRanges)).coalesce();
  condition.text = conditionText(*condition.holds);
  if (object >= 0) condition.arrays.push_back(object);
  condition.loops.push_back(loops.empty() ? static_cast<int>(region.loops.size()) : loops.front());
  condition.range = at;
  for (const Condition& known : region.conditions)
    if (known.kind == kind && known.text == condition.text && known.loops == condition.loops) return true;
  region.conditions.push_back(condition);
  return true;
}

RegionReader::Value RegionReader::fitting(const clang::Expr* expr, const Value& value, clang::QualType to) {
  if (!value.polynomial || !to->isIntegralOrEnumerationType()) return value;
  auto affine = value.polynomial->asAffine();
  // A product cannot be checked here. Where it is a linearised subscript, the recovered subscripts are
  // checked, and those imply that the product does not wrap around.
  if (!affine) return value;
  unsigned bits = static_cast<unsigned>(input.context.getTypeSize(to));
  bool isSigned = to->isSignedIntegerOrEnumerationType();
  isl::pw_aff low = isSigned ? powerOfTwo(bits - 1).neg() : constant(0);
  isl::pw_aff high = powerOfTwo(isSigned ? bits - 1 : bits);
  isl::set violated = affine->lt_set(low);
  // No object has 2^63 elements, so a 64-bit value cannot be too large where it is a subscript or a bound.
  if (bits < 64) violated = violated.unite(affine->ge_set(high));
  if (assume(Condition::Kind::NoWrap, violated, rangeOf(expr))) return value;
  return {std::nullopt, "`" + textOf(expr) + "` wraps around"};
}

RegionReader::Value RegionReader::unwrapped(const clang::Expr* expr, const Value& value) {
  const clang::Expr* bare = expr->IgnoreParens();
  const auto* load = llvm::dyn_cast<clang::ImplicitCastExpr>(bare);
  if (load && load->getCastKind() == clang::CK_LValueToRValue)
    return value; // what a variable holds, it can hold
  return bare->getType()->isUnsignedIntegerType() ? fitting(expr, value, bare->getType()) : value;
}

RegionReader::Value RegionReader::valueOf(const clang::Expr* expr) {
  Value value = valueOfAny(expr->IgnoreParens());
  if (value.polynomial && value.polynomial->isLost())
    return {std::nullopt, "`" + textOf(expr) + "` has numbers that are too large"};
  return value;
}

RegionReader::Value RegionReader::valueOfAny(const clang::Expr* expr) {
  if (auto constant = constantOf(expr, input.context)) return {Polynomial::constant(*constant), ""};
  Value none{std::nullopt, "`" + textOf(expr) + "` is not affine"};
  if (!expr->getType()->isIntegralOrEnumerationType()) return none;
  if (expr->isGLValue() && expr->getType().isVolatileQualified())
    return {std::nullopt, "`" + textOf(expr) + "` is volatile"};

  if (const auto* cast = llvm::dyn_cast<clang::CastExpr>(expr)) {
    const clang::Expr* inner = cast->getSubExpr();
    switch (cast->getCastKind()) {
    case clang::CK_NoOp:
    case clang::CK_LValueToRValue:
      return valueOf(inner);
    case clang::CK_IntegralCast: {
      Value value = valueOf(inner);
      uint64_t from = input.context.getTypeSize(inner->getType()),
               to = input.context.getTypeSize(expr->getType());
      bool toSigned = expr->getType()->isSignedIntegerOrEnumerationType();
      bool fromSigned = inner->getType()->isSignedIntegerOrEnumerationType();
      if (to > from) value = unwrapped(inner, value); // widening shows a wrapped value as it is
      if (toSigned && (to < from || (to == from && !fromSigned)))
        value = fitting(expr, value, expr->getType());
      return value;
    }
    default:
      return none;
    }
  }
  if (const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(expr)) {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(reference->getDecl());
    return variable ? valueOfVariable(variable) : none;
  }
  if (const auto* op = llvm::dyn_cast<clang::UnaryOperator>(expr)) {
    if (op->getOpcode() == clang::UO_Minus) {
      Value value = valueOf(op->getSubExpr());
      if (value.polynomial) value.polynomial = Polynomial::constant(0) - *value.polynomial;
      return value;
    }
    if (op->getOpcode() == clang::UO_Plus) return valueOf(op->getSubExpr());
    if (op->getOpcode() == clang::UO_LNot) {
      if (auto holds = conditionOf(expr)) {
        isl::pw_aff truth = isl::manage(isl_set_indicator_function(holds->copy()));
        return {Polynomial::of(truth), ""};
      }
      return none;
    }
    if (op->getOpcode() == clang::UO_Deref) return parameterPath(expr);
    if (op->isIncrementDecrementOp() && llvm::isa<clang::DeclRefExpr>(op->getSubExpr()->IgnoreParens())) {
      Value value = valueOf(op->getSubExpr());
      if (std::find(pendingIncrements.begin(), pendingIncrements.end(), op) == pendingIncrements.end())
        pendingIncrements.push_back(op);
      if (value.polynomial && op->isPrefix())
        value.polynomial = *value.polynomial + Polynomial::constant(op->isIncrementOp() ? 1 : -1);
      return value;
    }
    return none;
  }
  if (const auto* op = llvm::dyn_cast<clang::BinaryOperator>(expr)) return valueOfBinary(op);
  if (const auto* choice = llvm::dyn_cast<clang::ConditionalOperator>(expr)) {
    auto condition = conditionOf(choice->getCond());
    ++branches;
    Value yes = valueOf(choice->getTrueExpr()), no = valueOf(choice->getFalseExpr());
    --branches;
    if (!condition || !yes.polynomial || !no.polynomial) return none;
    auto a = yes.polynomial->asAffine(), b = no.polynomial->asAffine();
    if (!a || !b) return none;
    isl::pw_aff merged =
        a->intersect_params(*condition).union_add(b->intersect_params(condition->complement()));
    return {Polynomial::of(merged.coalesce()), ""};
  }
  if (llvm::isa<clang::MemberExpr>(expr) || llvm::isa<clang::ArraySubscriptExpr>(expr))
    return parameterPath(expr);
  if (const auto* call = llvm::dyn_cast<clang::CallExpr>(expr)) return valueOfCall(call);
  return none;
}

/// The value of a pure function that returns one expression over its parameters, which nothing else names.
RegionReader::Value RegionReader::valueOfCall(const clang::CallExpr* call) {
  Value none{std::nullopt, "`" + textOf(call) + "` is not affine"};
  const clang::FunctionDecl* callee = call->getDirectCallee();
  const clang::FunctionDecl* definition = callee && callee->getIdentifier() ? definitionOf(callee) : nullptr;
  if (!definition || input.summaries.of(callee) != CallEffect::Pure) return none;
  const auto* body = llvm::dyn_cast<clang::CompoundStmt>(definition->getBody());
  const auto* result =
      body && body->size() == 1 ? llvm::dyn_cast<clang::ReturnStmt>(body->body_front()) : nullptr;
  if (!result || !result->getRetValue() || call->getNumArgs() != definition->getNumParams()) return none;
  Contents inside = contentsOf(body, input.summaries);
  if (!inside.written.empty()) return none;
  std::vector<Polynomial> arguments;
  for (const clang::Expr* argument : call->arguments()) {
    // A parameter holds what its type can hold.
    Value value = unwrapped(argument, valueOf(argument));
    if (!value.polynomial) return none;
    arguments.push_back(*value.polynomial);
  }
  for (unsigned k = 0; k < definition->getNumParams(); ++k)
    environment[definition->getParamDecl(k)].integer = arguments[k];
  Value value = valueOf(result->getRetValue());
  for (const clang::ParmVarDecl* parameter : definition->parameters())
    environment.erase(parameter);
  return value.polynomial ? value : none;
}

RegionReader::Value RegionReader::valueOfVariable(const clang::VarDecl* variable) {
  if (auto loop = loopOfIndex.find(variable); loop != loopOfIndex.end())
    return {Polynomial::parameter(loopName(loop->second), false), ""};
  if (auto known = environment.find(variable);
      known != environment.end() && known->second.integer && !known->second.integer->isLost())
    return {known->second.integer, ""};
  std::string name = "`" + variable->getNameAsString() + "`";
  if (contents.written.count(variable) || contents.declared.count(variable))
    return {std::nullopt, "the value of " + name + " here is not known"};
  if (!variable->hasLocalStorage() && !contents.unknownCalls.empty() &&
      !variable->getType().isConstQualified())
    return {std::nullopt, "a call in the region may change " + name};
  return parameterOf(variable, variable->getType());
}

RegionReader::Value RegionReader::valueOfBinary(const clang::BinaryOperator* op) {
  Value none{std::nullopt, "`" + textOf(op) + "` is not affine"};
  if (dependsOnWidth(input.context, op)) return none;
  if (op->isComparisonOp() || op->isLogicalOp()) {
    auto holds = conditionOf(op);
    if (!holds) return none;
    return {Polynomial::of(isl::pw_aff(isl::manage(isl_set_indicator_function(holds->copy())))), ""};
  }
  if (!op->isAdditiveOp() && !op->isMultiplicativeOp() && !op->isShiftOp() &&
      op->getOpcode() != clang::BO_And)
    return none;
  if (op->getOpcode() == clang::BO_Sub && op->getLHS()->getType()->isPointerType() &&
      op->getRHS()->getType()->isPointerType())
    return {distanceOf(op->getLHS(), op->getRHS()), none.why};
  if (!op->getLHS()->getType()->isIntegralOrEnumerationType() ||
      !op->getRHS()->getType()->isIntegralOrEnumerationType())
    return none;
  Value left = valueOf(op->getLHS()), right = valueOf(op->getRHS());
  if (!left.polynomial) return left;
  if (!right.polynomial) return right;
  const Polynomial &a = *left.polynomial, &b = *right.polynomial;
  auto divisor = b.asConstant();
  auto quotient = [&](long by, bool remainder) -> Value {
    Value checked = unwrapped(op->getLHS(), left);
    auto affine = a.asAffine();
    if (!checked.polynomial) return checked;
    if (!affine || by <= 0) return none;
    isl_pw_aff* divided = remainder ? isl_pw_aff_tdiv_r(affine->copy(), constant(by).release())
                                    : isl_pw_aff_tdiv_q(affine->copy(), constant(by).release());
    return {Polynomial::of(isl::pw_aff(isl::manage(divided)).coalesce()), ""};
  };
  switch (op->getOpcode()) {
  case clang::BO_Add:
    return {a + b, ""};
  case clang::BO_Sub:
    return {a - b, ""};
  case clang::BO_Mul:
    return {a * b, ""};
  case clang::BO_Div:
    return divisor ? quotient(*divisor, false) : none;
  case clang::BO_Rem:
    return divisor ? quotient(*divisor, true) : none;
  case clang::BO_Shl:
    if (!divisor || *divisor < 0 || *divisor > 40) return none;
    return {a * Polynomial::constant(1L << *divisor), ""};
  case clang::BO_Shr: {
    // An arithmetic shift rounds down.
    Value checked = unwrapped(op->getLHS(), left);
    auto affine = a.asAffine();
    if (!divisor || *divisor < 0 || *divisor > 40 || !affine || !checked.polynomial) return none;
    isl::pw_aff scaled = affine->div(constant(1L << *divisor)).floor();
    return {Polynomial::of(scaled), ""};
  }
  case clang::BO_And: {
    // i & (2^k - 1) is i mod 2^k, in two's complement for negative i as well.
    auto affine = a.asAffine();
    if (!divisor || *divisor <= 0 || (*divisor & (*divisor + 1)) != 0 || !affine) return none;
    isl::val modulus = isl::val(islContext(), *divisor + 1);
    return {Polynomial::of(affine->mod(modulus)), ""};
  }
  default:
    return none;
  }
}

RegionReader::Value RegionReader::parameterOf(const clang::VarDecl* variable, clang::QualType type) {
  std::string name = variable->getNameAsString();
  auto isTaken = [&] {
    auto known = parameterVariables.find(name);
    if (known != parameterVariables.end()) return known->second != variable;
    return std::any_of(region.loops.begin(), region.loops.end(),
                       [&](const Loop& loop) { return loop.index == name; });
  };
  while (isTaken())
    name += "'";
  if (parameterVariables.emplace(name, variable).second) {
    const auto text = input.inlined.texts.find(variable);
    region.parameters.push_back(
        {name, text == input.inlined.texts.end() ? input.inlined.nameOf(variable) : text->second,
         modelType(input.context, type)});
    isl::pw_aff value = parameter(name);
    if (text != input.inlined.texts.end())
      region.context = region.context.intersect(value.ge_set(constant(0))); // a number of iterations
    unsigned bits = static_cast<unsigned>(input.context.getTypeSize(type));
    bool isSigned = type->isSignedIntegerOrEnumerationType();
    if (!isSigned) region.context = region.context.intersect(value.ge_set(constant(0)));
    if (isSigned) typeRanges = typeRanges.intersect(value.ge_set(powerOfTwo(bits - 1).neg()));
    typeRanges = typeRanges.intersect(value.lt_set(powerOfTwo(isSigned ? bits - 1 : bits)));
  }
  return {Polynomial::parameter(name, true), ""};
}

std::string RegionReader::parameterName(const clang::VarDecl* variable) const {
  auto known = std::find_if(parameterVariables.begin(), parameterVariables.end(),
                            [&](const auto& one) { return one.second == variable; });
  return known == parameterVariables.end() ? variable->getNameAsString() : known->first;
}

std::string RegionReader::freshParameter(std::string name) {
  auto isTaken = [&] {
    return parameterVariables.count(name) > 0 ||
           std::any_of(region.parameters.begin(), region.parameters.end(),
                       [&](const Parameter& other) { return other.name == name; }) ||
           std::any_of(region.loops.begin(), region.loops.end(),
                       [&](const Loop& loop) { return loop.index == name; });
  };
  while (isTaken())
    name += "'";
  parameterVariables.emplace(name, nullptr);
  return name;
}

std::optional<RegionReader::PointerTest> RegionReader::pointerTest(const clang::Expr* expr) {
  expr = expr->IgnoreParens();
  PointerTest test;
  const clang::Expr* pointer = expr;
  if (const auto* op = llvm::dyn_cast<clang::BinaryOperator>(expr)) {
    if (!op->isEqualityOp()) return std::nullopt;
    auto isNull = [&](const clang::Expr* one) {
      return one->isNullPointerConstant(const_cast<clang::ASTContext&>(input.context),
                                        clang::Expr::NPC_NeverValueDependent) != clang::Expr::NPCK_NotNull;
    };
    bool left = isNull(op->getLHS());
    if (left == isNull(op->getRHS())) return std::nullopt;
    pointer = left ? op->getRHS() : op->getLHS();
    test.whenNull = op->getOpcode() == clang::BO_EQ;
  }
  if (!pointer->getType()->isPointerType()) return std::nullopt;
  if (bool is = false; pointer->EvaluateAsBooleanCondition(is, input.context)) {
    return PointerTest{"", is == test.whenNull};
  }
  const clang::Expr* tested = pointer;
  while (const auto* cast = llvm::dyn_cast<clang::CastExpr>(pointer->IgnoreParens())) {
    pointer = cast->getSubExpr()->IgnoreParens();
    if (cast->getCastKind() == clang::CK_LValueToRValue) break;
    if (cast->getCastKind() != clang::CK_BitCast && cast->getCastKind() != clang::CK_NoOp) break;
  }
  const clang::VarDecl* root = pointer->isLValue() ? invariantRoot(pointer) : nullptr;
  std::string text;
  if (root && pointer->getType()->isPointerType()) {
    if (loopOfIndex.count(root) || pointer->getType().isVolatileQualified()) return std::nullopt;
    bool plain = llvm::isa<clang::DeclRefExpr>(pointer) && root->hasLocalStorage() &&
                 !input.aliasing.isAddressTaken(root);
    if (!plain && changes(pointer, contents)) return std::nullopt;
    text = pathText(pointer);
  } else {
    // What is reached from a pointer is null only where that is, and an array is somewhere.
    Reach reach = reachPointer(tested);
    if (!reach.root || !reach.path.empty()) return std::nullopt;
    if (!reach.pointee) return PointerTest{"", test.whenNull};
    bool steady = reach.root->hasLocalStorage() && !input.aliasing.isAddressTaken(reach.root) &&
                  !contents.written.count(reach.root) && !contents.declared.count(reach.root);
    if (!steady) return std::nullopt;
    text = reach.root->getNameAsString();
  }
  auto [known, isNew] = pointerTests.emplace(text, "");
  if (isNew) {
    std::string name = text;
    std::replace_if(
        name.begin(), name.end(), [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; },
        '_');
    known->second = name = freshParameter(name + "_given");
    region.parameters.push_back(
        {name, "(" + text + " != 0)", modelType(input.context, input.context.IntTy), true});
    if (root) noteThrough("(" + text + " != 0)", pointer);
    isl::pw_aff value = parameter(name);
    region.context = region.context.intersect(value.ge_set(constant(0))).intersect(value.le_set(constant(1)));
  }
  test.parameter = known->second;
  return test;
}

std::optional<isl::set> RegionReader::conditionOf(const clang::Expr* expr) {
  expr = expr->IgnoreParens();
  if (auto test = pointerTest(expr); test && test->parameter.empty()) {
    isl::set all = isl::set::universe(isl::space::unit(islContext()).params());
    return test->whenNull ? all.complement() : all;
  } else if (test)
    return test->whenNull ? parameter(test->parameter).eq_set(constant(0))
                          : parameter(test->parameter).ne_set(constant(0));
  while (const auto* cast = llvm::dyn_cast<clang::ImplicitCastExpr>(expr)) {
    auto kind = cast->getCastKind();
    if (kind != clang::CK_IntegralToBoolean && kind != clang::CK_NoOp) break;
    expr = cast->getSubExpr()->IgnoreParens();
  }
  if (const auto* op = llvm::dyn_cast<clang::UnaryOperator>(expr); op && op->getOpcode() == clang::UO_LNot) {
    auto inner = conditionOf(op->getSubExpr());
    if (!inner) return std::nullopt;
    return inner->complement();
  }
  if (const auto* op = llvm::dyn_cast<clang::BinaryOperator>(expr)) {
    if (op->isLogicalOp()) {
      auto left = conditionOf(op->getLHS()), right = conditionOf(op->getRHS());
      if (!left || !right) return std::nullopt;
      return op->getOpcode() == clang::BO_LAnd ? left->intersect(*right) : left->unite(*right);
    }
    if (op->isComparisonOp()) {
      if (!op->getLHS()->getType()->isIntegralOrEnumerationType()) return std::nullopt;
      Value left = unwrapped(op->getLHS(), valueOf(op->getLHS()));
      Value right = unwrapped(op->getRHS(), valueOf(op->getRHS()));
      if (!left.polynomial || !right.polynomial) return std::nullopt;
      // Comparing the difference with 0 lets equal products cancel.
      auto difference = (*left.polynomial - *right.polynomial).asAffine();
      if (!difference) return std::nullopt;
      isl::pw_aff zero = constant(0);
      switch (op->getOpcode()) {
      case clang::BO_LT:
        return difference->lt_set(zero);
      case clang::BO_GT:
        return difference->gt_set(zero);
      case clang::BO_LE:
        return difference->le_set(zero);
      case clang::BO_GE:
        return difference->ge_set(zero);
      case clang::BO_EQ:
        return difference->eq_set(zero);
      case clang::BO_NE:
        return difference->ne_set(zero);
      default:
        return std::nullopt;
      }
    }
  }
  Value value = valueOf(expr);
  if (!value.polynomial) return std::nullopt;
  auto affine = value.polynomial->asAffine();
  if (!affine) return std::nullopt;
  return affine->ne_set(constant(0));
}

} // namespace warploom
