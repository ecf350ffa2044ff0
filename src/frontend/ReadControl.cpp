// Statements and control flow: lists, `if`, declarations, assignments, and what stays opaque.
#include "frontend/ClangText.h"
#include "frontend/RegionReader.h"

#include <algorithm>
#include <fmt/format.h>
#include <isl/set.h>

namespace warploom {

SourceRange RegionReader::rangeOf(const clang::Stmt* statement) const {
  return sourceRange(input.context, statement->getSourceRange());
}

std::string RegionReader::textOf(const clang::Stmt* statement) const {
  return sourceText(input.context, statement->getSourceRange());
}

void RegionReader::remark(const clang::Stmt* at, const std::string& text) {
  if (dry == 0) region.remarks.push_back({rangeOf(at), text});
}

Region RegionReader::read(const std::vector<const clang::Stmt*>& list) {
  region.function = input.function->getNameAsString();
  region.file = input.file;
  region.marked = input.marked;
  region.context = domain;
  for (const clang::Stmt* statement : list) {
    Contents more = contentsOf(statement, input.summaries);
    contents.written.insert(more.written.begin(), more.written.end());
    contents.addressTaken.insert(more.addressTaken.begin(), more.addressTaken.end());
    contents.declared.insert(more.declared.begin(), more.declared.end());
    contents.referenced.insert(more.referenced.begin(), more.referenced.end());
    contents.writtenTypes.insert(more.writtenTypes.begin(), more.writtenTypes.end());
    contents.unknownCalls.insert(contents.unknownCalls.end(), more.unknownCalls.begin(),
                                 more.unknownCalls.end());
    for (const auto& [type, members] : more.unionMembers)
      contents.unionMembers[type].insert(members.begin(), members.end());
    if (!contents.leaves) contents.leaves = more.leaves;
  }
  // On entry a variable that the region changes has some value: a symbolic size, or the pointer it is.
  for (const clang::VarDecl* variable : contents.written) {
    if (contents.declared.count(variable) || variable->getType().isVolatileQualified()) continue;
    bool hidden = contents.addressTaken.count(variable) ||
                  (!variable->hasLocalStorage() && !contents.unknownCalls.empty());
    if (hidden) continue;
    if (variable->getType()->isIntegralOrEnumerationType()) {
      environment[variable].integer = parameterOf(variable, variable->getType()).polynomial;
    } else if (variable->getType()->isPointerType()) {
      Reach reach;
      reach.root = variable;
      reach.pointee = true;
      reach.subscripts.emplace_back(Polynomial::constant(0));
      reach.indices.push_back(nullptr);
      reach.extents.emplace_back();
      reach.extentTexts.emplace_back();
      environment[variable].pointer = reach;
    }
  }
  seedFromBefore();
  readList(list, 0);
  return finish(list);
}

void RegionReader::seedFromBefore() {
  // `int k = 0;` right before the region: a better start than "whatever k holds". Only expressions that mean
  // the same at the region's entry as where they stand.
  std::set<const clang::VarDecl*> changed = contents.written, decided;
  for (auto at = input.before.rbegin(); at != input.before.rend(); ++at) {
    Contents inside = contentsOf(*at, input.summaries);
    if (!inside.unknownCalls.empty() || inside.leaves) return;
    auto seed = [&](const clang::VarDecl* variable, const clang::Expr* value) {
      if (!value || !variable || !environment.count(variable) || !environment[variable].integer) return;
      Contents used = contentsOf(value, input.summaries);
      bool steady = used.written.empty() && std::none_of(used.referenced.begin(), used.referenced.end(),
                                                         [&](const auto* v) { return changed.count(v) > 0; });
      if (!steady || !value->getType()->isIntegralOrEnumerationType() || decided.count(variable)) return;
      bool narrow =
          input.context.getTypeSize(variable->getType()) < input.context.getTypeSize(value->getType());
      if (Value known = valueOf(value); known.polynomial && (!narrow || known.polynomial->asConstant()))
        environment[variable].integer = known.polynomial;
    };
    if (const auto* declaration = llvm::dyn_cast<clang::DeclStmt>(*at)) {
      for (const clang::Decl* decl : declaration->decls())
        if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl)) seed(variable, variable->getInit());
    } else if (const auto* expr = llvm::dyn_cast<clang::Expr>(*at)) {
      const auto* op = llvm::dyn_cast<clang::BinaryOperator>(expr->IgnoreParens());
      const auto* target = op && op->getOpcode() == clang::BO_Assign
                               ? llvm::dyn_cast<clang::DeclRefExpr>(op->getLHS()->IgnoreParens())
                               : nullptr;
      if (target) seed(llvm::dyn_cast<clang::VarDecl>(target->getDecl()), op->getRHS());
    }
    decided.insert(inside.written.begin(), inside.written.end());
    decided.insert(inside.declared.begin(), inside.declared.end());
    changed.insert(inside.written.begin(), inside.written.end());
  }
}

