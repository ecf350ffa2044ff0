// The shape of device statements: `meta_schedule { nests }`.
#include "frontend/ForkJoinReader.h"

#include <clang/AST/Expr.h>

namespace warploom {

namespace {

/// The statements directly in `statement`, which may be a block or one of them itself.
std::vector<const clang::Stmt*> parts(const clang::Stmt* statement) {
  if (auto* block = clang::dyn_cast<clang::CompoundStmt>(statement))
    return {block->body_begin(), block->body_end()};
  return {statement};
}

} // namespace

void ForkJoinReader::checkSchedule(const ForkJoinConstruct& construct, const clang::Stmt* body) {
  using namespace clang;
  auto isParallel = [&](const Stmt* statement) {
    auto found =
        isa<ForStmt>(statement) ? statements.find(offset(statement->getBeginLoc())) : statements.end();
    return found != statements.end() && found->second->kind == ForkJoinKind::Loop;
  };
  auto deviceForm = [&](const ForStmt* loop) {
    LoopText read = loopOf(loop);
    SourceRange at = range(clang::SourceRange(loop->getForLoc()));
    auto* condition = dyn_cast<BinaryOperator>(loop->getCond()->IgnoreParenImpCasts());
    const Expr* bound =
        condition ? (read.counterFirst ? condition->getRHS() : condition->getLHS())->IgnoreParenImpCasts()
                  : nullptr;
    auto one = [&] { return read.by.end == 0 || text(read.by) == "1"; };
    if (!read.unusable.empty()) return; // reported where the loop was read
    if (text(read.start) != "0")
      error(at, "a device meta_for begins at 0");
    else if (read.comparison != "<" || !bound || !isa<DeclRefExpr>(bound))
      error(at, "a device meta_for ends before a variable, the size of the grid or the block: `i < n`");
    else if (!read.increases || !one())
      error(at, "a device meta_for steps by 1");
  };
  // Counts the parallel loops of a nest; between the groups only loops may stand.
  auto nest = [&](auto&& self, const Stmt* statement, unsigned& count) -> void {
    for (const Stmt* part : parts(statement)) {
      auto* loop = dyn_cast<ForStmt>(part);
      if (!loop) {
        for (const Stmt* child : part->children())
          if (child && !isa<Expr>(child)) self(self, child, count);
        continue;
      }
      if (isParallel(loop)) {
        ++count;
        deviceForm(loop);
      }
      self(self, loop->getBody(), count);
    }
  };
  auto level = [&](auto&& self, const Stmt* statement) -> void {
    for (const Stmt* part : parts(statement)) {
      auto* loop = dyn_cast<ForStmt>(part);
      if (!loop) {
        error(statementRange(part), "only loop nests may stand directly in meta_schedule");
      } else if (!isParallel(loop)) {
        self(self, loop->getBody());
      } else {
        unsigned count = 0;
        nest(nest, loop, count);
        if (count != 2 && count != 4 && count != 6)
          error(range(clang::SourceRange(loop->getForLoc())),
                "a nest of meta_schedule has 2, 4 or 6 meta_for loops, half for blocks and half for threads; "
                "this one has " +
                    std::to_string(count));
      }
    }
  };
  if (parts(body).empty()) error(construct.keyword, "meta_schedule has no loop nest");
  level(level, body);
}

} // namespace warploom
