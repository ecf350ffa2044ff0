#include "frontend/Repetitions.h"

#include "frontend/ClangText.h"
#include "frontend/RegionFinder.h"
#include "frontend/TreeRewrite.h"

#include <algorithm>
#include <clang/AST/RecursiveASTVisitor.h>
#include <clang/AST/StmtOpenMP.h>
#include <fmt/format.h>
#include <map>
#include <optional>

namespace warploom {

namespace {

const clang::VarDecl* integerIn(const clang::Expr* expr) {
  const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(expr->IgnoreParenImpCasts());
  const auto* variable = reference ? llvm::dyn_cast<clang::VarDecl>(reference->getDecl()) : nullptr;
  return variable && variable->getType()->isIntegerType() && !variable->getType().isVolatileQualified()
             ? variable
             : nullptr;
}

/// The variables that `part` mentions.
std::set<const clang::ValueDecl*> mentioned(const clang::Stmt* part) {
  std::set<const clang::ValueDecl*> found;
  anyPart(part, [&](const clang::Stmt* one) {
    if (const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(one)) found.insert(reference->getDecl());
    return false;
  });
  return found;
}

/// True when `variable` has a value wherever it is known.
bool isSet(const clang::VarDecl* variable) {
  return variable &&
         (llvm::isa<clang::ParmVarDecl>(variable) || variable->hasGlobalStorage() || variable->hasInit());
}

/// True when `expr` may be computed once more, before the loop: it calls nothing and changes nothing. Where
/// the loop may not compute it at all (`!runs`), it has to be a number, or a variable that has a value.
bool isHarmless(const clang::Expr* expr, bool runs, const clang::ASTContext& context) {
  if (!expr->getType()->isIntegerType() || expr->HasSideEffects(context)) return false;
  if (!runs) return expr->isIntegerConstantExpr(context) || isSet(integerIn(expr));
  return !anyPart(expr, [&](const clang::Stmt* one) {
    const auto* op = llvm::dyn_cast<clang::BinaryOperator>(one);
    const auto* load = llvm::dyn_cast<clang::UnaryOperator>(one);
    const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(one);
    const auto* member = llvm::dyn_cast<clang::MemberExpr>(one);
    return (op && !op->isAdditiveOp() && op->getOpcode() != clang::BO_Mul) ||
           (load && load->getOpcode() != clang::UO_Minus) || llvm::isa<clang::ArraySubscriptExpr>(one) ||
           llvm::isa<clang::CallExpr>(one) || (reference && reference->getType().isVolatileQualified()) ||
           (member && member->getType().isVolatileQualified());
  });
}

/// Whether `part` steps `variable` up, 1, or down, -1; 0: it does neither.
int directionOf(const clang::Stmt* part, const clang::VarDecl* variable) {
  int direction = 0;
  if (part)
    anyPart(part, [&](const clang::Stmt* one) {
      if (const auto* op = llvm::dyn_cast<clang::UnaryOperator>(one);
          op && op->isIncrementDecrementOp() && integerIn(op->getSubExpr()) == variable)
        direction = op->isIncrementOp() ? 1 : -1;
      const auto* op = llvm::dyn_cast<clang::BinaryOperator>(one);
      if (op && integerIn(op->getLHS()) == variable && op->getOpcode() == clang::BO_AddAssign) direction = 1;
      if (op && integerIn(op->getLHS()) == variable && op->getOpcode() == clang::BO_SubAssign) direction = -1;
      return direction != 0;
    });
  return direction;
}

/// True when control leaves the loop from inside `body`, which a `break` does unless it is another's.
bool leaves(const clang::Stmt* body, bool ownBreaks = true) {
  if (!body || llvm::isa<clang::Expr>(body)) return false;
  if (llvm::isa<clang::ReturnStmt>(body) || llvm::isa<clang::GotoStmt>(body)) return true;
  if (llvm::isa<clang::BreakStmt>(body)) return ownBreaks;
  if (llvm::isa<clang::ForStmt>(body) || llvm::isa<clang::WhileStmt>(body) ||
      llvm::isa<clang::DoStmt>(body) || llvm::isa<clang::SwitchStmt>(body))
    ownBreaks = false;
  return std::any_of(body->child_begin(), body->child_end(),
                     [&](const clang::Stmt* child) { return leaves(child, ownBreaks); });
}

/// The tests that all have to hold for `condition`.
void collectTests(const clang::Expr* condition, std::vector<const clang::Expr*>& tests) {
  const clang::Expr* inside = condition->IgnoreParenImpCasts();
  const auto* both = llvm::dyn_cast<clang::BinaryOperator>(inside);
  if (both && both->getOpcode() == clang::BO_LAnd) {
    collectTests(both->getLHS(), tests);
    collectTests(both->getRHS(), tests);
  } else {
    tests.push_back(inside);
  }
}

/// The parts of a loop that say how often it runs.
struct Header {
  const clang::Stmt* init = nullptr;
  const clang::Expr* condition = nullptr;
  const clang::Stmt* step = nullptr; ///< with the step of the variable in it, somewhere
  const clang::Stmt* body = nullptr;
};

std::optional<Header> headerOf(const clang::Stmt* statement) {
  if (const auto* loop = llvm::dyn_cast<clang::ForStmt>(statement))
    return Header{loop->getInit(), loop->getCond(), loop->getInc(), loop->getBody()};
  if (const auto* loop = llvm::dyn_cast<clang::WhileStmt>(statement))
    return Header{nullptr, loop->getCond(), statement, loop->getBody()};
  return std::nullopt;
}

/// What `header` sets `variable` to at first; null when it is set before. Nothing when more is set there.
std::optional<const clang::Expr*> startOf(const clang::Stmt* init, const clang::VarDecl* variable) {
  if (!init) return nullptr;
  if (const auto* declared = llvm::dyn_cast<clang::DeclStmt>(init))
    return declared->isSingleDecl() && declared->getSingleDecl() == variable && variable->getInit()
               ? std::optional(variable->getInit())
               : std::nullopt;
  const auto* set = llvm::dyn_cast<clang::BinaryOperator>(init);
  if (set && set->getOpcode() == clang::BO_Assign && integerIn(set->getLHS()) == variable)
    return set->getRHS();
  return std::nullopt;
}

/// How often the loop runs by one of its tests, as a C expression; empty when that does not tell. `isFirst`:
/// no other test comes before it.
std::string countBy(const clang::Expr* test, bool isFirst, const Header& header,
                    const clang::ASTContext& context) {
  const auto* op = llvm::dyn_cast<clang::BinaryOperator>(test);
  if (!op || !op->isComparisonOp() || op->getOpcode() == clang::BO_EQ) return {};
  const clang::Expr* bound = op->getRHS();
  const clang::VarDecl* variable = integerIn(op->getLHS());
  if (!variable || !header.step) return {};
  const int direction = directionOf(header.step, variable);
  const auto start = startOf(header.init, variable);
  if (direction == 0 || !start || !isHarmless(bound, isFirst, context) || mentioned(bound).count(variable))
    return {};
  if (*start && (!isHarmless(*start, true, context) || mentioned(*start).count(variable))) return {};
  if (!*start && !isFirst && !isSet(variable)) return {};
  const std::string end = sourceText(context, bound),
                    begin = *start ? sourceText(context, *start) : variable->getNameAsString();
  const std::string &more = direction > 0 ? end : begin, &less = direction > 0 ? begin : end;
  if ((more + less).find("//") != std::string::npos) return {}; // the rest of the line would be a comment
  return less == "0" ? more : fmt::format("(double)({}) - ({})", more, less);
}

/// Which functions are called where.
class CallScan : public clang::RecursiveASTVisitor<CallScan> {
public:
  explicit CallScan(const clang::SourceManager& sources) : sources(sources) {}
  std::set<const clang::FunctionDecl*> called;
  bool callsOthers = false;