RawStatement RegionReader::newStatement(Statement::Kind kind, const clang::Stmt* at) const {
  RawStatement statement;
  statement.model.kind = kind;
  statement.model.range = rangeOf(at);
  statement.model.text = textOf(at);
  statement.model.loops = loops;
  statement.domain = domain;
  statement.model.domain = domain; // until finish; isl objects cannot be copied empty
  statement.mayNotRun = mayNotRun > 0 || !guards.empty();
  return statement;
}

void RegionReader::append(RawStatement statement) {
  if (dry > 0) return;
  // What a guard reads comes first, in the order of the guards.
  statement.model.guards.insert(statement.model.guards.begin(), guards.begin(), guards.end());
  int before = static_cast<int>(statement.accesses.size());
  for (ExprPtr& guard : statement.model.guards) {
    const Expr* access = guard->kind == Expr::Kind::Unary ? guard->operands[0].get() : guard.get();
    if (access->kind != Expr::Kind::Access || access->access >= 0) continue;
    auto object =
        std::find_if(objects.begin(), objects.end(), [&](const Object& o) { return o.name == access->text; });
    RawAccess read;
    read.place.object = static_cast<int>(object - objects.begin());
    read.when = statement.domain;
    read.range = access->range;
    read.text = access->text;
    statement.accesses.push_back(read);
    auto numbered = std::make_shared<Expr>(*access);
    numbered->access = before++;
    if (guard->kind == Expr::Kind::Unary) {
      auto negated = std::make_shared<Expr>(*guard);
      negated->operands = {numbered};
      guard = negated;
    } else {
      guard = numbered;
    }
  }
  statement.model.position = position;
  position.back()++;
  statements.push_back(std::move(statement));
}

void RegionReader::readList(const std::vector<const clang::Stmt*>& list, std::size_t from) {
  for (std::size_t k = from; k < list.size(); ++k) {
    // `if (c) { ...; continue; } rest` is `if (c) { ... } else { rest }`.
    if (const auto* branch = llvm::dyn_cast<clang::IfStmt>(list[k]); branch && !branch->hasInitStorage()) {
      auto parts = [](const clang::Stmt* s) {
        std::vector<const clang::Stmt*> result;
        if (const auto* block = llvm::dyn_cast_or_null<clang::CompoundStmt>(s))
          result.assign(block->body_begin(), block->body_end());
        else if (s)
          result.push_back(s);
        return result;
      };
      std::vector<const clang::Stmt*> yes = parts(branch->getThen()), no = parts(branch->getElse());
      auto endsInContinue = [](const std::vector<const clang::Stmt*>& s) {
        return !s.empty() && llvm::isa<clang::ContinueStmt>(s.back());
      };
      std::vector<const clang::Stmt*> rest(list.begin() + static_cast<long>(k) + 1, list.end());
      if (endsInContinue(yes)) {
        yes.pop_back();
        no.insert(no.end(), rest.begin(), rest.end());
        return readIf(branch, branch->getCond(), yes, no);
      }
      if (endsInContinue(no)) {
        no.pop_back();
        yes.insert(yes.end(), rest.begin(), rest.end());
        return readIf(branch, branch->getCond(), yes, no);
      }
      readIf(branch, branch->getCond(), yes, no);
      continue;
    }
    if (llvm::isa<clang::ContinueStmt>(list[k])) return;
    readStatement(list[k]);
  }
}

void RegionReader::readStatement(const clang::Stmt* statement) {
  if (const auto* block = llvm::dyn_cast<clang::CompoundStmt>(statement))
    return readList({block->body_begin(), block->body_end()}, 0);
  if (llvm::isa<clang::IfStmt>(statement)) return readList({statement}, 0);
  if (const auto* loop = llvm::dyn_cast<clang::ForStmt>(statement)) return readFor(loop);
  if (const auto* declaration = llvm::dyn_cast<clang::DeclStmt>(statement))
    return readDeclaration(declaration);
  if (llvm::isa<clang::NullStmt>(statement)) return;
  if (const auto* attributed = llvm::dyn_cast<clang::AttributedStmt>(statement))
    return readStatement(attributed->getSubStmt());
  if (const auto* expr = llvm::dyn_cast<clang::Expr>(statement)) return readExpression(expr);
  if (llvm::isa<clang::BreakStmt>(statement))
    return; // the loop already stays sequential, and its writes are may
  std::string what = "this statement";
  if (llvm::isa<clang::WhileStmt>(statement))
    what = "a `while` loop";
  else if (llvm::isa<clang::DoStmt>(statement))
    what = "a `do` loop";
  else if (llvm::isa<clang::SwitchStmt>(statement))
    what = "a `switch`";
  else if (llvm::isa<clang::ReturnStmt>(statement))
    what = "a `return`";
  else if (llvm::isa<clang::GotoStmt>(statement) || llvm::isa<clang::IndirectGotoStmt>(statement))
    what = "a `goto`";
  else if (llvm::isa<clang::LabelStmt>(statement))
    what = "a label";
  else if (llvm::isa<clang::GCCAsmStmt>(statement))
    what = "inline assembly";
  readOpaque(statement, what + " is not looked into");
}

