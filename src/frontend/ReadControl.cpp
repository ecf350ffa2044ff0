// Statements and control flow: lists, `if`, predicates, and what stays opaque.
#include "frontend/ClangText.h"
#include "frontend/Constructs.h"
#include "frontend/OpenMp.h"
#include "frontend/RegionReader.h"

#include <algorithm>
#include <fmt/format.h>
#include <isl/set.h>

namespace warploom {

SourceRange RegionReader::rangeOf(const clang::Stmt* statement) const {
  return sourceRange(input.context, statement);
}

std::string RegionReader::textOf(const clang::Stmt* statement) const {
  return sourceText(input.context, statement);
}

void RegionReader::remark(const clang::Stmt* at, const std::string& text) {
  if (dry == 0) region.remarks.push_back({rangeOf(at), text});
}

Region RegionReader::read(const std::vector<const clang::Stmt*>& list) {
  region.function = input.function->getNameAsString();
  region.file = fileOf(input.context, list.front(), input.file);
  region.marked = input.marked;
  region.context = domain;
  std::vector<const clang::ForStmt*> forLoops;
  for (const clang::Stmt* statement : list) {
    Contents more = contentsOf(statement, input.summaries);
    contents.written.insert(more.written.begin(), more.written.end());
    contents.addressTaken.insert(more.addressTaken.begin(), more.addressTaken.end());
    contents.declared.insert(more.declared.begin(), more.declared.end());
    contents.referenced.insert(more.referenced.begin(), more.referenced.end());
    contents.writtenTypes.insert(more.writtenTypes.begin(), more.writtenTypes.end());
    contents.writtenPlaces.insert(contents.writtenPlaces.end(), more.writtenPlaces.begin(),
                                  more.writtenPlaces.end());
    contents.writesBytes |= more.writesBytes;
    contents.unknownCalls.insert(contents.unknownCalls.end(), more.unknownCalls.begin(),
                                 more.unknownCalls.end());
    for (const auto& [type, members] : more.sharing)
      contents.sharing[type].insert(members.begin(), members.end());
    if (!contents.leaves) contents.leaves = more.leaves;
    forLoops.insert(forLoops.end(), more.forLoops.begin(), more.forLoops.end());
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
      reach.base = input.inlined.nameOf(variable);
      reach.pointee = true;
      reach.subscripts.emplace_back(Polynomial::constant(0));
      reach.indices.emplace_back();
      reach.extents.emplace_back();
      reach.extentTexts.emplace_back();
      environment[variable].pointer = reach;
    }
  }
  seedFromBefore(forLoops);
  takeGiven();
  directives = input.directives;
  readList(list, 0);
  return finish(list);
}

void RegionReader::takeGiven() {
  for (const auto& [condition, holds] : input.given) {
    const std::size_t known = region.conditions.size();
    auto set = conditionOf(condition);
    // What is true only if something else is tested first is not worth the test.
    if (region.conditions.size() > known)
      region.conditions.erase(region.conditions.begin() + static_cast<long>(known), region.conditions.end());
    else if (set)
      region.context = region.context.intersect(holds ? *set : set->complement());
  }
}

