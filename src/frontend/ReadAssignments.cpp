// What changes a variable or memory: declarations, assignments, increments and calls.
#include "frontend/ClangText.h"
#include "frontend/RegionReader.h"
#include "frontend/StorageUnits.h"

#include <algorithm>
#include <fmt/format.h>

namespace warploom {

namespace {

/// Makes the assignments that an initialiser stands for.
class Initialiser {
public:
  Initialiser(clang::ASTContext& context, clang::SourceLocation at) : context(context), at(at) {}

  std::vector<std::pair<clang::Expr*, const clang::Expr*>> values; ///< places, and what they become

  /// Adds what `init`, null for zeros, gives to `place`; false where it is not of numbers, or too long.
  bool add(clang::Expr* place, const clang::Expr* init) {
    constexpr std::size_t most = 64; // each is a statement
    const clang::QualType type = place->getType();
    if (init) init = init->IgnoreParens();
    if (init && llvm::isa<clang::ImplicitValueInitExpr>(init)) init = nullptr;
    const auto* list = init ? llvm::dyn_cast<clang::InitListExpr>(init) : nullptr;
    if (list && list->getSemanticForm()) list = list->getSemanticForm();
    if (const auto* array = context.getAsConstantArrayType(type)) {
      const auto count = array->getSize().getZExtValue();
      if ((init && !list) || count > most) return false;
      for (std::uint64_t k = 0; k < count; ++k) {
        const clang::Expr* value = list && k < list->getNumInits() ? list->getInit(static_cast<unsigned>(k))
                                   : list                          ? list->getArrayFiller()
                                                                   : nullptr;
        if (!add(element(place, k, array->getElementType()), value)) return false;
      }
      return true;
    }
    if (const auto* record = type->getAs<clang::RecordType>()) {
      const clang::RecordDecl* fields = record->getDecl()->getDefinition();
      if (!fields || fields->isUnion()) return false;
      if (init && !list) values.emplace_back(place, init); // another struct
      if (init && !list) return values.size() <= most;
      unsigned k = 0;
      for (clang::FieldDecl* field : fields->fields()) {
        if (field->isBitField() || (list && k >= list->getNumInits())) return false;
        auto* part = clang::MemberExpr::CreateImplicit(context, place, false, field, field->getType(),
                                                       clang::VK_LValue, clang::OK_Ordinary);
        if (!add(part, list ? list->getInit(k++) : nullptr)) return false;
      }
      return true;
    }
    if (!type->isArithmeticType() || type.isVolatileQualified()) return false;
    if (list && list->getNumInits() == 1) init = list->getInit(0);
    values.emplace_back(place, init ? init : zero(type));
    return values.size() <= most;
  }

private:
  clang::Expr* number(std::uint64_t value) const {
    const auto bits = static_cast<unsigned>(context.getTypeSize(context.IntTy));
    return clang::IntegerLiteral::Create(context, llvm::APInt(bits, value), context.IntTy, at);
  }
  clang::Expr* zero(clang::QualType type) const {
    if (context.hasSameUnqualifiedType(type, context.IntTy)) return number(0);
    const clang::CastKind kind = type->isAnyComplexType()     ? clang::CK_FloatingRealToComplex
                                 : type->isRealFloatingType() ? clang::CK_IntegralToFloating
                                                              : clang::CK_IntegralCast;
    clang::Expr* value = number(0);
    if (const auto* complex = type->getAs<clang::ComplexType>())
      value = cast(value, clang::CK_IntegralToFloating, complex->getElementType());
    return cast(value, type->isBooleanType() ? clang::CK_IntegralToBoolean : kind, type.getUnqualifiedType());
  }
  clang::Expr* cast(clang::Expr* value, clang::CastKind kind, clang::QualType type) const {
    return clang::ImplicitCastExpr::Create(context, type, kind, value, nullptr, clang::VK_PRValue,
                                           clang::FPOptionsOverride());
  }
  clang::Expr* element(clang::Expr* array, std::uint64_t k, clang::QualType type) const {
    clang::Expr* first =
        cast(array, clang::CK_ArrayToPointerDecay, context.getArrayDecayedType(array->getType()));
    return new (context)
        clang::ArraySubscriptExpr(first, number(k), type, clang::VK_LValue, clang::OK_Ordinary, at);
  }

