// Bodies: Clang expressions as the model's expression trees, with every memory access on the way recorded.
#include "frontend/ClangText.h"
#include "frontend/RegionReader.h"
#include "frontend/StorageUnits.h"
#include "model/MathFunctions.h"

#include <algorithm>
#include <clang/AST/ExprCXX.h>
#include <clang/Basic/CharInfo.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Lex/Lexer.h>
#include <fmt/format.h>

namespace warploom {

namespace {

ExprPtr with(const ExprPtr& node, std::vector<ExprPtr> operands) {
  auto copy = std::make_shared<Expr>(*node);
  copy->operands = std::move(operands);
  return copy;
}

/// A literal as it is spelled, out of whatever macro it came from: generated files do not have the user's
/// macros.
std::string literalText(const clang::Expr* literal, const clang::ASTContext& context) {
  const clang::SourceManager& sources = context.getSourceManager();
  clang::SourceLocation at = sources.getSpellingLoc(literal->getBeginLoc());
  return clang::Lexer::getSourceText(clang::CharSourceRange::getTokenRange(at, at), sources,
                                     context.getLangOpts())
      .str();
}

/// The value of an integer constant expression, as a literal of its type; nothing when it is none.
std::optional<std::string> constantText(const clang::Expr* expr, const clang::ASTContext& context) {
  clang::Expr::EvalResult result;
  if (!expr->EvaluateAsInt(result, context)) return std::nullopt;
  llvm::SmallString<24> digits;
  const llvm::APSInt& number = result.Val.getInt();
  number.toString(digits, 10);
  std::string suffix = expr->getType()->isUnsignedIntegerType() ? "u" : "";
  if (context.getTypeSize(expr->getType()) > 32) suffix += "l";
  if (number.isSigned() && number.isMinSignedValue()) { // as a literal it would be of a larger type
    digits.clear();
    llvm::APSInt(number + 1, false).toString(digits, 10);
    return fmt::format("({}{} - 1)", std::string(digits), suffix);
  }
  return std::string(digits) + suffix;
}

/// True when `text` is a literal for `number`.
bool says(const std::string& text, const clang::IntegerLiteral& number) {
  std::string digits = text.substr(0, text.find_last_not_of("uUlL") + 1);
  std::erase(digits, '\'');
  llvm::APInt value;
  return !digits.empty() && !llvm::StringRef(digits).getAsInteger(0, value) &&
         llvm::APInt::isSameValue(value, number.getValue());
}

/// True when a conversion between complex numbers, or to a real one, is not what C++ makes of the types
/// beside it.
bool convertsComplex(const clang::CastExpr* cast) {
  switch (cast->getCastKind()) {
  case clang::CK_FloatingComplexCast:
  case clang::CK_FloatingComplexToReal:
  case clang::CK_FloatingComplexToBoolean:
    return true;
  default:
    return false;
  }
}

/// `2.0i` converted to the complex type `type`, as a call that makes it; empty where `expr` is no such
/// literal.
std::string imaginaryText(const clang::Expr* expr, clang::QualType type) {
  for (const clang::Expr* inner = nullptr; inner != expr;) {
    inner = expr;
    expr = expr->IgnoreParenImpCasts();
    if (const auto* op = llvm::dyn_cast<clang::UnaryOperator>(expr);
        op && op->getOpcode() == clang::UO_Extension)
      expr = op->getSubExpr();
  }
  const auto* literal = llvm::dyn_cast<clang::ImaginaryLiteral>(expr);
  const auto* complex = type->getAs<clang::ComplexType>();
  if (!literal || !complex) return {};
  double value = 0;
  if (const auto* number = llvm::dyn_cast<clang::FloatingLiteral>(literal->getSubExpr()))
    value = number->getValueAsApproximateDouble();
  else if (const auto* whole = llvm::dyn_cast<clang::IntegerLiteral>(literal->getSubExpr()))
    value = whole->getValue().roundToDouble();
  const auto* element = complex->getElementType()->getAs<clang::BuiltinType>();
  if (element && element->getKind() == clang::BuiltinType::Float)
    return fmt::format("warploom::imaginary({:#}f)", static_cast<float>(value));
  return element && element->getKind() == clang::BuiltinType::Double
             ? fmt::format("warploom::imaginary({:#})", value)
             : "";
}

/// The operand of `__real__ z` or `__imag__ z` for a complex z; else null.
const clang::Expr* takenApart(const clang::Expr* expr) {
  const auto* op = llvm::dyn_cast<clang::UnaryOperator>(expr);
  const bool takes = op && (op->getOpcode() == clang::UO_Real || op->getOpcode() == clang::UO_Imag) &&
                     op->getSubExpr()->getType()->isComplexType();
  return takes ? op->getSubExpr() : nullptr;
}

} // namespace

ExprPtr RegionReader::partOf(const clang::Expr* expr, const clang::Expr* whole, RawStatement& statement) {
  ExprPtr value = whole->isLValue() ? loadOf(whole, statement) : bodyOf(whole, statement);
  if (!value) return nullptr;
  const bool isReal = llvm::cast<clang::UnaryOperator>(expr)->getOpcode() == clang::UO_Real;
  return with(leaf(Expr::Kind::Call, expr, isReal ? "creal" : "cimag"), {value});
}

ExprPtr RegionReader::computedApart(const clang::Stmt* at, ExprPtr old, const ExprPtr& value) {
  const auto* op = llvm::cast<clang::CompoundAssignOperator>(at);
  const SourceRange range = rangeOf(at);
  const Type own = old->type, left = modelType(input.context, op->getComputationLHSType()),
             result = modelType(input.context, op->getComputationResultType());
  std::string symbol = assignmentOperator(op);
  symbol.pop_back();
  old = makeExpr(Expr::Kind::Cast, "", left, {old}, range);
  return makeExpr(Expr::Kind::Cast, "", own,
                  {makeExpr(Expr::Kind::Binary, symbol, result, {old, value}, range)}, range);
}

bool RegionReader::isComputedApart(const clang::Stmt* at) const {
  const auto* op = llvm::dyn_cast<clang::CompoundAssignOperator>(at);
  return op && op->getComputationResultType()->isComplexType() &&
         !input.context.hasSameUnqualifiedType(op->getComputationResultType(), op->getType());
}

ExprPtr RegionReader::leaf(Expr::Kind kind, const clang::Expr* at, const std::string& text) const {
  return makeExpr(kind, text, modelType(input.context, at->getType()), {}, rangeOf(at));
}

ExprPtr RegionReader::affineExpr(const clang::Expr* at, const isl::pw_aff& value) const {
  auto node = makeExpr(Expr::Kind::Affine, "", modelType(input.context, at->getType()), {}, rangeOf(at));
  node->value = value;
  return node;
}

ExprPtr RegionReader::localIndex(const clang::Expr* at, const std::string& name) const {
  for (const auto& [variable, loop] : loopOfIndex)
    if (auto local = locals.find(variable); local != locals.end() && loopName(loop) == name)
      return makeExpr(Expr::Kind::Local, local->second, modelType(input.context, variable->getType()), {},
                      rangeOf(at));
  return nullptr;
}

ExprPtr RegionReader::closedExpr(const clang::Expr* at, const Polynomial& value) const {
  const auto& terms = value.monomials();
  const bool hasLocals = std::any_of(terms.begin(), terms.end(), [&](const auto& term) {
    return std::any_of(term.first.begin(), term.first.end(),
                       [&](const std::string& key) { return localIndex(at, key) != nullptr; });
  });
  if (auto affine = value.asAffine(); affine && !hasLocals) return affineExpr(at, *affine);
  if (value.isLost()) return leaf(Expr::Kind::Opaque, at, textOf(at));
  ExprPtr sum;
  for (const auto& [monomial, coefficient] : value.monomials()) {
    ExprPtr product;
    auto times = [&](const ExprPtr& factor) {
      if (!product)
        product = factor;
      else
        product = with(leaf(Expr::Kind::Binary, at, "*"), {product, factor});
    };
    for (const std::string& key : monomial)
      if (ExprPtr local = localIndex(at, key))
        times(local);
      else
        times(affineExpr(at, value.atom(key).value));
    if (coefficient != 1 || !product) times(leaf(Expr::Kind::Literal, at, std::to_string(coefficient)));
    sum = sum ? with(leaf(Expr::Kind::Binary, at, "+"), {sum, product}) : product;
  }
  return sum;
}

ExprPtr RegionReader::sumOf(const clang::Expr* at, const WrittenSubscript& written, RawStatement& statement) {
  // Pointers are added to in their own width, whatever the type of each part is.
  const Type wide = modelType(input.context, input.context.LongTy);
  ExprPtr sum;
  for (const clang::Expr* other : written.others) {
    ExprPtr part = bodyOf(other, statement);
    if (!part) return nullptr;
    part = makeExpr(Expr::Kind::Cast, "", wide, {part}, rangeOf(at));
    sum = sum ? makeExpr(Expr::Kind::Binary, "+", wide, {sum, part}, rangeOf(at)) : part;
  }
  if (written.rest->asConstant() == 0) return sum;
  return makeExpr(Expr::Kind::Binary, "+", wide, {sum, closedExpr(at, *written.rest)}, rangeOf(at));
}

ExprPtr RegionReader::accessOf(const clang::Expr* lvalue, Access::Kind kind, RawStatement& statement,
                               bool asNumber) {
  lvalue = lvalue->IgnoreParens();
  if (inFunction) {
    unsupported = "`" + textOf(lvalue) + "` is in memory";
    return nullptr;
  }
  if (lvalue->getType().isVolatileQualified()) {
    unsupported = "`" + textOf(lvalue) + "` is volatile";
    return nullptr;
  }
  const Reach reach = reachInRows(lvalue);
  if (lvalue->isGLValue() && lvalue->getObjectKind() == clang::OK_BitField && !reach.unit) {
    unsupported = "`" + textOf(lvalue) + "` is a bit-field";
    return nullptr;
  }
  if (reach.unit && reach.unit->isUnknown) {
    unsupported = "which part of a union `" + textOf(lvalue) + "` is, only data tell";
    return nullptr;
  }
  const MemoryPlace place = placeOf(reach, lvalue);
  // The subscripts of the source, so that emission can print them; where the source has none (`*p`,
  // `row[j]`), the closed form.
  std::vector<ExprPtr> subscripts;
  for (std::size_t k = 0; k < reach.indices.size(); ++k) {
    ExprPtr subscript;
    if (reach.indices[k].index)
      subscript = bodyOf(reach.indices[k].index, statement);
    else if (reach.subscripts[k])
      subscript = closedExpr(lvalue, *reach.subscripts[k]);
    else if (reach.indices[k].rest && !reach.indices[k].others.empty())
      subscript = sumOf(lvalue, reach.indices[k], statement);
    else
      subscript = leaf(Expr::Kind::Opaque, lvalue, textOf(lvalue));
    if (!subscript) return nullptr;
    subscripts.push_back(subscript);
  }
  addAccess(kind, place, lvalue, statement);
  auto node = std::make_shared<Expr>(
      *leaf(Expr::Kind::Access, lvalue, place.object >= 0 ? objects[place.object].name : textOf(lvalue)));
  node->access = static_cast<int>(statement.accesses.size()) - 1;
  node->operands = std::move(subscripts);
  if (!reach.unit) return node;
  node->type = modelType(input.context, reach.unit->number);
  return asNumber || kind != Access::Kind::Read ? node : partOfUnit(*reach.unit, node);
}

ExprPtr RegionReader::bodyOfCall(const clang::CallExpr* call, RawStatement& statement) {
  const clang::FunctionDecl* callee = call->getDirectCallee();
  if (!callee || !callee->getIdentifier()) {
    unsupported = "`" + textOf(call) + "` calls through a pointer";
    return nullptr;
  }
  std::string reason;
  CallEffect effect = input.summaries.of(callee, &reason);
  if (effect != CallEffect::Pure) {
    unsupported =
        fmt::format("`{}` {}", callee->getName().str(),
                    effect == CallEffect::Reads ? "reads memory that its call does not show" : reason);
    return nullptr;
  }
  if (const auto constant = mathConstant(callee->getName())) // a NaN is a NaN, whatever else is asked for
    return leaf(Expr::Kind::Literal, call, std::string(*constant));
  std::vector<ExprPtr> arguments;
  for (const clang::Expr* argument : call->arguments()) {
    ExprPtr value = bodyOf(argument, statement);
    if (!value) return nullptr;
    arguments.push_back(value);
  }
  auto node = std::make_shared<Expr>(*leaf(Expr::Kind::Call, call, callee->getName().str()));
  node->operands = arguments;
  node->function = functionOf(callee);
  if (node->function && node->function->body && node->function->parameters.size() != arguments.size()) {
    unsupported = "`" + textOf(call) + "` has other arguments than the function has parameters";
    return nullptr;
  }
  return node;
}

ExprPtr RegionReader::bodyOfConditional(const clang::Expr* at, const clang::Expr* condition,
                                        const clang::Expr* yes, const clang::Expr* no,
                                        RawStatement& statement) {
  if (auto certain = inFunction || !no ? std::nullopt : pointerTest(condition);
      certain && certain->parameter.empty()) {
    ExprPtr value = bodyOf(certain->whenNull ? no : yes, statement);
    return value && at->getType()->isArithmeticType() ? with(leaf(Expr::Kind::Cast, at, ""), {value}) : value;
  }
  ExprPtr test = truthOf(condition, statement);
  if (!test) return nullptr;
  auto affine = conditionOf(condition);
  isl::set before = when;
  auto branch = [&](const clang::Expr* part, bool holds) {
    if (affine)
      when = before.intersect(holds ? *affine : affine->complement());
    else
      ++maybe;
    ++branches;
    ExprPtr value = bodyOf(part, statement);
    --branches;
    if (!affine) --maybe;
    when = before;
    return value;
  };
  ExprPtr first = branch(yes, true);
  ExprPtr second = first && no ? branch(no, false) : nullptr;
  if (!first || (no && !second)) return nullptr;
  return with(leaf(Expr::Kind::Conditional, at, "?:"), {test, first, second});
}

ExprPtr RegionReader::truthOf(const clang::Expr* expr, RawStatement& statement) {
  auto test = inFunction ? std::nullopt : pointerTest(expr);
  if (!test && expr->getType()->isPointerType()) {
    unsupported = "`" + textOf(expr) + "` computes with pointers";
    return nullptr;
  }
  if (!test) {
    ExprPtr value = bodyOf(expr, statement);
    if (!value || !expr->getType()->isAnyComplexType()) return value;
    return makeExpr(Expr::Kind::Cast, "", modelType(input.context, input.context.BoolTy), {value},
                    rangeOf(expr));
  }
  const Type truth = modelType(input.context, input.context.IntTy);
  if (test->parameter.empty())
    return makeExpr(Expr::Kind::Literal, test->whenNull ? "0" : "1", truth, {}, rangeOf(expr));
  ExprPtr given = makeExpr(Expr::Kind::Index, test->parameter, truth, {}, rangeOf(expr));
  return test->whenNull ? makeExpr(Expr::Kind::Unary, "!", truth, {given}, given->range) : given;
}

ExprPtr RegionReader::bodyOf(const clang::Expr* expr, RawStatement& statement) {
  const clang::Expr* whole = expr;
  expr = expr->IgnoreParens();
  auto refuse = [&](const std::string& why) {
    if (unsupported.empty()) unsupported = why;
    return nullptr;
  };
  if (const auto* cleanups = llvm::dyn_cast<clang::FullExpr>(expr))
    return bodyOf(cleanups->getSubExpr(), statement);
  if (const auto* cast = llvm::dyn_cast<clang::CastExpr>(expr)) {
    const clang::Expr* inner = cast->getSubExpr();
    if (cast->getCastKind() == clang::CK_LValueToRValue) return loadOf(inner, statement);
    if (expr->getType()->isPointerType() && inner->getType()->isArrayType())
      return refuse("`" + textOf(whole) + "` uses an array as a value");
    if (std::string text = imaginaryText(expr, expr->getType()); !text.empty())
      return leaf(Expr::Kind::Literal, expr, text);
    ExprPtr value = bodyOf(inner, statement);
    if (!value || (llvm::isa<clang::ImplicitCastExpr>(cast) && !convertsComplex(cast))) return value;
    return with(leaf(Expr::Kind::Cast, expr, ""), {value});
  }
  if (llvm::isa<clang::IntegerLiteral>(expr) || llvm::isa<clang::FloatingLiteral>(expr) ||
      llvm::isa<clang::CharacterLiteral>(expr) || llvm::isa<clang::CXXBoolLiteralExpr>(expr)) {
    std::string text = literalText(expr, input.context);
    // One that a rewrite has made stands in no text, or where another one does.
    if (const auto* number = llvm::dyn_cast<clang::IntegerLiteral>(expr); number && !says(text, *number))
      text = constantText(expr, input.context).value_or(text);
    return leaf(Expr::Kind::Literal, expr, text);
  }
  if (llvm::isa<clang::UnaryExprOrTypeTraitExpr>(expr)) {
    if (auto value = constantText(expr, input.context)) return leaf(Expr::Kind::Literal, expr, *value);
    return refuse("`" + textOf(expr) + "` is not a constant");
  }
  if (const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(expr)) {
    if (llvm::isa<clang::EnumConstantDecl>(reference->getDecl()))
      if (auto value = constantText(expr, input.context)) return leaf(Expr::Kind::Literal, expr, *value);
    return refuse("`" + textOf(expr) + "` is used as an address");
  }
  if (std::string text = imaginaryText(expr, expr->getType()); !text.empty())
    return leaf(Expr::Kind::Literal, expr, text);
  if (dependsOnWidth(input.context, expr)) return refuse(fmt::format("`{}` {}", textOf(expr), widthDiffers));
  if (const clang::Expr* complex = takenApart(expr)) return partOf(expr, complex, statement);
  if (const auto* op = llvm::dyn_cast<clang::UnaryOperator>(expr)) {
    switch (op->getOpcode()) {
    case clang::UO_Plus:
    case clang::UO_Minus:
    case clang::UO_Not:
    case clang::UO_LNot: {
      ExprPtr operand = op->getOpcode() == clang::UO_LNot ? truthOf(op->getSubExpr(), statement)
                                                          : bodyOf(op->getSubExpr(), statement);
      if (!operand) return nullptr;
      return with(leaf(Expr::Kind::Unary, expr, clang::UnaryOperator::getOpcodeStr(op->getOpcode()).str()),
                  {operand});
    }
    case clang::UO_PostInc:
    case clang::UO_PostDec:
    case clang::UO_PreInc:
    case clang::UO_PreDec: {
      // The increment itself becomes a statement of its own, after this one.
      Value value = valueOf(expr);
      if (value.polynomial) return closedExpr(expr, *value.polynomial);
      bool simple = op->isPostfix() && llvm::isa<clang::DeclRefExpr>(op->getSubExpr()->IgnoreParens()) &&
                    op->getType()->isIntegerType();
      if (!simple) return refuse("`" + textOf(expr) + "` changes a value inside an expression");
      if (std::find(pendingIncrements.begin(), pendingIncrements.end(), op) == pendingIncrements.end())
        pendingIncrements.push_back(op);
      return accessOf(op->getSubExpr(), Access::Kind::Read, statement);
    }
    case clang::UO_Extension:
      return bodyOf(op->getSubExpr(), statement);
    default:
      return refuse("`" + textOf(expr) + "` is not an arithmetic expression");
    }
  }
  if (const auto* op = llvm::dyn_cast<clang::BinaryOperator>(expr)) {
    if (op->isAssignmentOp()) return refuse("`" + textOf(expr) + "` assigns inside an expression");
    if (op->getOpcode() == clang::BO_Comma) return refuse("`" + textOf(expr) + "` uses the comma operator");
    if (op->isEqualityOp() && !inFunction && pointerTest(op)) return truthOf(op, statement);
    if (!op->isLogicalOp() &&
        (op->getLHS()->getType()->isPointerType() || op->getRHS()->getType()->isPointerType())) {
      if (Value value = op->isComparisonOp() ? Value{} : valueOf(op); value.polynomial)
        return closedExpr(op, *value.polynomial);
      return refuse("`" + textOf(expr) + "` computes with pointers");
    }
    std::string symbol = clang::BinaryOperator::getOpcodeStr(op->getOpcode()).str();
    auto operand = [&](const clang::Expr* one) {
      return op->isLogicalOp() ? truthOf(one, statement) : bodyOf(one, statement);
    };
    ExprPtr left = operand(op->getLHS());
    if (!left) return nullptr;
    isl::set before = when;
    bool conditional = op->isLogicalOp();
    auto affine = conditional ? conditionOf(op->getLHS()) : std::nullopt;
    if (affine)
      when = before.intersect(op->getOpcode() == clang::BO_LAnd ? *affine : affine->complement());
    else if (conditional)
      ++maybe;
    branches += conditional;
    ExprPtr right = operand(op->getRHS());
    branches -= conditional;
    if (conditional && !affine) --maybe;
    when = before;
    if (!right) return nullptr;
    return with(leaf(Expr::Kind::Binary, expr, symbol), {left, right});
  }
  if (const auto* choice = llvm::dyn_cast<clang::ConditionalOperator>(expr))
    return bodyOfConditional(choice, choice->getCond(), choice->getTrueExpr(), choice->getFalseExpr(),
                             statement);
  if (const auto* call = llvm::dyn_cast<clang::CallExpr>(expr)) return bodyOfCall(call, statement);
  if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(expr); member && !member->isArrow()) {
    const auto* field = llvm::dyn_cast<clang::FieldDecl>(member->getMemberDecl());
    ExprPtr base = field ? bodyOf(member->getBase(), statement) : nullptr;
    if (!base) return refuse("`" + textOf(whole) + "` is not a field that can be followed");
    return with(leaf(Expr::Kind::Member, expr, fieldName(field)), {base});
  }
  if (llvm::isa<clang::InitListExpr>(expr)) return initialiserOf(expr, statement);
  return refuse("`" + textOf(whole) + "` is not an expression the model can hold");
}

