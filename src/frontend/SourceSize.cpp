#include "frontend/SourceSize.h"

#include <clang/AST/Expr.h>
#include <fmt/format.h>
#include <vector>

namespace warploom {

namespace {

/// Operators inside one another: a sum of so many terms is one.
constexpr int deepestExpression = 1500;
/// Elements and fields that one expression mentions.
constexpr int mostPlaces = 1500;
/// `if` inside `if`, a chain of `else if` included.
constexpr int deepestBranch = 64;

struct Node {
  const clang::Stmt* statement;
  const clang::Stmt* whole; ///< the outermost expression around it; null outside expressions
  int operators = 0, branches = 0;
};

} // namespace

std::string whyTooLarge(const clang::Stmt* statement, const clang::Stmt*& at) {
  // With a stack of our own: what is looked for here would overflow the other one.
  std::vector<Node> pending{{statement, nullptr}};
  const clang::Stmt* counted = nullptr;
  int places = 0;
  while (!pending.empty()) {
    Node node = pending.back();
    pending.pop_back();
    if (const auto* expr = llvm::dyn_cast<clang::Expr>(node.statement)) {
      if (!node.whole) node.whole = expr;
      node.operators += !llvm::isa<clang::CastExpr>(expr) && !llvm::isa<clang::ParenExpr>(expr);
      if (counted != node.whole) {
        counted = node.whole;
        places = 0;
      }
      places += llvm::isa<clang::ArraySubscriptExpr>(expr) || llvm::isa<clang::MemberExpr>(expr);
    } else {
      node.branches += llvm::isa<clang::IfStmt>(node.statement);
    }
    at = node.whole ? node.whole : node.statement;
    if (node.operators > deepestExpression)
      return fmt::format("this expression has operators more than {} deep", deepestExpression);
    if (places > mostPlaces)
      return fmt::format("this expression uses more than {} elements of arrays", mostPlaces);
    if (node.branches > deepestBranch)
      return fmt::format("`if`s are nested more than {} deep", deepestBranch);
    for (const clang::Stmt* child : node.statement->children())
      if (child) pending.push_back({child, node.whole, node.operators, node.branches});
  }
  at = nullptr;
  return {};
}

} // namespace warploom
