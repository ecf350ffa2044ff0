// `for` loops: their shape, and what is read of them.
#include "frontend/ClangText.h"
#include "frontend/RegionReader.h"

#include <algorithm>
#include <fmt/format.h>
#include <isl/aff.h>
#include <isl/set.h>
#include <isl/val.h>

namespace warploom {

namespace {

void splitComma(const clang::Expr* expr, std::vector<const clang::Expr*>& parts) {
  const auto* op = llvm::dyn_cast<clang::BinaryOperator>(expr->IgnoreParens());
  if (op && op->getOpcode() == clang::BO_Comma) {
    splitComma(op->getLHS(), parts);
    splitComma(op->getRHS(), parts);
  } else {
    parts.push_back(expr->IgnoreParens());
  }
}

void splitAnd(const clang::Expr* expr, std::vector<const clang::Expr*>& parts) {
  const clang::Expr* bare = expr->IgnoreParenImpCasts();
  const auto* op = llvm::dyn_cast<clang::BinaryOperator>(bare);
  if (op && op->getOpcode() == clang::BO_LAnd) {
    splitAnd(op->getLHS(), parts);
    splitAnd(op->getRHS(), parts);
  } else {
    parts.push_back(bare);
  }
}

/// Larger steps are not constants for us: no index of a type that C programs loop over takes two of them.
constexpr long largestStep = 1L << 31;

/// The variable that `expr` steps, and by how much; nothing as the amount when that is not a constant.
struct Step {
  const clang::VarDecl* variable = nullptr;
  std::optional<long> amount;
};

Step stepOf(const clang::Expr* expr, const clang::ASTContext& context) {
  auto constant = [&](const clang::Expr* value) -> std::optional<long> {
    clang::Expr::EvalResult result;
    if (!value->EvaluateAsInt(result, context)) return std::nullopt;
    const llvm::APSInt& amount = result.Val.getInt();
    // An unsigned step beyond the signed range counts down by wrapping around.
    if (amount.isUnsigned() ? amount.ugt(largestStep) : amount.sgt(largestStep) || amount.slt(-largestStep))
      return std::nullopt;
    return amount.getExtValue();
  };
  if (const auto* op = llvm::dyn_cast<clang::UnaryOperator>(expr); op && op->isIncrementDecrementOp())
    return {namedVariable(op->getSubExpr()), op->isIncrementOp() ? 1 : -1};
  const auto* op = llvm::dyn_cast<clang::BinaryOperator>(expr);
  if (!op || !op->isAssignmentOp()) return {};
  Step step{namedVariable(op->getLHS()), std::nullopt};
  if (op->getOpcode() == clang::BO_AddAssign) step.amount = constant(op->getRHS());
  if (op->getOpcode() == clang::BO_SubAssign)
    if (auto amount = constant(op->getRHS())) step.amount = -*amount;
  if (op->getOpcode() == clang::BO_Assign) {
    const auto* sum = llvm::dyn_cast<clang::BinaryOperator>(op->getRHS()->IgnoreParenImpCasts());
    if (sum && sum->isAdditiveOp()) {
      bool left = namedVariable(sum->getLHS()) == step.variable;
      bool right = sum->getOpcode() == clang::BO_Add && namedVariable(sum->getRHS()) == step.variable;
      if (left || right) {
        auto amount = constant(left ? sum->getRHS() : sum->getLHS());
        if (amount) step.amount = sum->getOpcode() == clang::BO_Sub ? -*amount : *amount;
      }
    }
  }
  return step;
}

bool mentions(const clang::Stmt* statement, const clang::VarDecl* variable) {
  if (const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(statement))
    return reference->getDecl() == variable;
  return std::any_of(statement->child_begin(), statement->child_end(),
                     [&](const clang::Stmt* child) { return child && mentions(child, variable); });
}

/// True when every `continue` of a loop body is where RegionReader::readList understands it. `tail`: nothing
/// of the iteration follows `list`.
bool continuesAreStructured(const std::vector<const clang::Stmt*>& list, bool tail,
                            CallSummaries& summaries) {
  auto parts = [](const clang::Stmt* s) {
    std::vector<const clang::Stmt*> result;
    if (const auto* block = llvm::dyn_cast_or_null<clang::CompoundStmt>(s))
      result.assign(block->body_begin(), block->body_end());
    else if (s)
      result.push_back(s);
    return result;
  };
  for (std::size_t k = 0; k < list.size(); ++k) {
    const clang::Stmt* s = list[k];
    if (!contentsOf(s, summaries).continues) continue;
    bool last = tail && k + 1 == list.size();
    if (llvm::isa<clang::ContinueStmt>(s)) {
      if (!tail) return false;
    } else if (const auto* branch = llvm::dyn_cast<clang::IfStmt>(s)) {
      auto yes = parts(branch->getThen()), no = parts(branch->getElse());
      auto ends = [](const auto& part) {
        return !part.empty() && llvm::isa<clang::ContinueStmt>(part.back());
      };
      bool moved = tail && (ends(yes) || ends(no));
      if (!continuesAreStructured(yes, last || moved, summaries) ||
          !continuesAreStructured(no, last || moved, summaries))
        return false;
    } else if (llvm::isa<clang::CompoundStmt>(s)) {
      if (!continuesAreStructured(parts(s), last, summaries)) return false;
    } else {
      return false;
    }
  }
  return true;
}

} // namespace

RegionReader::Header RegionReader::headerOf(const clang::ForStmt* loop) const {
  Header header;
  auto problem = [&](const std::string& text) {
    header.problem = text;
    return header;
  };
  if (loop->getConditionVariable()) return problem("the condition of the loop declares a variable");
  if (!loop->getCond()) return problem("the loop has no condition");
  for (const clang::Stmt* part : {loop->getInit(), static_cast<const clang::Stmt*>(loop->getCond()),
                                  static_cast<const clang::Stmt*>(loop->getInc())})
    if (Contents inside = part ? contentsOf(part, input.summaries) : Contents{}; inside.ordered)
      return problem(orderedReason(inside));
  std::vector<const clang::Expr*> steps;
  if (loop->getInc()) splitComma(loop->getInc(), steps);
  splitAnd(loop->getCond(), header.conditions);

  // The index is what the loop steps and compares.
  Step own;
  for (const clang::Expr* part : steps) {
    Step step = stepOf(part, input.context);
    bool compared = step.variable && mentions(loop->getCond(), step.variable);
    if (compared && !own.variable) {
      own = step;
      continue;
    }
    // Further steps are taken before the index is stepped.
    if (own.variable && mentions(part, own.variable))
      return problem(fmt::format("`{}` uses the index after its step", textOf(part)));
    header.after.push_back(part);
  }
  if (!own.variable && steps.empty() && header.conditions.size() == 1) {
    // for (i = n; i-- > 0;)
    const auto* test = llvm::dyn_cast<clang::BinaryOperator>(header.conditions[0]);
    const clang::Expr* left =
        test && test->isComparisonOp() ? test->getLHS()->IgnoreParenImpCasts() : nullptr;
    const auto* count = left ? llvm::dyn_cast<clang::UnaryOperator>(left) : nullptr;
    if (count && count->getOpcode() == clang::UO_PostDec &&
        (test->getOpcode() == clang::BO_GT || test->getOpcode() == clang::BO_NE)) {
      own = {namedVariable(count->getSubExpr()), -1};
      header.countsInCondition = true;
    }
  }
  if (!own.variable) return problem("the loop steps no variable that its condition compares");
  header.index = own.variable;
  header.step = own.amount.value_or(0);
  std::string name = "`" + header.index->getNameAsString() + "`";
  if (own.amount && *own.amount == 0) return problem("the loop steps " + name + " by 0");
  header.isPointer = header.index->getType()->isPointerType();
  const auto* only = llvm::dyn_cast<clang::BinaryOperator>(header.conditions.front());
  const bool isCountable = header.step != 0 && header.conditions.size() == 1 && !header.countsInCondition &&
                           only && only->isComparisonOp() && only->getRHS()->getType()->isPointerType();
  if (!header.index->getType()->isIntegerType() && !(header.isPointer && isCountable))
    return problem("the loop index " + name + " is not an integer");
  if (!header.index->hasLocalStorage() && !contents.unknownCalls.empty())
    return problem("a call in the loop may change the index " + name);
  if (contents.addressTaken.count(header.index))
    return problem("the address of the loop index " + name + " is taken");
  if (loopOfIndex.count(header.index))
    return problem("the loop uses the index " + name + " of a loop around it");
  Contents body = contentsOf(loop->getBody(), input.summaries);
  if (body.written.count(header.index)) return problem("the loop changes its index " + name + " in its body");
  if (!header.countsInCondition && !contentsOf(loop->getCond(), input.summaries).written.empty())
    return problem("the condition of the loop has a side effect");
  if (body.continues && !continuesAreStructured({loop->getBody()}, true, input.summaries))
    return problem("a `continue` of the loop is nested too deeply");

  // Which way the loop runs is the sign of the step; without one, what the comparison suggests.
  header.ascending = header.step > 0;
  if (header.step == 0)
    for (const clang::Expr* condition : header.conditions)
      if (const auto* test = llvm::dyn_cast<clang::BinaryOperator>(condition)) {
        bool left = mentions(test->getLHS(), header.index);
        bool less = test->getOpcode() == clang::BO_LT || test->getOpcode() == clang::BO_LE;
        header.ascending = left == less;
      }

  if (const auto* declaration = llvm::dyn_cast_or_null<clang::DeclStmt>(loop->getInit())) {
    for (const clang::Decl* decl : declaration->decls()) {
      const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl);
      if (variable == header.index)
        header.first = variable->getInit();
      else if (!header.before.empty())
        continue;
      else
        header.before.push_back(declaration);
    }
  } else if (const auto* init = llvm::dyn_cast_or_null<clang::Expr>(loop->getInit())) {
    std::vector<const clang::Expr*> parts;
    splitComma(init, parts);
    for (const clang::Expr* part : parts) {
      const auto* op = llvm::dyn_cast<clang::BinaryOperator>(part);
      if (op && op->getOpcode() == clang::BO_Assign && namedVariable(op->getLHS()) == header.index) {
        header.first = op->getRHS();
        continue;
      }
      // Further initialisations are done before that of the index.
      Contents later = header.first ? contentsOf(part, input.summaries) : Contents{};
      bool matters = header.first && (mentions(part, header.index) || !later.unknownCalls.empty() ||
                                      !later.writtenTypes.empty());
      for (const clang::VarDecl* variable : later.written)
        matters = matters || mentions(header.first, variable);
      if (matters)
        return problem(fmt::format("`{}` comes after the index got its first value", textOf(part)));
      header.before.push_back(part);
    }
  }
  return header;
}