  bool VisitCallExpr(clang::CallExpr* call) {
    const clang::FunctionDecl* callee = call->getDirectCallee();
    if (!callee) return true;
    if (const clang::FunctionDecl* defined = callee->getDefinition())
      called.insert(defined->getCanonicalDecl());
    else if (callee->getBuiltinID() == 0 && !sources.isInSystemHeader(callee->getLocation()))
      callsOthers = true;
    return true;
  }

private:
  const clang::SourceManager& sources;
};

class RepetitionScan : public clang::RecursiveASTVisitor<RepetitionScan> {
public:
  RepetitionScan(const clang::ASTContext& context, std::vector<Repetition>& result)
      : context(context), result(result) {}
  const clang::FunctionDecl* function = nullptr;
  std::map<const clang::FunctionDecl*, std::set<const clang::FunctionDecl*>> calls;

  /// Directives of OpenMP want their loops as they are.
  bool TraverseStmt(clang::Stmt* statement) {
    return llvm::isa_and_nonnull<clang::OMPExecutableDirective>(statement) ||
           clang::RecursiveASTVisitor<RepetitionScan>::TraverseStmt(statement);
  }

  bool VisitStmt(clang::Stmt* statement) {
    const auto header = headerOf(statement);
    const clang::SourceManager& sources = context.getSourceManager();
    const clang::SourceRange range(statement->getBeginLoc(), endOf(statement));
    if (!header || !header->condition || range.getBegin().isMacroID() || range.getEnd().isMacroID() ||
        !sources.isInMainFile(range.getBegin()) || !sources.isInMainFile(range.getEnd()))
      return true;
    std::vector<const clang::Expr*> tests;
    collectTests(header->condition, tests);
    Repetition found;
    for (const clang::Expr* test : tests)
      if (found.count.empty()) found.count = countBy(test, test == tests.front(), *header, context);
    if (found.count.empty()) return true;
    found.mayEndSooner = tests.size() > 1 || leaves(header->body);
    found.range = sourceRange(context, range);
    CallScan scan(sources);
    scan.TraverseStmt(const_cast<clang::Stmt*>(header->body));
    found.callsOtherFiles = scan.callsOthers && function->isMain();
    close(scan.called);
    for (const clang::FunctionDecl* called : scan.called)
      found.calls.insert(called->getNameAsString());
    result.push_back(std::move(found));
    return true;
  }

private:
  /// Adds the functions that those call.
  void close(std::set<const clang::FunctionDecl*>& called) const {
    std::vector<const clang::FunctionDecl*> next(called.begin(), called.end());
    while (!next.empty()) {
      const clang::FunctionDecl* one = next.back();
      next.pop_back();
      if (const auto found = calls.find(one); found != calls.end())
        for (const clang::FunctionDecl* further : found->second)
          if (called.insert(further).second) next.push_back(further);
    }
  }

  const clang::ASTContext& context;
  std::vector<Repetition>& result;
};

} // namespace

std::vector<Repetition> repetitions(const clang::ASTContext& context) {
  std::vector<Repetition> result;
  RepetitionScan scan(context, result);
  const std::vector<const clang::FunctionDecl*> functions = definedFunctions(context);
  for (const clang::FunctionDecl* function : functions) {
    CallScan calls(context.getSourceManager());
    calls.TraverseStmt(function->getBody());
    scan.calls[function->getCanonicalDecl()] = std::move(calls.called);
  }
  for (const clang::FunctionDecl* function : functions) {
    scan.function = function;
    scan.TraverseStmt(function->getBody());
  }
  return result;
}

} // namespace warploom