  clang::ASTContext& context;
  clang::SourceLocation at;
};

} // namespace

bool RegionReader::readElements(const clang::DeclStmt* at, const clang::VarDecl* variable) {
  const Contents inside = contentsOf(variable->getInit(), input.summaries);
  if (inside.ordered || !inside.written.empty() || !inside.unknownCalls.empty() ||
      !input.context.getAsConstantArrayType(variable->getType()))
    return false;
  auto& context = const_cast<clang::ASTContext&>(input.context);
  const clang::SourceLocation place = variable->getLocation();
  Initialiser initialiser(context, place);
  auto* whole = clang::DeclRefExpr::Create(context, {}, {}, const_cast<clang::VarDecl*>(variable), false,
                                           place, variable->getType(), clang::VK_LValue);
  if (!initialiser.add(whole, variable->getInit())) return false;
  for (const auto& [element, value] : initialiser.values)
    readAssignment(at, nullptr, element, value, "=");
  return true;
}

MemoryPlace RegionReader::allOf(const clang::VarDecl* variable) {
  Reach reach;
  reach.root = variable;
  reach.base = input.inlined.nameOf(variable);
  clang::QualType type = variable->getType();
  while (const clang::ArrayType* array = input.context.getAsArrayType(type)) {
    auto [extent, text] = extentOf(type);
    reach.subscripts.emplace_back(std::nullopt);
    reach.indices.emplace_back();
    reach.extents.push_back(extent);
    reach.extentTexts.push_back(text);
    type = array->getElementType();
  }
  MemoryPlace place;
  place.object = objectOf(reach, type);
  place.subscripts = reach.subscripts;
  return place;
}

void RegionReader::readDeclaration(const clang::DeclStmt* declaration) {
  for (const clang::Decl* decl : declaration->decls()) {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl);
    if (!variable) continue; // a type or a prototype
    if (!variable->hasLocalStorage()) {
      // Where the region begins, its name is not known, or another variable's.
      region.fixedText = "`" + variable->getNameAsString() + "` is declared in it and is not its own";
      continue;
    }
    if (!loops.empty()) declaredIn[variable] = loops.back();
    environment.erase(variable);
    const clang::Expr* init = variable->getInit();
    bool scalar = variable->getType()->isScalarType() || variable->getType()->isAnyComplexType() ||
                  variable->getType()->isRecordType();
    if (init && scalar) {
      const clang::Expr* bare = init->IgnoreParens();
      if (const auto* list = llvm::dyn_cast<clang::InitListExpr>(bare);
          list && list->getNumInits() == 1 && !variable->getType()->isRecordType())
        init = list->getInit(0);
      readAssignment(declaration, variable, nullptr, init, "=");
    } else if (init && readElements(declaration, variable)) {
      continue;
    } else if (init) {
      readOpaque(declaration, "the initialiser of `" + variable->getNameAsString() + "` is not looked into");
    } else if (scalar || variable->getType()->isArrayType()) {
      if (dry > 0) continue;
      RawStatement kill = newStatement(Statement::Kind::Kill, declaration);
      when = domain;
      addAccess(Access::Kind::Kill, allOf(variable), declaration, kill);
      kill.accesses.back().place.inexactReason.clear();
      append(std::move(kill));
    }
  }
}