void RegionReader::seedFromBefore(const std::vector<const clang::ForStmt*>& forLoops) {
  // `int k = 0;` right before the region: a better start than "whatever k holds". Only expressions that mean
  // the same at the region's entry as where they stand.
  std::set<const clang::VarDecl*> changed = contents.written, changedBefore, decided, inHeader;
  for (const clang::ForStmt* loop : forLoops)
    for (const clang::Stmt* part : {loop->getInit(), static_cast<const clang::Stmt*>(loop->getCond()),
                                    static_cast<const clang::Stmt*>(loop->getInc())})
      if (part) inHeader.merge(contentsOf(part, input.summaries).referenced);
  std::vector<std::pair<const clang::VarDecl*, const clang::Expr*>> pointers;
  // A variable that the region only reads means what it was given: a number, unless that is a size, which
  // stays a symbol, or a place in an array that the region uses by another name, too.
  auto seedConstant = [&](const clang::VarDecl* variable, const clang::Expr* value) {
    const bool own =
        variable && !contents.written.count(variable) && !decided.count(variable) &&
        !input.aliasing.isAddressTaken(variable) && !variable->getType().isVolatileQualified() &&
        !environment.count(variable) &&
        (variable->hasLocalStorage() ||
         (contents.unknownCalls.empty() && !contents.writesBytes && !contents.mayWrite(variable->getType())));
    if (!own || !value) return;
    const Contents used = contentsOf(value, input.summaries);
    // Of a pointer that the region changes it is known what it is on entry.
    const auto& others = variable->getType()->isPointerType() ? changedBefore : changed;
    if (!used.written.empty() || !used.unknownCalls.empty() ||
        std::any_of(used.referenced.begin(), used.referenced.end(),
                    [&](const auto* v) { return others.count(v) > 0 && !v->getType()->isArrayType(); }))
      return;
    if (variable->getType()->isPointerType()) {
      if (contents.referenced.count(variable)) pointers.emplace_back(variable, value);
    } else if (variable->getType()->isIntegerType() && !inHeader.count(variable)) {
      if (Value known = valueOf(value); known.polynomial && known.polynomial->asConstant()) {
        parameterOf(variable, variable->getType()); // for subscripts that are written as they stand
        environment[variable].integer = known.polynomial;
      }
    }
  };
  for (auto at = input.before.rbegin(); at != input.before.rend(); ++at) {
    Contents inside = contentsOf(*at, input.summaries);
    if (!inside.unknownCalls.empty() || inside.leaves) break;
    auto seed = [&](const clang::VarDecl* variable, const clang::Expr* value) {
      seedConstant(variable, value);
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
        // A static variable is given a value once, not whenever the declaration is passed.
        if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl);
            variable && (!variable->isStaticLocal() || variable->getType().isConstQualified()))
          seed(variable, variable->getInit());
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
    changedBefore.insert(inside.written.begin(), inside.written.end());
  }
  for (const auto& [variable, value] : pointers) {
    Reach reach = reachPointer(value);
    if (reach.root && reach.root != variable && contents.referenced.count(reach.root) && reach.why.empty())
      environment[variable].pointer = reach;
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

RawStatement RegionReader::guarded(RawStatement statement) const {
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
  return statement;
}

void RegionReader::append(RawStatement statement) {
  if (dry > 0) return;
  statement = guarded(std::move(statement));
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
  if (const clang::Stmt* once = onceIn(statement)) return readStatement(once);
  if (auto directive = openMpLoop(input.context, statement);
      directive && std::all_of(directive->privates.begin(), directive->privates.end(),
                               [&](const auto* one) { return input.mentions.isOnlyLoopIndex(one); })) {
    const clang::ForStmt* loop = directive->loop;
    directives[loop] = std::move(*directive);
    return readFor(loop);
  }
  if (const clang::Expr* update = openMpUpdate(statement)) {
    const std::size_t before = statements.size();
    readExpression(update);
    for (std::size_t k = before; k < statements.size(); ++k)
      for (const RawAccess& access : statements[k].accesses)
        if (access.kind == Access::Kind::Write || access.kind == Access::Kind::MayWrite)
          updated.insert(access.place.object);
    return;
  }
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
  else if (const auto* directive = llvm::dyn_cast<clang::OMPExecutableDirective>(statement))
    what = "`#pragma omp " + nameOf(directive) + "`";
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

void RegionReader::readAssertion(const clang::Stmt* at, const clang::Expr* condition) {
  when = domain;
  auto holds = conditionOf(condition);
  if (holds && assume(Condition::Kind::InBounds, holds->complement(), rangeOf(at))) return;
  mustStaySequential(at, "an assertion may end the program");
  readOpaque(at, "an assertion cannot be decided before the loops run");
}

std::string RegionReader::orderedReason(const Contents& inside) const {
  return fmt::format("`{}` {}", textOf(inside.ordered->IgnoreParens()), inside.whyOrdered);
}

void RegionReader::readOpaque(const clang::Stmt* statement, const std::string& reason) {
  Contents inside = contentsOf(statement, input.summaries);
  forgetWritten(inside);
  if (dry > 0) return;
  unsupported.clear();
  RawStatement opaque = newStatement(Statement::Kind::Opaque, statement);
  // What is declared in code of its own is known there alone.
  const auto* declaration = llvm::dyn_cast<clang::DeclStmt>(statement);
  opaque.model.code = loops.empty() || declaration ? nullptr : codeOf(statement, opaque);
  opaque.mayNotRun = true;
  if (!opaque.model.code) {
    opaque.model.hostOnly = reason;
    collectAccesses(statement, opaque);
    if (declaration)
      for (const clang::Decl* one : declaration->decls())
        if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(one);
            variable && variable->getInit() && variable->hasLocalStorage())
          addAccess(Access::Kind::MayWrite, allOf(variable), statement, opaque);
  }
  if (!inside.unknownCalls.empty()) {
    const clang::FunctionDecl* callee = inside.unknownCalls.front()->getDirectCallee();
    mustStaySequential(statement, callee ? fmt::format("`{}` is called, whose effects are not known",
                                                       callee->getNameAsString())
                                         : "a function is called through a pointer");
  }
  if (inside.leaves) mustStaySequential(inside.leaves, leavingReason(inside.leaves));
  if (inside.ordered) mustStaySequential(inside.ordered, orderedReason(inside));
  remark(statement, reason);
  opaqueParts.emplace_back(statement, reason);
  append(std::move(opaque));
}

void RegionReader::readIf(const clang::Stmt* at, const clang::Expr* condition,
                          const std::vector<const clang::Stmt*>& yes,
                          const std::vector<const clang::Stmt*>& no) {
  auto jump = [](const std::vector<const clang::Stmt*>& list) {
    return list.size() == 1 && llvm::isa<clang::BreakStmt>(list[0]);
  };
  Environment before = environment;
  Contents inCondition = contentsOf(condition, input.summaries);
  bool quietCondition = inCondition.written.empty() && !inCondition.ordered;
  auto affine = quietCondition ? conditionOf(condition) : std::nullopt;
  if (affine) {
    isl::set whole = domain;
    domain = whole.intersect(*affine).coalesce();
    when = domain;
    ++branches;
    readList(yes, 0);
    Environment afterYes = std::move(environment);
    environment = before;
    if (!no.empty()) {
      domain = whole.intersect(affine->complement()).coalesce();
      when = domain;
      readList(no, 0);
    }
    --branches;
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
        // Of two subscripts that are no polynomials it is not known whether they are the same.
        const bool isKnown = std::all_of(a.subscripts.begin(), a.subscripts.end(),
                                         [](const auto& subscript) { return subscript.has_value(); });
        if (isKnown && a.root == b.root && a.path == b.path && a.subscripts == b.subscripts)
          merged[variable] = known;
      }
    }
    environment = std::move(merged);
    return;
  }

  // One assignment under one condition stays together: `if (a[i] > m) m = a[i];`.
  const clang::Expr* only = yes.size() == 1 && no.empty() ? llvm::dyn_cast<clang::Expr>(yes[0]) : nullptr;
  const auto* assignment = only ? llvm::dyn_cast<clang::BinaryOperator>(only->IgnoreParens()) : nullptr;
  bool ordered = inCondition.ordered || (only && contentsOf(only, input.summaries).ordered);
  if (assignment && assignment->isAssignmentOp() && guards.empty() && dry == 0 && !ordered) {
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
    const Type truth = modelType(input.context, input.context.IntTy);
    ExprPtr test = makeExpr(Expr::Kind::Access, predicate, truth, {}, rangeOf(condition));
    if (!holds) test = makeExpr(Expr::Kind::Unary, "!", truth, {test}, test->range);
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
  test.model.body = truthOf(condition, test);
  // What is remembered of it is an int, as which 0.5 and 1L << 32 would be false.
  const clang::QualType tested = condition->getType();
  if (test.model.body && purpose == "if" && !tested->isPointerType() && !tested->isAnyComplexType() &&
      (!tested->isIntegerType() ||
       input.context.getTypeSize(tested) > input.context.getTypeSize(input.context.IntTy)))
    test.model.body = makeExpr(Expr::Kind::Cast, "", modelType(input.context, input.context.BoolTy),
                               {test.model.body}, rangeOf(condition));
  std::vector<const clang::UnaryOperator*> increments = std::move(pendingIncrements);
  pendingIncrements.clear();
  Contents inside = contentsOf(condition, input.summaries);
  if (inside.ordered) unsupported = orderedReason(inside);
  if (!test.model.body || !increments.empty() || inside.ordered) {
    test.accesses.clear();
    test.model.body = leaf(Expr::Kind::Opaque, condition, textOf(condition));
    test.model.hostOnly = unsupported.empty() ? "the condition has a side effect" : unsupported;
    forgetWritten(inside);
    collectAccesses(condition, test);
    // A predicate only finds out. What its condition changes is done by a statement before it.
    auto writes = [](const RawAccess& access) {
      return access.kind != Access::Kind::Read && access.kind != Access::Kind::MayRead;
    };
    if (std::any_of(test.accesses.begin(), test.accesses.end(), writes)) {
      RawStatement effects = newStatement(Statement::Kind::Opaque, condition);
      effects.mayNotRun = true;
      effects.model.hostOnly = test.model.hostOnly;
      effects.accesses = test.accesses;
      append(std::move(effects));
      std::erase_if(test.accesses, writes);
    }
    remark(condition, test.model.hostOnly);
    if (!inside.unknownCalls.empty())
      mustStaySequential(condition, "a function with unknown effects is called");
    if (inside.ordered) mustStaySequential(inside.ordered, unsupported);
  }
  MemoryPlace place;
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
      MemoryPlace place;
      place.object = objectOfVariable(variable);
      addAccess(Access::Kind::Kill, place, condition, kill);
    }
  if (kill.accesses.empty() || kill.mayNotRun) return;
  append(std::move(kill));
}

} // namespace warploom