Reach RegionReader::startOf(const Header& header) {
  if (header.first) return reachPointer(header.first);
  auto known = environment.find(header.index);
  return known != environment.end() && known->second.pointer ? *known->second.pointer : Reach{};
}

std::optional<Polynomial> RegionReader::distanceOf(const clang::Expr* left, const clang::Expr* right) {
  const Reach one = reachPointer(left), other = reachPointer(right);
  if (auto apart = distanceAtEntry(one, other)) return apart;
  if (!one.root || one.root != other.root || one.path != other.path || one.pointee != other.pointee ||
      one.partial || other.partial || one.subscripts.size() != other.subscripts.size() ||
      one.subscripts.empty())
    return std::nullopt;
  for (std::size_t k = 0; k < one.subscripts.size(); ++k) {
    if (!one.subscripts[k] || !other.subscripts[k]) return std::nullopt;
    const Polynomial apart = *one.subscripts[k] - *other.subscripts[k];
    if (k + 1 == one.subscripts.size()) return apart;
    if (apart.asConstant() != 0) return std::nullopt;
  }
  return std::nullopt;
}

std::optional<Polynomial> RegionReader::distanceAtEntry(const Reach& one, const Reach& other) {
  auto isPlain = [&](const Reach& reach) {
    return reach.root && reach.pointee && !reach.partial && !reach.rowsArePointers && reach.path.empty() &&
           reach.steps.empty() && reach.root->getType()->isPointerType() && reach.subscripts.size() == 1 &&
           reach.subscripts[0] && reach.root->hasLocalStorage() && !contents.declared.count(reach.root) &&
           !reach.root->getType().isVolatileQualified() && !input.aliasing.isAddressTaken(reach.root);
  };
  if (one.root == other.root || !isPlain(one) || !isPlain(other) ||
      !input.context.hasSameUnqualifiedType(one.root->getType()->getPointeeType(),
                                            other.root->getType()->getPointeeType()))
    return std::nullopt;
  // C compares and subtracts pointers into one array alone. The one that moves is behind the other.
  const bool turned = other.subscripts[0]->asConstant() && !one.subscripts[0]->asConstant();
  const std::string end = (turned ? other : one).root->getNameAsString(),
                    begin = (turned ? one : other).root->getNameAsString();
  const std::string text = fmt::format("({} - {})", end, begin);
  auto [known, isNew] = pointerTests.emplace(text, "");
  if (isNew) {
    known->second = freshParameter(end + "_from_" + begin);
    region.parameters.push_back({known->second, text, modelType(input.context, input.context.LongTy)});
  }
  const Polynomial between = Polynomial::parameter(known->second, true),
                   inside = *one.subscripts[0] - *other.subscripts[0];
  return turned ? inside - between : inside + between;
}

