// The parts of fork-join constructs: calls, loops, OpenMP's directives and clauses, device statements.
#include "frontend/ForkJoinReader.h"

#include <clang/AST/DeclOpenMP.h>
#include <clang/AST/Expr.h>
#include <clang/AST/OpenMPClause.h>
#include <clang/AST/RecursiveASTVisitor.h>

namespace warploom {

namespace {

/// Whether a type is named, or made, inside a function.
class LocalTypes : public clang::RecursiveASTVisitor<LocalTypes> {
public:
  bool found = false;
  bool VisitTagType(clang::TagType* type) {
    const clang::TagDecl* tag = type->getDecl();
    found = found || tag->getParentFunctionOrMethod() ||
            (!tag->getDeclName() && !tag->getTypedefNameForAnonDecl());
    return true;
  }
  bool VisitTypedefType(clang::TypedefType* type) {
    found = found || type->getDecl()->getParentFunctionOrMethod();
    return true;
  }
};

const clang::Stmt* inside(const clang::Stmt* statement) {
  while (auto* captured = clang::dyn_cast_or_null<clang::CapturedStmt>(statement))
    statement = captured->getCapturedStmt();
  return statement;
}

} // namespace

bool ForkJoinReader::isLocalType(clang::QualType type) const {
  LocalTypes types;
  types.TraverseType(type);
  return types.found;
}

DeclarationText ForkJoinReader::declaration(clang::QualType type) const {
  std::string text = "@";
  clang::PrintingPolicy policy(context.getLangOpts());
  policy.AnonymousTagLocations = false;
  type.getAsStringInternal(text, policy);
  return text;
}

/// `expression` can be evaluated by the child as well: it changes nothing, and hangs only on constants and on
/// local variables that the child has copies of, or on where local arrays are. Sets `structured` when an
/// array in a local struct is among them.
bool ForkJoinReader::isLocalValue(const clang::Expr* expression, bool& structured) const {
  using namespace clang;
  expression = expression->IgnoreParens();
  if (isa<IntegerLiteral, FloatingLiteral, CharacterLiteral, StringLiteral>(expression)) return true;
  if (isa<UnaryExprOrTypeTraitExpr>(expression)) return true;
  if (auto* mention = dyn_cast<DeclRefExpr>(expression)) {
    if (isa<EnumConstantDecl, FunctionDecl>(mention->getDecl())) return true;
    auto* variable = dyn_cast<VarDecl>(mention->getDecl());
    return variable && variable->hasLocalStorage();
  }
  if (auto* cast = dyn_cast<CastExpr>(expression)) {
    const Expr* of = cast->getSubExpr()->IgnoreParens();
    if (cast->getCastKind() == CK_ArrayToPointerDecay && isa<MemberExpr>(of)) {
      structured = true;
      return false;
    }
    // Where an array is does not change.
    if (cast->getCastKind() == CK_ArrayToPointerDecay && isa<DeclRefExpr>(of)) return true;
    return isLocalValue(of, structured);
  }
  if (auto* member = dyn_cast<MemberExpr>(expression))
    return !member->isArrow() && isLocalValue(member->getBase(), structured);
  if (auto* unary = dyn_cast<UnaryOperator>(expression))
    return (unary->isArithmeticOp()) && isLocalValue(unary->getSubExpr(), structured);
  if (auto* binary = dyn_cast<BinaryOperator>(expression))
    return !binary->isAssignmentOp() && isLocalValue(binary->getLHS(), structured) &&
           isLocalValue(binary->getRHS(), structured);
  if (auto* choice = dyn_cast<ConditionalOperator>(expression))
    return isLocalValue(choice->getCond(), structured) && isLocalValue(choice->getTrueExpr(), structured) &&
           isLocalValue(choice->getFalseExpr(), structured);
  return false;
}

/// `statement` as `f(a);`, `x = f(a);` or `int x = f(a);`; nothing: it is something else.
std::optional<CallText> ForkJoinReader::callOf(const clang::Stmt* statement) const {
  using namespace clang;
  CallText read;
  if (auto* block = dyn_cast<CompoundStmt>(statement)) {
    if (block->size() != 1 || isa<DeclStmt>(block->body_front())) return std::nullopt;
    return callOf(block->body_front());
  }
  const Expr* value = nullptr;
  bool structured = false;
  if (auto* declared = dyn_cast<DeclStmt>(statement)) {
    auto* variable = declared->isSingleDecl() ? dyn_cast<VarDecl>(declared->getSingleDecl()) : nullptr;
    if (!variable || !variable->hasInit()) return std::nullopt;
    value = variable->getInit();
    read.declares = true;
    read.target = range(clang::SourceRange(variable->getLocation()));
    read.declaration = range(offset(declared->getBeginLoc()), offset(value->getBeginLoc()));
    read.targetType = declaration(variable->getType());
    read.targetLocal = true;
    if (!variable->hasLocalStorage() || variable->getType().isConstQualified())
      read.unusable = "the result of a fork cannot be kept in a constant or in a new static variable";
  } else if (auto* expression = dyn_cast<Expr>(statement)) {
    value = expression->IgnoreParens();
    if (auto* assignment = dyn_cast<BinaryOperator>(value);
        assignment && assignment->getOpcode() == BO_Assign) {
      const Expr* target = assignment->getLHS()->IgnoreParens();
      read.target = range(target->getSourceRange());
      read.targetType = declaration(target->getType().getUnqualifiedType());
      if (auto* mention = dyn_cast<DeclRefExpr>(target)) {
        read.targetVariable = indexOf(mention->getDecl());
        read.targetGlobal = !read.targetVariable;
        read.targetLocal = true;
      } else if (auto* element = dyn_cast<ArraySubscriptExpr>(target)) {
        read.targetLocal =
            isLocalValue(element->getBase(), structured) && isLocalValue(element->getIdx(), structured);
      }
      value = assignment->getRHS();
    }
  }
  const CallExpr* call = value ? dyn_cast<CallExpr>(value->IgnoreParenImpCasts()) : nullptr;
  if (!call) return std::nullopt;
  if (call->getBuiltinCallee()) {
    // A library function that Clang knows is a function all the same; one of the compiler's own is not.
    auto* callee = call->getDirectCallee();
    if (!callee || callee->getName().starts_with("__builtin")) return std::nullopt;
  }
  read.call = range(call->getSourceRange());
  read.callee = range(call->getCallee()->getSourceRange());
  auto* direct = dyn_cast<DeclRefExpr>(call->getCallee()->IgnoreParenImpCasts());
  read.direct = direct && isa<FunctionDecl>(direct->getDecl());
  QualType pointer = call->getCallee()->getType();
  if (!pointer->isPointerType()) pointer = context.getPointerType(pointer);
  read.calleeType = declaration(pointer);
  auto* prototype = pointer->getPointeeType()->getAs<FunctionProtoType>();
  for (unsigned k = 0; k < call->getNumArgs(); ++k) {
    CallArgument argument;
    argument.range = range(call->getArg(k)->getSourceRange());
    QualType type =
        prototype && k < prototype->getNumParams() ? prototype->getParamType(k) : call->getArg(k)->getType();
    argument.type = type->isVariablyModifiedType() ? "void *@" : declaration(type.getUnqualifiedType());
    argument.local = isLocalValue(call->getArg(k), structured);
    read.arguments.push_back(argument);
  }
  read.structured = structured;
  return read;
}

/// `loop` as one that counts; `unusable` says why it is none.
LoopText ForkJoinReader::loopOf(const clang::ForStmt* loop) const {
  using namespace clang;
  LoopText read;
  read.body = statementRange(loop->getBody());
  read.bodyIsBlock = isa<CompoundStmt>(loop->getBody());
  read.header = range(endOffset(loop->getLParenLoc()), offset(loop->getRParenLoc()));
  const VarDecl* counter = nullptr;
  auto refuse = [&](const char* why) {
    read.unusable = why;
    return read;
  };
  if (auto* declared = dyn_cast_or_null<DeclStmt>(loop->getInit())) {
    if (!declared->isSingleDecl()) return refuse("its header declares one counter, and nothing else");
    counter = dyn_cast<VarDecl>(declared->getSingleDecl());
    if (!counter || !counter->hasInit()) return refuse("its header begins with `i = first`");
    read.declaresCounter = true;
    read.start = range(counter->getInit()->getSourceRange());
  } else if (auto* assignment = dyn_cast_or_null<BinaryOperator>(loop->getInit());
             assignment && assignment->getOpcode() == BO_Assign) {
    auto* mention = dyn_cast<DeclRefExpr>(assignment->getLHS()->IgnoreParens());
    counter = mention ? dyn_cast<VarDecl>(mention->getDecl()) : nullptr;
    if (counter) read.start = range(assignment->getRHS()->getSourceRange());
  }
  if (!counter) return refuse("its header begins with `i = first`");
  if (!counter->getType()->isIntegerType() && !counter->getType()->isPointerType())
    return refuse("its counter is a whole number or a pointer");
  read.counter = counter->getNameAsString();
  read.counterType = declaration(counter->getType().getUnqualifiedType());
  read.counterIsPointer = counter->getType()->isPointerType();
  read.counterVariable = indexOf(counter);
  auto isCounter = [&](const Expr* expression) {
    auto* mention = dyn_cast<DeclRefExpr>(expression->IgnoreParenImpCasts());
    return mention && mention->getDecl() == counter;
  };
  auto* condition =
      dyn_cast_or_null<BinaryOperator>(loop->getCond() ? loop->getCond()->IgnoreParenImpCasts() : nullptr);
  if (!condition || !(condition->isRelationalOp() || condition->getOpcode() == BO_NE) ||
      isCounter(condition->getLHS()) == isCounter(condition->getRHS()))
    return refuse("its condition compares the counter by <, <=, >, >= or != with a bound");
  read.condition = range(condition->getSourceRange());
  read.counterFirst = isCounter(condition->getLHS());
  read.bound = range((read.counterFirst ? condition->getRHS() : condition->getLHS())->getSourceRange());
  BinaryOperatorKind comparison = condition->getOpcode();
  if (!read.counterFirst && comparison != BO_NE) comparison = BinaryOperator::reverseComparisonOp(comparison);
  read.comparison = BinaryOperator::getOpcodeStr(comparison).str();
  const Expr* step = loop->getInc() ? loop->getInc()->IgnoreParens() : nullptr;
  const Expr* by = nullptr;
  bool known = false;
  if (auto* unary = dyn_cast_or_null<UnaryOperator>(step);
      unary && unary->isIncrementDecrementOp() && isCounter(unary->getSubExpr())) {
    known = true;
    read.increases = unary->isIncrementOp();
  } else if (auto* binary = dyn_cast_or_null<BinaryOperator>(step); binary && isCounter(binary->getLHS())) {
    if (binary->getOpcode() == BO_AddAssign || binary->getOpcode() == BO_SubAssign) {
      known = true;
      read.increases = binary->getOpcode() == BO_AddAssign;
      by = binary->getRHS();
    } else if (auto* sum = binary->getOpcode() == BO_Assign
                               ? dyn_cast<BinaryOperator>(binary->getRHS()->IgnoreParenImpCasts())
                               : nullptr) {
      bool add = sum->getOpcode() == BO_Add, subtract = sum->getOpcode() == BO_Sub;
      read.plainStep = false;
      if ((add || subtract) && isCounter(sum->getLHS()))
        by = sum->getRHS();
      else if (add && isCounter(sum->getRHS()))
        by = sum->getLHS();
      known = by != nullptr;
      read.increases = add;
    }
  }
  if (!known) return refuse("its step adds to, or subtracts from, the counter");
  read.step = range(step->getSourceRange());
  if (by) read.by = range(by->getSourceRange());
  bool up = read.comparison == "<" || read.comparison == "<=";
  // A step whose sign is known only at run time, as `i += -2`, is taken as it is written.
  if (read.comparison != "!=" && up != read.increases) {
    Expr::EvalResult value;
    bool negative = by && by->EvaluateAsInt(value, context) && value.Val.getInt().isNegative();
    if (!negative) return refuse("its step goes towards the bound");
  }
  return read;
}

SourceRange ForkJoinReader::replicatedIn(const clang::Stmt* body) const {
  using namespace clang;
  auto* block = dyn_cast<CompoundStmt>(body);
  if (!block) return isa<OMPExecutableDirective, NullStmt>(body) ? SourceRange() : statementRange(body);
  for (const Stmt* child : block->body()) {
    if (isa<CompoundStmt>(child)) {
      SourceRange found = replicatedIn(child);
      if (found.valid()) return found;
    } else if (!isa<OMPExecutableDirective, NullStmt, DeclStmt>(child)) {
      return statementRange(child);
    }
  }
  return {};
}

ClauseText ForkJoinReader::clauseOf(const clang::OMPClause* clause) const {
  using namespace clang;
  ClauseText read;
  read.kind = llvm::omp::getOpenMPClauseName(clause->getClauseKind()).str();
  if (clause->getBeginLoc().isValid() && !clause->isImplicit())
    read.range = range(clang::SourceRange(clause->getBeginLoc(), clause->getEndLoc()));
  auto names = [&](auto* list) {
    for (const Expr* expression : list->varlists()) {
      auto* mention = dyn_cast<DeclRefExpr>(expression->IgnoreParenImpCasts());
      auto* variable = mention ? dyn_cast<VarDecl>(mention->getDecl()) : nullptr;
      if (!variable) {
        read.unusable = "a part of an array";
        continue;
      }
      read.names.push_back(variable->getNameAsString());
      read.variables.push_back(indexOf(variable));
      read.types.push_back(declaration(variable->getType().getUnqualifiedType()));
    }
  };
  auto expression = [&](const Expr* value) {
    auto* kept = value ? dyn_cast<DeclRefExpr>(value->IgnoreParenImpCasts()) : nullptr;
    if (auto* captured = kept ? dyn_cast<OMPCapturedExprDecl>(kept->getDecl()) : nullptr)
      value = captured->getInit();
    if (value) read.expression = range(value->IgnoreImpCasts()->getSourceRange());
  };
  if (auto* list = dyn_cast<OMPPrivateClause>(clause))
    names(list);
  else if (auto* list = dyn_cast<OMPFirstprivateClause>(clause))
    names(list);
  else if (auto* list = dyn_cast<OMPLastprivateClause>(clause)) {
    names(list);
    if (list->getKindLoc().isValid()) read.unusable = "conditional";
  } else if (auto* list = dyn_cast<OMPSharedClause>(clause))
    names(list);
  else if (auto* list = dyn_cast<OMPReductionClause>(clause)) {
    names(list);
    read.operation = list->getNameInfo().getAsString();
    if (read.operation.starts_with("operator")) read.operation = read.operation.substr(8);
    // A reduction by functions of the user's: combine(&omp_out, &omp_in), identity(&omp_priv).
    for (const Decl* one : context.getTranslationUnitDecl()->decls()) {
      auto* declared = dyn_cast<OMPDeclareReductionDecl>(one);
      if (!declared || declared->getNameAsString() != read.operation) continue;
      auto callee = [&](const Expr* value, unsigned operands) {
        auto* call = value ? dyn_cast<CallExpr>(value->IgnoreParenImpCasts()) : nullptr;
        bool plain = call && call->getNumArgs() == operands && call->getDirectCallee();
        for (unsigned k = 0; plain && k < operands; ++k) {
          auto* address = dyn_cast<UnaryOperator>(call->getArg(k)->IgnoreParenImpCasts());
          auto* mention = address ? dyn_cast<DeclRefExpr>(address->getSubExpr()->IgnoreParens()) : nullptr;
          const char* expected = operands == 1 ? "omp_priv" : k == 0 ? "omp_out" : "omp_in";
          plain = mention && mention->getDecl()->getName() == expected;
        }
        return plain ? call->getDirectCallee()->getNameAsString() : std::string();
      };
      read.combine = callee(declared->getCombiner(), 2);
      read.identity = callee(declared->getInitializer(), 1);
    }
    if (list->getModifier() != OMPC_REDUCTION_unknown && list->getModifier() != OMPC_REDUCTION_default)
      read.unusable = "a modifier";
  } else if (auto* schedule = dyn_cast<OMPScheduleClause>(clause)) {
    read.operation = getOpenMPSimpleClauseTypeName(llvm::omp::OMPC_schedule, schedule->getScheduleKind());
    expression(schedule->getChunkSize());
  } else if (auto* collapse = dyn_cast<OMPCollapseClause>(clause))
    expression(collapse->getNumForLoops());
  else if (auto* grain = dyn_cast<OMPGrainsizeClause>(clause))
    expression(grain->getGrainsize());
  else if (auto* condition = dyn_cast<OMPIfClause>(clause))
    expression(condition->getCondition());
  return read;
}

void ForkJoinReader::directive(const clang::OMPExecutableDirective* directive, bool inBlock) {
  using namespace clang;
  ForkJoinConstruct construct;
  construct.kind = ForkJoinKind::Directive;
  construct.name = "omp " + llvm::omp::getOpenMPDirectiveName(directive->getDirectiveKind()).str();
  if (directive->getBeginLoc().isMacroID() ||
      result.source.compare(offset(directive->getBeginLoc()), 1, "#") != 0)
    error(range(clang::SourceRange(directive->getBeginLoc())),
          construct.name + " made by _Pragma is not supported");
  // The line ends before its line end, and before a comment at its end too.
  std::size_t first = offset(directive->getBeginLoc()), last = first;
  while (last < result.source.size() && result.source[last] != '\n') {
    if (result.source[last] == '\\' && (result.source.compare(last + 1, 1, "\n") == 0)) ++last;
    if (result.source.compare(last, 3, "\\\r\n") == 0) last += 2;
    ++last;
  }
  if (last > first && result.source[last - 1] == '\r') --last;
  construct.keyword = range(first, last);
  const Stmt* body = directive->hasAssociatedStmt() ? inside(directive->getRawStmt()) : nullptr;
  construct.statement = range(first, std::max(last, statementEnd(directive)));
  if (body) {
    construct.body = statementRange(body);
    construct.bodyIsBlock = isa<CompoundStmt>(body);
    construct.call = callOf(body);
    construct.replicated = replicatedIn(body);
  }
  std::size_t loops = 1;
  for (const OMPClause* clause : directive->clauses()) {
    construct.clauses.push_back(clauseOf(clause));
    if (auto* collapse = dyn_cast<OMPCollapseClause>(clause)) {
      Expr::EvalResult value;
      if (collapse->getNumForLoops()->EvaluateAsInt(value, context))
        loops = std::size_t(value.Val.getInt().getExtValue());
    }
  }
  std::vector<const ForStmt*> nest;
  for (const Stmt* at = body;
       isOpenMPLoopDirective(directive->getDirectiveKind()) && at && nest.size() < loops;) {
    if (auto* block = dyn_cast<CompoundStmt>(at)) at = block->size() == 1 ? block->body_front() : nullptr;
    auto* loop = dyn_cast_or_null<ForStmt>(at);
    if (!loop) {
      if (at && isa<CompoundStmt>(at)) continue;
      break;
    }
    if (auto* declared = dyn_cast_or_null<DeclStmt>(loop->getInit()))
      for (const Decl* one : declared->decls())
        if (auto* variable = dyn_cast<VarDecl>(one)) declare(variable);
    nest.push_back(loop);
    at = loop->getBody();
  }
  for (std::size_t k = 0; k < nest.size(); ++k)
    k == 0 ? void(construct.loop = loopOf(nest[k])) : construct.collapsed.push_back(loopOf(nest[k]));
  unsigned index = begin(construct, inBlock);
  for (const OMPClause* clause : directive->clauses())
    if (auto* schedule = dyn_cast<OMPScheduleClause>(clause)) uses(schedule->getChunkSize(), false, false);
  if (!body) return;
  if (nest.empty()) return walkInside(body, {Frame::Fork, int(index)});
  open.push_back(index);
  for (const ForStmt* loop : nest) {
    walk(loop->getInit(), true);
    uses(loop->getCond(), false, false);
    uses(loop->getInc(), false, false);
  }
  frames.push_back({Frame::ParallelLoop, int(index)});
  walk(nest.back()->getBody(), false);
  frames.pop_back();
  open.pop_back();
}

} // namespace warploom