void RegionReader::readExpression(const clang::Expr* expr) {
  if (const clang::Expr* asserted = assertedBy(expr)) return readAssertion(expr, asserted);
  expr = expr->IgnoreParens();
  if (const auto* cleanups = llvm::dyn_cast<clang::FullExpr>(expr))
    return readExpression(cleanups->getSubExpr());
  if (const auto* op = llvm::dyn_cast<clang::BinaryOperator>(expr)) {
    if (op->isAssignmentOp()) {
      // `a = b = c` assigns from the inside out.
      const clang::Expr* value = op->getRHS();
      if (const auto* inner = llvm::dyn_cast<clang::BinaryOperator>(value->IgnoreParenImpCasts());
          inner && inner->isAssignmentOp() && !inlineGuard && incrementsIn(inner->getLHS()).empty()) {
        readExpression(inner);
        return readAssignment(op, nullptr, op->getLHS(), inner->getLHS(), assignmentOperator(op));
      }
      return readAssignment(op, nullptr, op->getLHS(), value, assignmentOperator(op));
    }
    if (op->getOpcode() == clang::BO_Comma && !inlineGuard) {
      readExpression(op->getLHS());
      return readExpression(op->getRHS());
    }
  }
  if (const auto* op = llvm::dyn_cast<clang::UnaryOperator>(expr); op && op->isIncrementDecrementOp())
    return readIncrement(op);
  if (const auto* cast = llvm::dyn_cast<clang::CastExpr>(expr);
      cast && cast->getCastKind() == clang::CK_ToVoid)
    return readExpression(cast->getSubExpr());
  Contents inside = contentsOf(expr, input.summaries);
  if (inside.ordered) return readOpaque(expr, orderedReason(inside));
  bool effect = !inside.unknownCalls.empty() || !inside.written.empty();
  if (!effect && !llvm::isa<clang::CallExpr>(expr)) return; // an expression whose value is thrown away
  std::string reason = "this expression is not looked into";
  if (const auto* call = llvm::dyn_cast<clang::CallExpr>(expr)) {
    std::string why = "is called through a pointer";
    const clang::FunctionDecl* callee = call->getDirectCallee();
    CallEffect calls = callee ? input.summaries.of(callee, &why) : CallEffect::Unknown;
    if (calls == CallEffect::Pure) return;
    if (why.empty()) why = "reads memory that its call does not show";
    reason = fmt::format("`{}` {}", callee ? callee->getNameAsString() : textOf(call->getCallee()), why);
  }
  readOpaque(expr, reason);
}

std::vector<const clang::UnaryOperator*> RegionReader::incrementsIn(const clang::Stmt* part) const {
  std::vector<const clang::UnaryOperator*> found;
  for (const clang::Stmt* child : part->children())
    if (child)
      for (const clang::UnaryOperator* op : incrementsIn(child))
        found.push_back(op);
  if (const auto* op = llvm::dyn_cast<clang::UnaryOperator>(part); op && op->isIncrementDecrementOp())
    found.push_back(op);
  return found;
}

const clang::UnaryOperator* RegionReader::conditionalIncrement(const clang::Stmt* part) const {
  std::vector<const clang::Stmt*> sometimes;
  if (const auto* choice = llvm::dyn_cast<clang::AbstractConditionalOperator>(part))
    sometimes = {choice->getTrueExpr(), choice->getFalseExpr()};
  if (const auto* op = llvm::dyn_cast<clang::BinaryOperator>(part); op && op->isLogicalOp())
    sometimes = {op->getRHS()};
  for (const clang::Stmt* one : sometimes)
    if (auto increments = incrementsIn(one); !increments.empty()) return increments.front();
  for (const clang::Stmt* child : part->children())
    if (const clang::UnaryOperator* found = child ? conditionalIncrement(child) : nullptr) return found;
  return nullptr;
}

std::string RegionReader::assignmentOperator(const clang::BinaryOperator* op) {
  return clang::BinaryOperator::getOpcodeStr(op->getOpcode()).str();
}