ExprPtr RegionReader::loadOf(const clang::Expr* place, RawStatement& statement) {
  place = place->IgnoreParens();
  if (const clang::Expr* complex = takenApart(place)) return partOf(place, complex, statement);
  if (ExprPtr local = localPlace(place, statement)) return local;
  if (const auto* literal = llvm::dyn_cast<clang::CompoundLiteralExpr>(place))
    return initialiserOf(literal->getInitializer(), statement);
  if (inFunction) return numberOf(place);
  if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(place);
      member && !member->isArrow() && !member->getBase()->isLValue())
    return bodyOf(place, statement); // of a value
  if (const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(place)) {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(reference->getDecl());
    if (auto loop = loopOfIndex.find(variable); loop != loopOfIndex.end()) {
      // One that is not in the region yet is only looked at.
      const auto id = static_cast<std::size_t>(loop->second);
      bool isKnown = id < region.loops.size();
      return leaf(Expr::Kind::Index, place, isKnown ? region.loops[id].index : variable->getNameAsString());
    }
    if (variable && variable->getType()->isIntegralOrEnumerationType() &&
        !variable->getType().isVolatileQualified()) {
      Value value = valueOfVariable(variable);
      bool changes = contents.written.count(variable) || contents.declared.count(variable);
      if (value.polynomial && !changes) return leaf(Expr::Kind::Index, place, parameterName(variable));
      if (value.polynomial) {
        closedVariables.insert(variable->getNameAsString());
        return closedExpr(place, *value.polynomial);
      }
    }
  }
  // Where only characters may change it, it is an access like others, unless the loops rely on it anyway.
  if (place->getType()->isIntegralOrEnumerationType() && !llvm::isa<clang::DeclRefExpr>(place) &&
      (takenAsFixed.count(pathText(place)) || changeOf(place, contents) == Change::No))
    if (Value value = parameterPath(place); value.polynomial)
      return leaf(Expr::Kind::Index, place, pathText(place));
  return accessOf(place, Access::Kind::Read, statement);
}

} // namespace warploom