void RegionReader::forgetWritten(const Contents& inside) {
  for (const clang::VarDecl* variable : inside.written)
    environment.erase(variable);
  if (inside.unknownCalls.empty()) return;
  std::erase_if(environment, [](const auto& entry) { return !entry.first->hasLocalStorage(); });
}

void RegionReader::mustStaySequential(const clang::Stmt* because, const std::string& reason) {
  if (dry > 0) return;
  for (int loop : loops)
    if (region.loops[loop].mustStaySequential.empty())
      region.loops[loop].mustStaySequential = fmt::format("{} (line {})", reason, rangeOf(because).line);
}

void RegionReader::readOpaque(const clang::Stmt* statement, const std::string& reason) {
  Contents inside = contentsOf(statement, input.summaries);
  forgetWritten(inside);
  if (dry > 0) return;
  unsupported.clear();
  RawStatement opaque = newStatement(Statement::Kind::Opaque, statement);
  opaque.model.hostOnly = reason;
  opaque.mayNotRun = true;
  collectAccesses(statement, opaque);
  if (!inside.unknownCalls.empty()) {
    const clang::FunctionDecl* callee = inside.unknownCalls.front()->getDirectCallee();
    mustStaySequential(statement, callee ? fmt::format("`{}` is called, whose effects are not known",
                                                       callee->getNameAsString())
                                         : "a function is called through a pointer");
  }
  if (inside.leaves) mustStaySequential(inside.leaves, leavingReason(inside.leaves));
  if (inside.isVolatile) mustStaySequential(inside.isVolatile, "a volatile variable is used");
  remark(statement, reason);
  opaqueParts.push_back(statement);
  append(std::move(opaque));
}