void RegionReader::flushIncrements() {
  std::vector<const clang::UnaryOperator*> increments = std::move(pendingIncrements);
  pendingIncrements.clear();
  std::vector<const clang::UnaryOperator*> seen;
  for (const clang::UnaryOperator* op : increments) {
    if (std::find(seen.begin(), seen.end(), op) != seen.end()) continue;
    seen.push_back(op);
    readIncrement(op);
  }
}

bool RegionReader::isSteady(const WrittenSubscript& written) const {
  if (!written.rest || written.others.empty()) return false;
  auto stays = [&](const clang::Expr* expr, const auto& self) -> bool {
    expr = expr->IgnoreParenCasts();
    if (llvm::isa<clang::IntegerLiteral>(expr)) return true;
    if (const auto* op = llvm::dyn_cast<clang::BinaryOperator>(expr))
      return (op->isAdditiveOp() || op->isMultiplicativeOp()) && self(op->getLHS(), self) &&
             self(op->getRHS(), self);
    const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(expr);
    const auto* variable = reference ? llvm::dyn_cast<clang::VarDecl>(reference->getDecl()) : nullptr;
    return variable && variable->hasLocalStorage() && variable->getType()->isIntegerType() &&
           !variable->getType().isVolatileQualified() && !input.aliasing.isAddressTaken(variable) &&
           (contents.written.count(variable) == 0 || loopOfIndex.count(variable) > 0);
  };
  return std::all_of(written.others.begin(), written.others.end(),
                     [&](const clang::Expr* other) { return stays(other, stays); });
}

void RegionReader::assignKnown(const clang::VarDecl* variable, const std::optional<Known>& value) {
  if (value && (value->integer || value->pointer))
    environment[variable] = *value;
  else
    environment.erase(variable);
}

void RegionReader::readIncrement(const clang::UnaryOperator* op) {
  readAssignment(op, nullptr, op->getSubExpr(), nullptr, op->isIncrementOp() ? "+=" : "-=");
}

/// True when `part` uses of `variable` nothing but fields from number `first` on.
static bool usesFieldsFrom(const clang::Stmt* part, const clang::VarDecl* variable, unsigned first) {
  if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(part); member && !member->isArrow()) {
    const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(member->getBase()->IgnoreParens());
    const auto* field = llvm::dyn_cast<clang::FieldDecl>(member->getMemberDecl());
    if (reference && reference->getDecl() == variable) return field && field->getFieldIndex() >= first;
  }
  const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(part);
  return !(reference && reference->getDecl() == variable) &&
         std::all_of(part->child_begin(), part->child_end(), [&](const clang::Stmt* child) {
           return !child || usesFieldsFrom(child, variable, first);
         });
}

bool RegionReader::readFields(const clang::Stmt* at, const clang::Expr* target, const clang::Expr* value) {
  const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(target->IgnoreParens());
  const auto* variable = reference ? llvm::dyn_cast<clang::VarDecl>(reference->getDecl()) : nullptr;
  const auto* type = target->getType()->getAs<clang::RecordType>();
  value = value->IgnoreParenImpCasts();
  if (const auto* literal = llvm::dyn_cast<clang::CompoundLiteralExpr>(value))
    value = literal->getInitializer()->IgnoreParens();
  const auto* list = llvm::dyn_cast<clang::InitListExpr>(value);
  if (!variable || !type || !list || inlineGuard || input.context.getLangOpts().CPlusPlus) return false;
  if (const clang::InitListExpr* semantic = list->getSemanticForm()) list = semantic;
  const clang::RecordDecl* record = type->getDecl()->getDefinition();
  const Contents inside = contentsOf(list, input.summaries);
  if (!record || record->isUnion() || !variable->hasLocalStorage() ||
      variable->getType().isVolatileQualified() || input.aliasing.isAddressTaken(variable) ||
      inside.ordered || !inside.written.empty() || !inside.unknownCalls.empty())
    return false;
  const std::vector<clang::FieldDecl*> fields(record->field_begin(), record->field_end());
  if (fields.size() != list->getNumInits()) return false;
  for (unsigned k = 0; k < fields.size(); ++k)
    if (fields[k]->isBitField() || !fields[k]->getType()->isArithmeticType() ||
        fields[k]->getType().isVolatileQualified() ||
        llvm::isa<clang::ImplicitValueInitExpr>(list->getInit(k)) ||
        !usesFieldsFrom(list->getInit(k), variable, k))
      return false;
  for (unsigned k = 0; k < fields.size(); ++k) {
    auto* field = clang::MemberExpr::CreateImplicit(
        const_cast<clang::ASTContext&>(input.context), const_cast<clang::Expr*>(target), false, fields[k],
        fields[k]->getType(), clang::VK_LValue, clang::OK_Ordinary);
    readAssignment(at, nullptr, field, list->getInit(k), "=");
  }
  return true;
}

