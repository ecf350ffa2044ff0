// What changes a variable or memory: declarations, assignments, increments and calls.
#include "frontend/ClangText.h"
#include "frontend/RegionReader.h"

#include <algorithm>
#include <fmt/format.h>

namespace warploom {

void RegionReader::readDeclaration(const clang::DeclStmt* declaration) {
  for (const clang::Decl* decl : declaration->decls()) {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl);
    if (!variable) continue; // a type or a prototype
    if (variable->isStaticLocal()) continue;
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
    } else if (init) {
      readOpaque(declaration, "the initialiser of `" + variable->getNameAsString() + "` is not looked into");
    } else if (scalar || variable->getType()->isArrayType()) {
      if (dry > 0) continue;
      RawStatement kill = newStatement(Statement::Kind::Kill, declaration);
      Reach reach;
      reach.root = variable;
      reach.base = variable->getNameAsString();
      clang::QualType type = variable->getType();
      while (const clang::ArrayType* array = input.context.getAsArrayType(type)) {
        std::optional<Polynomial> extent;
        std::string text;
        if (const auto* fixed = llvm::dyn_cast<clang::ConstantArrayType>(array)) {
          extent = Polynomial::constant(static_cast<long>(fixed->getSize().getZExtValue()));
          text = std::to_string(fixed->getSize().getZExtValue());
        } else if (const auto* sized = llvm::dyn_cast<clang::VariableArrayType>(array);
                   sized && sized->getSizeExpr()) {
          extent = valueOf(sized->getSizeExpr()).polynomial;
          text = textOf(sized->getSizeExpr());
        }
        reach.subscripts.emplace_back(std::nullopt);
        reach.indices.emplace_back();
        reach.extents.push_back(extent);
        reach.extentTexts.push_back(text);
        type = array->getElementType();
      }
      MemoryPlace place;
      place.object = objectOf(reach, type);
      place.subscripts = reach.subscripts;
      when = domain;
      addAccess(Access::Kind::Kill, place, declaration, kill);
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

void RegionReader::readAssignment(const clang::Stmt* at, const clang::VarDecl* declared,
                                  const clang::Expr* target, const clang::Expr* value,
                                  const std::string& op) {
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
  } else if (value) {
    // The target of an inner assignment, `a = b = c`, stands here for the value it has got.
    right = value->isLValue() ? loadOf(value, statement) : bodyOf(value, statement);
  } else {
    right = leaf(Expr::Kind::Literal, target, "1");
  }
  bool closed = pointer || known;
  if (closed) closedVariables.insert(variable->getNameAsString());
  if (right && variable) {
    MemoryPlace place;
    place.object = objectOfVariable(variable);
    if (op != "=" && !closed) addAccess(Access::Kind::Read, place, at, statement);
    addAccess(Access::Kind::Write, place, target ? static_cast<const clang::Stmt*>(target) : at, statement);
    auto node = makeExpr(Expr::Kind::Access, objects[place.object].name,
                         modelType(input.context, variable->getType()), {}, rangeOf(at));
    node->access = static_cast<int>(statement.accesses.size()) - 1;
    left = node;
  } else if (right) {
    if (op != "=") {
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
      makeExpr(Expr::Kind::Assign, closed ? "=" : op, left->type, {left, right}, rangeOf(at));
  append(std::move(statement));
  if (variable) assignKnown(variable, next);
  flushIncrements();
}

} // namespace warploom
