#include "frontend/OpenMp.h"

#include "frontend/ClangText.h"
#include "frontend/Constructs.h"
#include "frontend/Writes.h"

#include <algorithm>
#include <clang/AST/DeclOpenMP.h>
#include <clang/AST/RecursiveASTVisitor.h>
#include <clang/AST/StmtOpenMP.h>
#include <clang/Basic/SourceManager.h>

namespace warploom {

namespace {

using Variables = std::set<const clang::VarDecl*>;

/// True where a variable of the file has one value per thread.
bool hasThreadPrivate(const clang::ASTContext& context) {
  for (const clang::Decl* declaration : context.getTranslationUnitDecl()->decls())
    if (llvm::isa<clang::OMPThreadPrivateDecl>(declaration)) return true;
  return false;
}

/// True when `loop` names a variable that has one value per thread.
bool usesThreadPrivate(const clang::Stmt* loop) {
  struct Scan : clang::RecursiveASTVisitor<Scan> {
    bool found = false;
    bool VisitDeclRefExpr(clang::DeclRefExpr* one) {
      const auto* variable = llvm::dyn_cast<clang::VarDecl>(one->getDecl());
      found = found || (variable && (variable->hasAttr<clang::OMPThreadPrivateDeclAttr>() ||
                                     variable->getTLSKind() != clang::VarDecl::TLS_None));
      return !found;
    }
  } scan;
  scan.TraverseStmt(const_cast<clang::Stmt*>(loop));
  return scan.found;
}

/// The variable that `expr`, `v` or `v[0:n]`, names.
const clang::VarDecl* variableOf(const clang::Expr* expr) {
  while (const auto* section = llvm::dyn_cast<clang::ArraySectionExpr>(expr->IgnoreParenImpCasts()))
    expr = section->getBase();
  const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(expr->IgnoreParenImpCasts());
  return reference ? llvm::dyn_cast<clang::VarDecl>(reference->getDecl()) : nullptr;
}

template <typename Clause> void addVariables(const Clause* clause, Variables& to) {
  for (const clang::Expr* one : clause->varlists())
    if (const clang::VarDecl* variable = variableOf(one)) to.insert(variable);
}

/// True when `clause` changes nothing about what the loop does with one thread.
bool isHarmless(const clang::ASTContext& context, const clang::OMPClause* clause) {
  auto quiet = [&](const clang::Expr* expr) { return !expr || !expr->HasSideEffects(context); };
  if (const auto* threads = llvm::dyn_cast<clang::OMPNumThreadsClause>(clause))
    return quiet(threads->getNumThreads());
  if (const auto* schedule = llvm::dyn_cast<clang::OMPScheduleClause>(clause))
    return quiet(schedule->getChunkSize());
  if (const auto* schedule = llvm::dyn_cast<clang::OMPDistScheduleClause>(clause))
    return quiet(schedule->getChunkSize());
  if (const auto* condition = llvm::dyn_cast<clang::OMPIfClause>(clause))
    return quiet(condition->getCondition());
  if (const auto* teams = llvm::dyn_cast<clang::OMPNumTeamsClause>(clause))
    return quiet(teams->getNumTeams());
  if (const auto* limit = llvm::dyn_cast<clang::OMPThreadLimitClause>(clause))
    return quiet(limit->getThreadLimit());
  if (const auto* device = llvm::dyn_cast<clang::OMPDeviceClause>(clause)) return quiet(device->getDevice());
  return llvm::isa<clang::OMPPrivateClause, clang::OMPFirstprivateClause, clang::OMPLastprivateClause,
                   clang::OMPReductionClause, clang::OMPSharedClause, clang::OMPDefaultClause,
                   clang::OMPCollapseClause, clang::OMPProcBindClause, clang::OMPSafelenClause,
                   clang::OMPSimdlenClause, clang::OMPAlignedClause, clang::OMPMapClause,
                   clang::OMPBindClause, clang::OMPOrderClause>(clause);
}

/// What a part of a program writes by name.
struct Written : VisitsWrites<Written> {
  Variables variables; ///< arrays and pointers through which it writes, and scalars
  void wrote(const clang::Expr* place) {
    for (place = place->IgnoreParenImpCasts();;) {
      if (const auto* subscript = llvm::dyn_cast<clang::ArraySubscriptExpr>(place))
        place = subscript->getBase()->IgnoreParenImpCasts();
      else if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(place))
        place = member->getBase()->IgnoreParenImpCasts();
      else if (const auto* op = llvm::dyn_cast<clang::UnaryOperator>(place))
        place = op->getSubExpr()->IgnoreParenImpCasts();
      else
        break;
    }
    if (const clang::VarDecl* variable = variableOf(place)) variables.insert(variable);
  }
};

/// Whether the compiler may have another machine in mind for what `target` says.
bool offloads(const clang::ASTContext& context) {
  return !context.getLangOpts().OMPTargetTriples.empty();
}

/// Fills in what `target` does to variables: scalars that no clause names are copies, and what is only mapped
/// to the device does not come back. False when the loop writes such a thing, which then depends on the
/// machine.
bool readTarget(const std::vector<const clang::OMPClause*>& clauses, OpenMpLoop& result) {
  Variables back, there, named = result.privates;
  for (const clang::OMPClause* clause : clauses) {
    if (const auto* map = llvm::dyn_cast<clang::OMPMapClause>(clause)) {
      if (map->isImplicit()) continue;
      const bool returns =
          map->getMapType() == clang::OMPC_MAP_tofrom || map->getMapType() == clang::OMPC_MAP_from;
      for (const clang::Expr* one : map->varlists()) {
        const clang::VarDecl* variable = variableOf(one);
        if (!variable) return false; // a field, which may be mapped by itself
        (returns ? back : there).insert(variable);
      }
    }
    if (const auto* reduction = llvm::dyn_cast<clang::OMPReductionClause>(clause))
      addVariables(reduction, named);
    if (const auto* last = llvm::dyn_cast<clang::OMPLastprivateClause>(clause)) addVariables(last, named);
  }
  Written written;
  written.TraverseStmt(const_cast<clang::ForStmt*>(result.loop));
  for (const clang::VarDecl* variable : written.variables) {
    if (back.count(variable) || named.count(variable)) continue;
    if (there.count(variable)) return false;
    if (variable->getType()->isScalarType() && !variable->getType()->isPointerType())
      result.privates.insert(variable), result.own.insert(variable);
  }
  return true;
}

/// Constructs, one in another with nothing beside it, that stand before a loop: as one they are what they are
/// together.
struct Constructs {
  std::string name;
  const clang::OMPLoopDirective* innermost = nullptr; ///< null: they stand before something else
  std::vector<const clang::OMPClause*> clauses;
  bool isHarmless = true; ///< they change nothing about what the loop does with one thread
};

Constructs constructsAt(const clang::ASTContext& context, const clang::Stmt* statement) {
  Constructs result;
  const auto* directive = llvm::dyn_cast<clang::OMPExecutableDirective>(statement);
  while (directive && !result.innermost) {
    result.name += (result.name.empty() ? "" : " ") + nameOf(directive);
    const bool isShared = directive->getDirectiveKind() == llvm::omp::OMPD_for ||
                          directive->getDirectiveKind() == llvm::omp::OMPD_for_simd;
    for (const clang::OMPClause* clause : directive->clauses()) {
      result.clauses.push_back(clause);
      // What a thread need not wait for is done where there is but one.
      const bool isFree = isShared && llvm::isa<clang::OMPNowaitClause>(clause);
      result.isHarmless =
          result.isHarmless && (clause->isImplicit() || isFree || isHarmless(context, clause));
    }
    result.innermost = llvm::dyn_cast<clang::OMPLoopDirective>(directive);
    const clang::Stmt* part = under(directive);
    directive = part ? llvm::dyn_cast<clang::OMPExecutableDirective>(part) : nullptr;
  }
  return result;
}

} // namespace

