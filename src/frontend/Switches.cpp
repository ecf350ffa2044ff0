#include "frontend/Switches.h"

#include "frontend/Jumps.h"
#include "frontend/TreeRewrite.h"

#include <algorithm>

namespace warploom {

namespace {

/// Longer chains are too deep for those who read them.
constexpr std::size_t mostGroups = 24;
/// Nodes of a condition that is written once for each label.
constexpr int largestCondition = 12;
/// Nodes of what one label falls through to.
constexpr int largestFall = 150;

/// Labels, and what stands behind them up to the next ones.
struct Group {
  std::vector<const clang::CaseStmt*> cases;
  bool isDefault = false;
  StatementList statements;
};

class SwitchRewrite : public TreeRewrite {
public:
  SwitchRewrite(clang::FunctionDecl* function, clang::ASTContext& context, Inlined& inlined)
      : TreeRewrite(function, context), inlined(inlined) {}

private:
  clang::Stmt* rewritten(clang::Stmt* statement) override {
    auto* choice = llvm::dyn_cast<clang::SwitchStmt>(statement);
    if (!choice || choice->hasInitStorage() || choice->hasVarStorage()) return statement;
    if (around.empty() && anyPart(choice->getBody(), isLoop)) return statement;
    clang::Stmt* chain = chainOf(choice);
    return chain ? chain : statement;
  }

  /// The groups of `choice`; none where labels stand elsewhere than in its list.
  static std::vector<Group> groupsOf(clang::SwitchStmt* choice) {
    std::vector<Group> groups;
    std::size_t labels = 0, found = 0;
    for (const clang::SwitchCase* one = choice->getSwitchCaseList(); one; one = one->getNextSwitchCase())
      ++labels;
    bool afterLabel = false;
    for (clang::Stmt* statement : partsOf(choice->getBody())) {
      while (auto* label = llvm::dyn_cast<clang::SwitchCase>(statement)) {
        if (!afterLabel) groups.emplace_back();
        afterLabel = true;
        ++found;
        if (auto* one = llvm::dyn_cast<clang::CaseStmt>(label))
          groups.back().cases.push_back(one);
        else
          groups.back().isDefault = true;
        statement = label->getSubStmt();
      }
      // What is declared here is known behind other labels, too.
      if (groups.empty() || llvm::isa<clang::DeclStmt>(statement)) return {};
      afterLabel = false;
      groups.back().statements.push_back(statement);
    }
    return labels == found ? groups : std::vector<Group>{};
  }

  clang::Stmt* chainOf(clang::SwitchStmt* choice) {
    std::vector<Group> groups = groupsOf(choice);
    if (groups.empty() || groups.size() > mostGroups) return nullptr;
    const std::set<const clang::Stmt*> breaks = jumpsOf(choice->getBody(), clang::Stmt::BreakStmtClass);
    std::vector<StatementList> bodies;
    for (std::size_t k = 0; k < groups.size(); ++k) {
      auto body = bodyOf(groups, k, breaks);
      if (!body) return nullptr;
      bodies.push_back(std::move(*body));
    }
    AstCopy make(context, function, choice->getSourceRange());
    StatementList result;
    clang::Expr* value = choice->getCond();
    const bool repeats = nodesOf(value, largestCondition + 1) <= largestCondition && isSteady(value, context);
    clang::VarDecl* chosen = nullptr;
    if (!repeats) {
      chosen = make.newVariable("chosen", value->getType().getUnqualifiedType());
      if (!chosen) return nullptr;
      chosen->setInit(value);
      result.push_back(make.declare(chosen));
      inlined.variables.insert(chosen);
      inlined.parts.insert(result.back());
    }
    clang::Stmt* chain = nullptr;
    for (std::size_t k = 0; k < groups.size(); ++k)
      if (groups[k].isDefault) chain = make.block(bodies[k]);
    for (std::size_t k = groups.size(); k-- > 0;) {
      if (groups[k].isDefault) continue;
      clang::Expr* any = nullptr;
      for (const clang::CaseStmt* one : groups[k].cases) {
        clang::Expr* test = testOf(one, value, chosen, make);
        if (!test) return nullptr;
        any = any ? binary(any, clang::BO_LOr, test, context.IntTy) : test;
      }
      chain = make.branch(make.parenthesised(any), make.block(bodies[k]), chain);
    }
    if (chain) result.push_back(chain);
    return blockAt(result, choice->getSourceRange());
  }