std::string RegionReader::whyNotHeld(const clang::ForStmt* loop, const ReadInput& input) {
  RegionReader reader(input);
  reader.contents = contentsOf(loop, input.summaries);
  return reader.headerOf(loop).problem;
}

void RegionReader::readBody(const clang::ForStmt* loop, const Header& header) {
  when = domain;
  if (const clang::Stmt* body = loop->getBody()) readStatement(body);
  when = domain;
  for (const clang::Expr* step : header.after)
    readExpression(step);
}

void RegionReader::readWord(const clang::ForStmt* loop, int id) {
  if (auto found = directives.find(loop); found != directives.end()) {
    words[id] = found->second;
  } else if (auto around = words.find(region.loops[id].parent);
             around != words.end() && around->second.depth > 1) {
    words[id] = around->second;
    --words[id].depth;
  } else {
    return;
  }
  for (const clang::VarDecl* variable : words[id].fresh)
    declaredIn.emplace(variable, id);
  if (words[id].bounded) words.erase(id);
}

std::string RegionReader::nameForIndex(const clang::VarDecl* index) const {
  std::string name = index->getNameAsString() + (index->getType()->isPointerType() ? "_at" : "");
  auto isTaken = [&] {
    auto known = parameterVariables.find(name);
    return (known != parameterVariables.end() && known->second != index) ||
           std::any_of(loops.begin(), loops.end(),
                       [&](int loop) { return region.loops[loop].index == name; });
  };
  while (isTaken())
    name += "'";
  return name;
}