std::optional<OpenMpLoop> openMpLoop(const clang::ASTContext& context, const clang::Stmt* statement) {
  const Constructs constructs = constructsAt(context, statement);
  const clang::OMPLoopDirective* directive = constructs.innermost;
  if (!directive || !constructs.isHarmless) return std::nullopt;
  // Of `for` alone, the launcher asks whether other threads are there to share the loop.
  static const std::set<std::string> known = {"simd",
                                              "for",
                                              "parallel for",
                                              "parallel loop",
                                              "teams loop",
                                              "teams distribute",
                                              "teams distribute parallel for",
                                              "target simd",
                                              "target parallel for",
                                              "target parallel loop",
                                              "target teams loop",
                                              "target teams distribute",
                                              "target teams distribute parallel for"};
  OpenMpLoop result;
  std::string name = constructs.name;
  const bool simd = name == "simd" || name.ends_with(" simd"), target = name.starts_with("target");
  result.ofLanes = name == "simd" || name == "target simd";
  if (simd && !result.ofLanes) name.resize(name.size() - std::string(" simd").size());
  if (!known.count(name) || (target && offloads(context))) return std::nullopt;
  result.directive = constructs.name;
  result.line = sourceRange(context, statement).line;
  result.depth = static_cast<int>(directive->getLoopsNumber());
  Variables last;
  for (const clang::OMPClause* clause : constructs.clauses) {
    if (clause->isImplicit()) continue;
    if (const auto* one = llvm::dyn_cast<clang::OMPPrivateClause>(clause)) {
      addVariables(one, result.privates);
      addVariables(one, result.fresh);
    }
    if (const auto* one = llvm::dyn_cast<clang::OMPFirstprivateClause>(clause)) {
      Variables given;
      addVariables(one, given);
      // Of a variable that lives on, the region would be taken to change the one there is.
      if (std::any_of(given.begin(), given.end(), [](const auto* v) { return !v->hasLocalStorage(); }))
        return std::nullopt;
      result.privates.insert(given.begin(), given.end());
    }
    if (const auto* one = llvm::dyn_cast<clang::OMPLastprivateClause>(clause)) addVariables(one, last);
    if (const auto* one = llvm::dyn_cast<clang::OMPReductionClause>(clause)) addVariables(one, result.own);
    if (llvm::isa<clang::OMPSafelenClause>(clause)) result.bounded = true;
  }
  result.own.insert(result.privates.begin(), result.privates.end());
  result.own.insert(last.begin(), last.end());
  const clang::Stmt* body = directive->getRawStmt()->IgnoreContainers();
  result.loop = llvm::dyn_cast<clang::ForStmt>(body);
  if (!result.loop || hasThreadPrivate(context) || usesThreadPrivate(result.loop)) return std::nullopt;
  // Indices are private, too, unless the loop is for `simd`.
  if (!simd)
    for (const clang::Expr* counter : directive->counters())
      if (const clang::VarDecl* variable = variableOf(counter)) result.privates.insert(variable);
  if (target && (result.bounded || !readTarget(constructs.clauses, result))) return std::nullopt;
  const clang::SourceManager& sources = context.getSourceManager();
  std::erase_if(result.privates, [&](const clang::VarDecl* variable) {
    return last.count(variable) ||
           !sources.isBeforeInTranslationUnit(variable->getLocation(), statement->getBeginLoc());
  });
  std::erase_if(result.fresh, [&](const clang::VarDecl* one) { return !result.privates.count(one); });
  return result;
}

const clang::Expr* openMpUpdate(const clang::Stmt* statement) {
  const auto* atomic = llvm::dyn_cast<clang::OMPAtomicDirective>(statement);
  if (!atomic) return nullptr;
  for (const clang::OMPClause* clause : atomic->clauses())
    if (!llvm::isa<clang::OMPUpdateClause, clang::OMPRelaxedClause>(clause)) return nullptr;
  return llvm::dyn_cast<clang::Expr>(atomic->getRawStmt()->IgnoreContainers());
}

} // namespace warploom