  /// What runs from the labels of `groups[from]` to the end of the `switch`.
  std::optional<StatementList> bodyOf(const std::vector<Group>& groups, std::size_t from,
                                      const std::set<const clang::Stmt*>& breaks) {
    StatementList list;
    int size = 0;
    for (std::size_t k = from; k < groups.size(); ++k) {
      for (clang::Stmt* statement : groups[k].statements) {
        clang::Stmt* part = statement;
        if (k > from && !breaks.count(part)) {
          // A second time: a copy, since later rewrites work in place.
          size += nodesOf(part, largestFall);
          if (size >= largestFall || anyPart(part, isLoop)) return std::nullopt;
          AstCopy copier = sameVariables(context, function, part);
          part = llvm::isa<clang::BreakStmt, clang::ContinueStmt, clang::ReturnStmt, clang::GotoStmt>(part)
                     ? jumpCopy(part)
                     : copier.copy(part);
          if (!part || !copier.made.empty()) return std::nullopt;
        }
        list.push_back(part);
        if (breaks.count(statement) ||
            llvm::isa<clang::ContinueStmt, clang::ReturnStmt, clang::GotoStmt>(statement)) {
          k = groups.size() - 1;
          break;
        }
      }
    }
    std::set<const clang::Stmt*> inside;
    for (const clang::Stmt* part : list)
      inside.merge(jumpsOf(part, clang::Stmt::BreakStmtClass));
    if (inside.empty()) return list;
    return WithoutJumps(function, context, inlined).of(list, inside);
  }

  clang::Stmt* jumpCopy(clang::Stmt* jump) {
    auto* result = llvm::dyn_cast<clang::ReturnStmt>(jump);
    if (!result || !result->getRetValue()) return jump;
    AstCopy copier = sameVariables(context, function, jump);
    clang::Expr* value = copier.copy(static_cast<const clang::Expr*>(result->getRetValue()));
    return value ? clang::ReturnStmt::Create(context, result->getReturnLoc(), value, nullptr) : nullptr;
  }

  clang::Expr* testOf(const clang::CaseStmt* label, clang::Expr* value, clang::VarDecl* chosen,
                      AstCopy& make) {
    auto chosenValue = [&]() -> clang::Expr* {
      return chosen ? make.load(chosen)
                    : sameVariables(context, function, value).copy(static_cast<const clang::Expr*>(value));
    };
    auto compared = [&](const clang::Expr* with, clang::BinaryOperatorKind op) -> clang::Expr* {
      clang::Expr *left = chosenValue(), *right = const_cast<clang::Expr*>(with);
      if (!left) return nullptr;
      if (!context.hasSameUnqualifiedType(right->getType(), value->getType()))
        right = clang::ImplicitCastExpr::Create(context, value->getType(), clang::CK_IntegralCast, right,
                                                nullptr, clang::VK_PRValue, clang::FPOptionsOverride());
      return binary(left, op, right, context.IntTy);
    };
    if (!label->getRHS()) return compared(label->getLHS(), clang::BO_EQ);
    clang::Expr *low = compared(label->getLHS(), clang::BO_GE),
                *high = compared(label->getRHS(), clang::BO_LE);
    return low && high ? binary(low, clang::BO_LAnd, high, context.IntTy) : nullptr;
  }

  Inlined& inlined;
};

} // namespace

void structureSwitches(clang::FunctionDecl* function, clang::ASTContext& context, Inlined& inlined) {
  SwitchRewrite(function, context, inlined).run();
}

} // namespace warploom