void RegionReader::readFor(const clang::ForStmt* loop) {
  Header header = headerOf(loop);
  Contents body = contentsOf(loop->getBody(), input.summaries);
  if (!header.problem.empty()) return readOpaque(loop, header.problem);

  for (const clang::Stmt* before : header.before) {
    if (const auto* declaration = llvm::dyn_cast<clang::DeclStmt>(before)) {
      for (const clang::Decl* decl : declaration->decls())
        if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl);
            variable && variable != header.index) {
          if (loops.empty())
            inHeaders.insert(variable);
          else
            declaredIn[variable] = loops.back();
          if (variable->getInit()) readAssignment(declaration, variable, nullptr, variable->getInit(), "=");
        }
    } else if (const auto* expr = llvm::dyn_cast<clang::Expr>(before)) {
      readExpression(expr);
    }
  }
  int id = dry > 0 ? dryLoops++ : static_cast<int>(region.loops.size());
  std::string indexName = loopName(id);

  // Bounds are evaluated again before every iteration: a variable that the loop changes is not known there.
  Environment entry = environment;
  Known start; // of a pointer
  Value first;
  if (header.isPointer) {
    start.pointer = startOf(header);
    if (!start.pointer->root || !start.pointer->subscripts.back() || body.breaks || body.leaves)
      return readOpaque(loop, "where `" + header.index->getNameAsString() + "` points is not known");
    first.polynomial = start.pointer->subscripts.back();
    start.pointer->subscripts.back() = Polynomial::parameter(indexName, false);
    start.pointer->indices.back() = {};
    environment[header.index] = start;
  } else {
    first = header.first ? unwrapped(header.first, valueOf(header.first)) : valueOfVariable(header.index);
  }
  for (const clang::VarDecl* variable : body.written)
    environment.erase(variable);
  for (const clang::Expr* step : header.after)
    for (const clang::VarDecl* variable : contentsOf(step, input.summaries).written)
      environment.erase(variable);
  Bounds bounds = boundsOf(header, body, first, indexName);
  environment = entry;
  if (header.isPointer) {
    if (!bounds.trips)
      return readOpaque(loop, "where `" + header.index->getNameAsString() + "` ends is not known");
    environment[header.index] = start;
  }
  if (!header.first && !first.polynomial && dry == 0) {
    // The loop begins with what the variable holds: that is read here.
    auto& context = const_cast<clang::ASTContext&>(input.context);
    const clang::SourceLocation at = loop->getForLoc();
    auto* variable = const_cast<clang::VarDecl*>(header.index);
    auto* place =
        clang::DeclRefExpr::Create(context, clang::NestedNameSpecifierLoc(), clang::SourceLocation(),
                                   variable, false, at, variable->getType(), clang::VK_LValue);
    readPredicate(clang::ImplicitCastExpr::Create(context, variable->getType().getUnqualifiedType(),
                                                  clang::CK_LValueToRValue, place, nullptr, clang::VK_PRValue,
                                                  clang::FPOptionsOverride()),
                  "first");
  }
  if (dry == 0 && (body.breaks || !bounds.inexact.empty())) readWhole(loop, header, id);
  loopOfIndex[header.index] = id;
  std::map<const clang::VarDecl*, Closed> closed = closedForms(loop, header, bounds, body, indexName);

  Loop model;
  model.parent = loops.empty() ? -1 : loops.back();
  model.depth = static_cast<int>(loops.size()) + 1;
  model.index = dry > 0 ? header.index->getNameAsString() : nameForIndex(header.index);
  model.indexType =
      modelType(input.context, header.isPointer ? input.context.LongTy : header.index->getType());
  model.step = header.step == 0 ? (header.ascending ? 1 : -1) : header.step;
  model.range = rangeOf(loop);
  model.header = sourceRange(input.context, {loop->getForLoc(), loop->getRParenLoc()});
  model.inexactBounds = bounds.inexact;
  const Inlined::StandIn* standIn = input.inlined.standIn(loop);
  model.endsEarly = standIn && standIn->endsEarly;
  model.rarely = standIn && standIn->rarely;

  // The iterations.
  for (auto& [variable, form] : closed) {
    if (form.start)
      environment[variable] = *form.start;
    else
      environment.erase(variable);
  }
  isl::set outside = domain;
  domain = bounds.inside;
  loops.push_back(id);
  position.push_back(0);
  if (dry == 0) {
    region.loops.push_back(model);
    readWord(loop, id);
    sourceLoops.push_back(loop);
    if (!bounds.uncountable.empty()) region.loops[id].mustStaySequential = bounds.uncountable;
    if (body.breaks)
      region.loops[id].mustStaySequential =
          fmt::format("`break` may end the loop (line {})", rangeOf(body.breaks).line);
    if (body.leaves) mustStaySequential(body.leaves, leavingReason(body.leaves));
    for (const clang::Expr* bound : bounds.evaluated)
      readPredicate(bound, "bound");
  }
  bool maySkip = !bounds.inexact.empty() || body.breaks || body.leaves;
  mayNotRun += maySkip;
  readBody(loop, header);
  mayNotRun -= maySkip;
  position.pop_back();
  loops.pop_back();
  domain = outside;
  when = domain;
  loopOfIndex.erase(header.index);
  if (dry == 0) position.back()++;

  // After the loop.
  std::erase_if(environment, [&](const auto& known) { return body.written.count(known.first) > 0; });
  for (auto& [variable, form] : closed) {
    if (form.exit)
      environment[variable] = *form.exit;
    else
      environment.erase(variable);
  }
  const auto* declared = llvm::dyn_cast_or_null<clang::DeclStmt>(loop->getInit());
  const bool ownIndex =
      declared && std::count(declared->decl_begin(), declared->decl_end(), header.index) > 0;
  if (ownIndex) return;
  environment.erase(header.index);
  std::optional<Polynomial> last;
  if (bounds.trips && bounds.first && !body.breaks && !body.leaves)
    last = *bounds.first + Polynomial::linear(*bounds.trips) * Polynomial::constant(header.step);
  // Stepped once more when the loop ends, where an unsigned index wraps around.
  if (last && header.countsInCondition && !header.index->getType()->isSignedIntegerType()) last.reset();
  if (last && header.isPointer) {
    start.pointer->subscripts.back() = last;
    environment[header.index] = start;
  } else if (last) {
    environment[header.index].integer = last;
  }
  if (dry > 0 || standIn || input.mentions.isOnlyLoopIndex(header.index)) return;
  const bool isDead = loops.empty() && header.index->hasLocalStorage() && !input.usedOutside(header.index) &&
                      !input.mentions.mayBeUsedAfter(header.index, loop);
  if ((!last || header.isPointer) && isDead) return;
  RawStatement leave = newStatement(Statement::Kind::Assign, loop);
  leave.model.afterLoop = id;
  leave.model.range = model.header;
  leave.model.text = sourceText(input.context, {loop->getForLoc(), loop->getRParenLoc()});
  MemoryPlace place;
  place.object = objectOfVariable(header.index);
  addAccess(Access::Kind::Write, place, loop, leave);
  leave.accesses.back().range = model.header;
  leave.accesses.back().text = model.index;
  auto target = makeExpr(Expr::Kind::Access, model.index, model.indexType, {}, model.header);
  target->access = 0;
  auto assign = makeExpr(Expr::Kind::Assign, "=", model.indexType, {}, model.header);
  auto affine = last ? last->asAffine() : std::nullopt;
  if (affine && !header.isPointer) {
    assign->operands = {target, affineExpr(loop->getCond(), *affine)};
  } else {
    leave.model.hostOnly = header.isPointer
                               ? "`" + header.index->getNameAsString() + "` may be used after its loop"
                               : "the value of `" + model.index + "` after its loop is not affine";
    leave.accesses.back().kind = Access::Kind::MayWrite;
    assign->operands = {target, leaf(Expr::Kind::Opaque, loop->getCond(), model.index)};
  }
  leave.model.body = assign;
  append(std::move(leave));
}

} // namespace warploom