void RegionReader::readIf(const clang::Stmt* at, const clang::Expr* condition,
                          const std::vector<const clang::Stmt*>& yes,
                          const std::vector<const clang::Stmt*>& no) {
  auto jump = [](const std::vector<const clang::Stmt*>& list) {
    return list.size() == 1 && llvm::isa<clang::BreakStmt>(list[0]);
  };
  Environment before = environment;
  bool quietCondition = contentsOf(condition, input.summaries).written.empty();
  auto affine = quietCondition ? conditionOf(condition) : std::nullopt;
  if (affine) {
    isl::set whole = domain;
    domain = whole.intersect(*affine).coalesce();
    when = domain;
    readList(yes, 0);
    Environment afterYes = std::move(environment);
    environment = before;
    if (!no.empty()) {
      domain = whole.intersect(affine->complement()).coalesce();
      when = domain;
      readList(no, 0);
    }
    domain = whole;
    when = domain;
    // A variable has after the `if` the value of the branch that was taken.
    Environment merged;
    for (const auto& [variable, known] : afterYes) {
      auto other = environment.find(variable);
      if (other == environment.end()) continue;
      if (known.integer && other->second.integer) {
        if (*known.integer == *other->second.integer) {
          merged[variable] = known;
          continue;
        }
        auto a = known.integer->asAffine(), b = other->second.integer->asAffine();
        if (!a || !b) continue;
        isl::pw_aff choice =
            a->intersect_params(*affine).union_add(b->intersect_params(affine->complement()));
        merged[variable].integer = Polynomial::of(choice.coalesce());
      } else if (known.pointer && other->second.pointer) {
        const Reach &a = *known.pointer, &b = *other->second.pointer;
        if (a.root == b.root && a.path == b.path && a.subscripts == b.subscripts) merged[variable] = known;
      }
    }
    environment = std::move(merged);
    return;
  }

  // One assignment under one condition stays together: `if (a[i] > m) m = a[i];`.
  const clang::Expr* only = yes.size() == 1 && no.empty() ? llvm::dyn_cast<clang::Expr>(yes[0]) : nullptr;
  const auto* assignment = only ? llvm::dyn_cast<clang::BinaryOperator>(only->IgnoreParens()) : nullptr;
  if (assignment && assignment->isAssignmentOp() && guards.empty() && dry == 0) {
    RawStatement trial = newStatement(Statement::Kind::Assign, at);
    trial.mayNotRun = true;
    when = domain;
    unsupported.clear();
    ExprPtr test = bodyOf(condition, trial);
    bool quiet = test && pendingIncrements.empty();
    pendingIncrements.clear();
    if (quiet) {
      inlineGuard = test;
      inlineAccesses = trial.accesses;
      ++mayNotRun;
      readExpression(only);
      --mayNotRun;
      inlineGuard = nullptr;
      inlineAccesses.clear();
      // The variable has either value now.
      for (const clang::VarDecl* variable : contentsOf(only, input.summaries).written)
        environment.erase(variable);
      return;
    }
  }

  if (dry == 0) killOverwritten(yes, no, condition);
  std::string predicate = readPredicate(condition, "if");
  if (jump(yes) && no.empty()) return;
  auto branch = [&](const std::vector<const clang::Stmt*>& part, bool holds) {
    auto guard = std::make_shared<Expr>();
    guard->kind = Expr::Kind::Access;
    guard->text = predicate;
    guard->type = modelType(input.context, input.context.IntTy);
    guard->range = rangeOf(condition);
    ExprPtr test = guard;
    if (!holds) {
      auto negated = std::make_shared<Expr>();
      negated->kind = Expr::Kind::Unary;
      negated->text = "!";
      negated->type = guard->type;
      negated->range = guard->range;
      negated->operands = {test};
      test = negated;
    }
    guards.push_back(test);
    readList(part, 0);
    guards.pop_back();
  };
  branch(yes, true);
  Environment afterYes = std::move(environment);
  environment = before;
  if (!no.empty()) branch(no, false);
  std::erase_if(environment, [&](const auto& entry) {
    auto other = afterYes.find(entry.first);
    if (other == afterYes.end()) return true;
    const Known &a = entry.second, &b = other->second;
    if (a.integer && b.integer) return !(*a.integer == *b.integer);
    return !(a.pointer && b.pointer && a.pointer->root == b.pointer->root &&
             a.pointer->path == b.pointer->path && a.pointer->subscripts == b.pointer->subscripts);
  });
}

std::string RegionReader::readPredicate(const clang::Expr* condition, const std::string& purpose) {
  if (dry > 0) {
    forgetWritten(contentsOf(condition, input.summaries));
    return purpose;
  }
  RawStatement test = newStatement(Statement::Kind::Predicate, condition);
  when = domain;
  unsupported.clear();
  test.model.body = bodyOf(condition, test);
  std::vector<const clang::UnaryOperator*> increments = std::move(pendingIncrements);
  pendingIncrements.clear();
  Contents inside = contentsOf(condition, input.summaries);
  if (!test.model.body || !increments.empty()) {
    test.accesses.clear();
    test.model.body = leaf(Expr::Kind::Opaque, condition, textOf(condition));
    test.model.hostOnly = unsupported.empty() ? "the condition has a side effect" : unsupported;
    forgetWritten(inside);
    collectAccesses(condition, test);
    remark(condition, test.model.hostOnly);
    if (!inside.unknownCalls.empty())
      mustStaySequential(condition, "a function with unknown effects is called");
  }
  Place place;
  place.object = predicateObject(purpose, condition);
  addAccess(Access::Kind::Write, place, condition, test);
  std::string name = objects[place.object].name;
  append(std::move(test));
  return name;
}

void RegionReader::killOverwritten(const std::vector<const clang::Stmt*>& yes,
                                   const std::vector<const clang::Stmt*>& no, const clang::Expr* condition) {
  // A scalar that both branches assign first thing has no further use for its old value: kill it before the
  // `if`.
  auto assignedIn = [&](const std::vector<const clang::Stmt*>& list) {
    std::set<const clang::VarDecl*> assigned, read;
    for (const clang::Stmt* s : list) {
      const auto* expr = llvm::dyn_cast<clang::Expr>(s);
      const auto* op = expr ? llvm::dyn_cast<clang::BinaryOperator>(expr->IgnoreParens()) : nullptr;
      if (!op || op->getOpcode() != clang::BO_Assign) break;
      Contents value = contentsOf(op->getRHS(), input.summaries);
      read.insert(value.referenced.begin(), value.referenced.end());
      const auto* target = llvm::dyn_cast<clang::DeclRefExpr>(op->getLHS()->IgnoreParens());
      const auto* variable = target ? llvm::dyn_cast<clang::VarDecl>(target->getDecl()) : nullptr;
      if (variable && !read.count(variable) && variable->hasLocalStorage()) assigned.insert(variable);
    }
    return assigned;
  };
  if (no.empty()) return;
  std::set<const clang::VarDecl*> inYes = assignedIn(yes), inNo = assignedIn(no);
  Contents test = contentsOf(condition, input.summaries);
  RawStatement kill = newStatement(Statement::Kind::Kill, condition);
  for (const clang::VarDecl* variable : inYes)
    if (inNo.count(variable) && !test.referenced.count(variable) && !loopOfIndex.count(variable)) {
      Place place;
      place.object = objectOfVariable(variable);
      addAccess(Access::Kind::Kill, place, condition, kill);
    }
  if (kill.accesses.empty() || kill.mayNotRun) return;
  append(std::move(kill));
}

