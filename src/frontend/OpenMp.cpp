#include "frontend/OpenMp.h"

#include <clang/AST/DeclOpenMP.h>
#include <clang/AST/StmtOpenMP.h>
#include <clang/Basic/SourceManager.h>

namespace warploom {

namespace {

/// True where a variable of the file has one value per thread.
bool hasThreadPrivate(const clang::ASTContext& context) {
  for (const clang::Decl* declaration : context.getTranslationUnitDecl()->decls())
    if (llvm::isa<clang::OMPThreadPrivateDecl>(declaration)) return true;
  return false;
}

template <typename Clause> void addVariables(const Clause* clause, std::set<const clang::VarDecl*>& to) {
  for (const clang::Expr* one : clause->varlists())
    if (const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(one->IgnoreParenImpCasts()))
      if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(reference->getDecl())) to.insert(variable);
}

/// True when `clause` changes nothing about what the loop does with one thread.
bool isHarmless(const clang::ASTContext& context, const clang::OMPClause* clause) {
  auto quiet = [&](const clang::Expr* expr) { return !expr || !expr->HasSideEffects(context); };
  if (const auto* threads = llvm::dyn_cast<clang::OMPNumThreadsClause>(clause))
    return quiet(threads->getNumThreads());
  if (const auto* schedule = llvm::dyn_cast<clang::OMPScheduleClause>(clause))
    return quiet(schedule->getChunkSize());
  if (const auto* condition = llvm::dyn_cast<clang::OMPIfClause>(clause))
    return quiet(condition->getCondition());
  return llvm::isa<clang::OMPPrivateClause, clang::OMPFirstprivateClause, clang::OMPLastprivateClause,
                   clang::OMPReductionClause, clang::OMPSharedClause, clang::OMPDefaultClause,
                   clang::OMPCollapseClause, clang::OMPProcBindClause, clang::OMPSafelenClause,
                   clang::OMPSimdlenClause, clang::OMPAlignedClause>(clause);
}

} // namespace

std::optional<OpenMpLoop> openMpLoop(const clang::ASTContext& context, const clang::Stmt* statement) {
  const auto* directive = llvm::dyn_cast<clang::OMPLoopDirective>(statement);
  if (!directive) return std::nullopt;
  const bool parallel = llvm::isa<clang::OMPParallelForDirective>(directive);
  if (!parallel && !llvm::isa<clang::OMPParallelForSimdDirective>(directive) &&
      !llvm::isa<clang::OMPSimdDirective>(directive))
    return std::nullopt;
  OpenMpLoop result;
  result.directive = llvm::omp::getOpenMPDirectiveName(directive->getDirectiveKind()).str();
  result.depth = static_cast<int>(directive->getLoopsNumber());
  std::set<const clang::VarDecl*> last;
  for (const clang::OMPClause* clause : directive->clauses()) {
    if (clause->isImplicit()) continue;
    if (!isHarmless(context, clause)) return std::nullopt;
    if (const auto* one = llvm::dyn_cast<clang::OMPPrivateClause>(clause)) addVariables(one, result.privates);
    if (const auto* one = llvm::dyn_cast<clang::OMPFirstprivateClause>(clause))
      addVariables(one, result.privates);
    if (const auto* one = llvm::dyn_cast<clang::OMPLastprivateClause>(clause)) addVariables(one, last);
  }
  const clang::Stmt* body = directive->getInnermostCapturedStmt()->getCapturedStmt()->IgnoreContainers();
  result.loop = llvm::dyn_cast<clang::ForStmt>(body);
  if (!result.loop || hasThreadPrivate(context)) return std::nullopt;
  // Indices are private, too, unless the loop is for `simd`.
  if (parallel)
    for (const clang::Expr* counter : directive->counters())
      if (const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(counter->IgnoreParenImpCasts()))
        if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(reference->getDecl()))
          result.privates.insert(variable);
  const clang::SourceManager& sources = context.getSourceManager();
  std::erase_if(result.privates, [&](const clang::VarDecl* variable) {
    return last.count(variable) ||
           !sources.isBeforeInTranslationUnit(variable->getLocation(), directive->getBeginLoc());
  });
  return result;
}

} // namespace warploom