void RegionReader::readAssignment(const clang::Stmt* at, const clang::VarDecl* declared,
                                  const clang::Expr* target, const clang::Expr* value,
                                  const std::string& op) {
  // Structs that are made of values are written field by field: so sums of them are sums of numbers.
  if (!declared && value && op == "=" && readFields(at, target, value)) return;
  const clang::VarDecl* variable = declared;
  if (!variable)
    if (const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(target->IgnoreParens()))
      variable = llvm::dyn_cast<clang::VarDecl>(reference->getDecl());
  if (variable && loopOfIndex.count(variable))
    return readOpaque(at, "the loop index `" + variable->getNameAsString() + "` is changed");
  if (Contents inside = contentsOf(at, input.summaries); inside.ordered) {
    if (variable) environment.erase(variable);
    return readOpaque(at, orderedReason(inside));
  }
  if (const clang::UnaryOperator* increment = conditionalIncrement(at)) {
    if (variable) environment.erase(variable);
    return readOpaque(at, "`" + textOf(increment) + "` is done on a condition");
  }

  // What the variable will hold. `value` is null for `++` and `--`, which add or subtract one.
  std::optional<Known> next;
  when = domain;
  if (variable && !variable->getType().isVolatileQualified() && !contents.addressTaken.count(variable)) {
    clang::QualType type = variable->getType();
    auto current = environment.find(variable);
    if (type->isIntegralOrEnumerationType()) {
      Value operand = value ? valueOf(value) : Value{Polynomial::constant(1), ""};
      std::optional<Polynomial> result;
      if (op == "=")
        result = operand.polynomial;
      else if (operand.polynomial && current != environment.end() && current->second.integer) {
        const Polynomial& old = *current->second.integer;
        if (op == "+=")
          result = old + *operand.polynomial;
        else if (op == "-=")
          result = old - *operand.polynomial;
        else if (op == "*=")
          result = old * *operand.polynomial;
      }
      if (result && op == "=" && !value->getType()->isIntegralOrEnumerationType()) result.reset();
      if (result && result->isLost()) result.reset();
      // A narrow or unsigned variable holds the value only if it fits; so does one that is given a value
      // which was computed in another type.
      const bool narrow = input.context.getTypeSize(type) < 32;
      bool converted = false;
      if (const auto* compound = llvm::dyn_cast<clang::CompoundAssignOperator>(at))
        converted = !input.context.hasSameUnqualifiedType(compound->getComputationResultType(), type);
      if (result && (narrow || converted) && !result->asAffine()) result.reset();
      if (result && (narrow || converted || type->isUnsignedIntegerType()))
        result = fitting(declared ? value : target, {result, ""}, type).polynomial;
      if (result) next = Known{result, std::nullopt};
    } else if (type->isPointerType()) {
      Reach reach;
      if (op == "=" && value)
        reach = reachPointer(value);
      else if (current != environment.end() && current->second.pointer) {
        reach = *current->second.pointer;
        Value operand = value ? valueOf(value) : Value{Polynomial::constant(1), ""};
        auto& last = reach.subscripts.back();
        if (!operand.polynomial || !last)
          last = std::nullopt;
        else
          last = op == "+=" ? *last + *operand.polynomial : *last - *operand.polynomial;
        reach.indices.back() = {};
      }
      if (reach.root && (reach.subscripts.back() || isSteady(reach.indices.back()))) {
        for (WrittenSubscript& written : reach.indices)
          written.index = nullptr;
        next = Known{std::nullopt, reach};
      }
    }
  }
  if (dry > 0) {
    pendingIncrements.clear();
    if (variable) assignKnown(variable, next);
    for (const clang::Expr* part : {target, value})
      if (part)
        for (const clang::UnaryOperator* increment : incrementsIn(part))
          readIncrement(increment);
    return;
  }

  RawStatement statement = newStatement(Statement::Kind::Assign, at);
  if (inlineGuard) {
    statement.accesses = inlineAccesses;
    statement.model.guards.push_back(inlineGuard);
  }
  unsupported.clear();
  bool pointer = variable && variable->getType()->isPointerType();
  bool known = next && next->integer && !inlineGuard;
  ExprPtr right, left;
  if (pointer) {
    right = leaf(Expr::Kind::Opaque, value ? value : target, value ? textOf(value) : "1");
    if (!next) statement.model.hostOnly = "where `" + variable->getNameAsString() + "` points is not known";
  } else if (known) {
    right = closedExpr(value ? value : target, *next->integer);
  } else if (dependsOnWidth(input.context, at)) {
    unsupported = fmt::format("`{}` {}", textOf(llvm::cast<clang::Expr>(at)), widthDiffers);
  } else if (value) {
    // The target of an inner assignment, `a = b = c`, stands here for the value it has got.
    right = value->isLValue() ? loadOf(value, statement) : bodyOf(value, statement);
  } else {
    right = leaf(Expr::Kind::Literal, target, "1");
  }
  const bool apart = right && !pointer && !known && isComputedApart(at);
  if (apart) {
    ExprPtr old = accessOf(target, Access::Kind::Read, statement);
    right = old ? computedApart(at, old, right) : nullptr;
  }
  std::string done = apart ? "=" : op;
  bool closed = pointer || known;
  if (closed) closedVariables.insert(variable->getNameAsString());
  if (right && variable) {
    MemoryPlace place;
    place.object = objectOfVariable(variable);
    if (done != "=" && !closed) addAccess(Access::Kind::Read, place, at, statement);
    addAccess(Access::Kind::Write, place, target ? static_cast<const clang::Stmt*>(target) : at, statement);
    auto node = makeExpr(Expr::Kind::Access, objects[place.object].name,
                         modelType(input.context, variable->getType()), {}, rangeOf(at));
    node->access = static_cast<int>(statement.accesses.size()) - 1;
    left = node;
  } else if (const auto unit = right ? unitOf(target) : std::nullopt) {
    right = assignedToUnit(llvm::cast<clang::Expr>(at), target, *unit, op, right, statement);
    left = right ? accessOf(target, Access::Kind::Write, statement) : nullptr;
    done = "=";
  } else if (right) {
    if (done != "=") {
      MemoryPlace place = placeOf(target);
      addAccess(Access::Kind::Read, place, target, statement);
    }
    left = accessOf(target, Access::Kind::Write, statement);
  }
  if (!left || !right) {
    std::string reason = unsupported.empty() ? "this assignment is not looked into" : unsupported;
    pendingIncrements.clear();
    readOpaque(at, reason);
    if (variable) environment.erase(variable);
    return;
  }
  statement.model.body =
      makeExpr(Expr::Kind::Assign, closed ? "=" : done, left->type, {left, right}, rangeOf(at));
  append(std::move(statement));
  if (variable) assignKnown(variable, next);
  flushIncrements();
}

} // namespace warploom