void RegionReader::readDeclaration(const clang::DeclStmt* declaration) {
  for (const clang::Decl* decl : declaration->decls()) {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl);
    if (!variable) continue; // a type or a prototype
    if (variable->isStaticLocal()) continue;
    if (!loops.empty()) declaredIn[variable] = loops.back();
    environment.erase(variable);
    const clang::Expr* init = variable->getInit();
    bool scalar = variable->getType()->isScalarType() || variable->getType()->isAnyComplexType();
    if (init && scalar) {
      const clang::Expr* bare = init->IgnoreParens();
      if (const auto* list = llvm::dyn_cast<clang::InitListExpr>(bare); list && list->getNumInits() == 1)
        init = list->getInit(0);
      readAssignment(declaration, variable, nullptr, init, "=");
    } else if (init) {
      readOpaque(declaration, "the initialiser of `" + variable->getNameAsString() + "` is not looked into");
    } else if (scalar || variable->getType()->isArrayType()) {
      if (dry > 0) continue;
      RawStatement kill = newStatement(Statement::Kind::Kill, declaration);
      Reach reach;
      reach.root = variable;
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
        reach.indices.push_back(nullptr);
        reach.extents.push_back(extent);
        reach.extentTexts.push_back(text);
        type = array->getElementType();
      }
      Place place;
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
  expr = expr->IgnoreParens();
  if (const auto* cleanups = llvm::dyn_cast<clang::FullExpr>(expr))
    return readExpression(cleanups->getSubExpr());
  if (const auto* op = llvm::dyn_cast<clang::BinaryOperator>(expr)) {
    if (op->isAssignmentOp()) {
      // `a = b = c` assigns from the inside out.
      const clang::Expr* value = op->getRHS();
      if (const auto* inner = llvm::dyn_cast<clang::BinaryOperator>(value->IgnoreParenImpCasts());
          inner && inner->isAssignmentOp() && !inlineGuard) {
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
      // A narrow or unsigned variable holds the value only if it fits.
      bool narrow = input.context.getTypeSize(type) < 32 || type->isUnsignedIntegerType();
      if (result && narrow && declared)
        result = fitting(value, {result, ""}, type).polynomial;
      else if (result && narrow)
        result = fitting(target, {result, ""}, type).polynomial;
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
        reach.indices.back() = nullptr;
      }
      if (reach.root && reach.subscripts.back()) {
        for (auto& index : reach.indices)
          index = nullptr;
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
    right = bodyOf(value, statement);
  } else {
    right = leaf(Expr::Kind::Literal, target, "1");
  }
  bool closed = pointer || known;
  if (closed) closedVariables.insert(variable->getNameAsString());
  if (right && variable) {
    Place place;
    place.object = objectOfVariable(variable);
    if (op != "=" && !closed) addAccess(Access::Kind::Read, place, at, statement);
    addAccess(Access::Kind::Write, place, target ? static_cast<const clang::Stmt*>(target) : at, statement);
    auto node = std::make_shared<Expr>();
    node->kind = Expr::Kind::Access;
    node->type = modelType(input.context, variable->getType());
    node->range = rangeOf(at);
    node->text = objects[place.object].name;
    node->access = static_cast<int>(statement.accesses.size()) - 1;
    left = node;
  } else if (right) {
    if (op != "=") {
      Place place = placeOf(target);
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
  auto body = std::make_shared<Expr>();
  body->kind = Expr::Kind::Assign;
  body->type = left->type;
  body->range = rangeOf(at);
  body->text = closed ? "=" : op;
  body->operands = {left, right};
  statement.model.body = body;
  append(std::move(statement));
  if (variable) assignKnown(variable, next);
  flushIncrements();
}

} // namespace warploom
