#include "frontend/Constructs.h"

#include "frontend/TreeRewrite.h"

#include <algorithm>

namespace warploom {

clang::Stmt* under(const clang::OMPExecutableDirective* directive) {
  // Clang's tree is ours to change.
  return directive->hasAssociatedStmt() ? const_cast<clang::Stmt*>(directive->getRawStmt()) : nullptr;
}

clang::ForStmt* loopUnder(const clang::Stmt* statement) {
  const auto* directive = llvm::dyn_cast<clang::OMPExecutableDirective>(statement);
  clang::Stmt* part = directive ? under(directive) : nullptr;
  for (; part; part = under(directive)) {
    directive = llvm::dyn_cast<clang::OMPExecutableDirective>(part);
    if (!directive) break;
  }
  return llvm::dyn_cast_or_null<clang::ForStmt>(part);
}

std::string nameOf(const clang::OMPExecutableDirective* directive) {
  return llvm::omp::getOpenMPDirectiveName(directive->getDirectiveKind()).str();
}

namespace {

class DataRewrite : public TreeRewrite {
public:
  using TreeRewrite::TreeRewrite;
  bool changed = false;

protected:
  clang::Stmt* rewritten(clang::Stmt* statement) override {
    const auto* data = llvm::dyn_cast<clang::OMPTargetDataDirective>(statement);
    // Some clauses give variables other values in there.
    const bool isPlain =
        data && std::all_of(data->clauses().begin(), data->clauses().end(), [](const auto* clause) {
          return llvm::isa<clang::OMPMapClause, clang::OMPDeviceClause, clang::OMPIfClause>(clause);
        });
    if (!isPlain || !under(data)) return statement;
    changed = true;
    return under(data);
  }
};

} // namespace

void openTargetData(clang::FunctionDecl* function, clang::ASTContext& context) {
  if (!context.getLangOpts().OMPTargetTriples.empty()) return;
  for (bool again = true; again;) { // one may stand in another
    DataRewrite rewrite(function, context);
    rewrite.run();
    again = rewrite.changed;
  }
}

} // namespace warploom
