#include "frontend/Jumps.h"

#include <algorithm>
#include <map>

namespace warploom {

namespace {

/// Nodes of what is written twice.
constexpr int largestRepeated = 150;

/// True when control never comes to what follows `list`.
bool neverFallsThrough(const StatementList& list) {
  if (list.empty()) return false;
  clang::Stmt* last = list.back();
  if (llvm::isa<clang::ContinueStmt, clang::BreakStmt, clang::ReturnStmt, clang::GotoStmt>(last)) return true;
  if (llvm::isa<clang::CompoundStmt>(last)) return neverFallsThrough(partsOf(last));
  auto* branch = llvm::dyn_cast<clang::IfStmt>(last);
  return branch && branch->getElse() && neverFallsThrough(partsOf(branch->getThen())) &&
         neverFallsThrough(partsOf(branch->getElse()));
}

bool hasLabel(const clang::Stmt* statement) {
  return anyPart(statement,
                 [](const clang::Stmt* one) { return llvm::isa<clang::LabelStmt, clang::SwitchCase>(one); });
}

StatementList joined(StatementList first, const StatementList& rest) {
  first.insert(first.end(), rest.begin(), rest.end());
  return first;
}

} // namespace

bool WithoutJumps::jumps(const clang::Stmt* part) const {
  return anyPart(part, [&](const clang::Stmt* one) { return ending.count(one) > 0; });
}

std::optional<StatementList> WithoutJumps::of(const StatementList& list,
                                              const std::set<const clang::Stmt*>& all) {
  ending = all;
  StatementList result;
  if (byRepeating(list, result)) return result;
  if (list.empty()) return std::nullopt;
  result.clear();
  AstCopy make(context, function, list.front()->getSourceRange());
  clang::VarDecl* jumped = make.newVariable("jumped", context.IntTy);
  clang::SourceLocation at = list.front()->getBeginLoc();
  jumped->setInit(clang::IntegerLiteral::Create(context, llvm::APInt(context.getTypeSize(context.IntTy), 0),
                                                context.IntTy, at));
  clang::Stmt* declaration = make.declare(jumped);
  result.push_back(declaration);
  if (!byAsking(list, jumped, result)) return std::nullopt;
  inlined.variables.insert(jumped);
  inlined.parts.insert(declaration);
  return result;
}

bool WithoutJumps::byRepeating(const StatementList& list, StatementList& to) {
  for (std::size_t k = 0; k < list.size(); ++k) {
    clang::Stmt* statement = list[k];
    StatementList rest(list.begin() + static_cast<long>(k) + 1, list.end());
    if (ending.count(statement)) return std::none_of(rest.begin(), rest.end(), hasLabel);
    if (!jumps(statement)) {
      to.push_back(statement);
      continue;
    }
    if (llvm::isa<clang::CompoundStmt>(statement)) return byRepeating(joined(partsOf(statement), rest), to);
    if (std::any_of(rest.begin(), rest.end(), hasLabel)) return false;
    auto* branch = llvm::dyn_cast<clang::IfStmt>(statement);
    if (!branch || branch->hasInitStorage() || branch->hasVarStorage()) return false;
    StatementList yes = partsOf(branch->getThen()), no = partsOf(branch->getElse());
    const bool afterYes = !neverFallsThrough(yes), afterNo = !neverFallsThrough(no);
    StatementList again = rest;
    if (afterYes && afterNo && !rest.empty()) {
      again.clear();
      int size = 0;
      for (clang::Stmt* part : rest) {
        size += nodesOf(part, largestRepeated);
        if (size >= largestRepeated || anyPart(part, isLoop) || jumps(part)) return false;
        AstCopy copier = sameVariables(context, function, part);
        clang::Stmt* copy = llvm::isa<clang::DeclStmt>(part) ? nullptr : copier.copy(part);
        if (!copy || !copier.made.empty()) return false;
        again.push_back(copy);
      }
    }
    StatementList first, second;
    if (!byRepeating(afterYes ? joined(yes, rest) : yes, first)) return false;
    if (!byRepeating(afterNo ? joined(no, again) : no, second)) return false;
    AstCopy make(context, function, branch->getSourceRange());
    to.push_back(
        make.branch(branch->getCond(), make.block(first), second.empty() ? nullptr : make.block(second)));
    return true;
  }
  return true;
}

bool WithoutJumps::byAsking(const StatementList& list, clang::VarDecl* jumped, StatementList& to) {
  for (std::size_t k = 0; k < list.size(); ++k) {
    clang::Stmt* statement = list[k];
    StatementList rest(list.begin() + static_cast<long>(k) + 1, list.end());
    AstCopy make(context, function, statement->getSourceRange());
    if (ending.count(statement)) {
      clang::Expr* one =
          clang::IntegerLiteral::Create(context, llvm::APInt(context.getTypeSize(context.IntTy), 1),
                                        context.IntTy, statement->getBeginLoc());
      to.push_back(make.assign(jumped, one));
      return std::none_of(rest.begin(), rest.end(), hasLabel);
    }
    if (!jumps(statement)) {
      to.push_back(statement);
      continue;
    }
    if (llvm::isa<clang::CompoundStmt>(statement))
      return byAsking(joined(partsOf(statement), rest), jumped, to);
    if (std::any_of(rest.begin(), rest.end(), hasLabel)) return false;
    auto* branch = llvm::dyn_cast<clang::IfStmt>(statement);
    if (!branch || branch->hasInitStorage() || branch->hasVarStorage()) return false;
    StatementList yes, no, after;
    if (!byAsking(partsOf(branch->getThen()), jumped, yes) ||
        !byAsking(partsOf(branch->getElse()), jumped, no) || !byAsking(rest, jumped, after))
      return false;
    to.push_back(make.branch(branch->getCond(), make.block(yes), no.empty() ? nullptr : make.block(no)));
    if (after.empty()) return true;
    clang::Expr* stays = clang::UnaryOperator::Create(
        context, make.load(jumped), clang::UO_LNot, context.IntTy, clang::VK_PRValue, clang::OK_Ordinary,
        statement->getBeginLoc(), false, clang::FPOptionsOverride());
    to.push_back(make.branch(stays, make.block(after), nullptr));
    return true;
  }
  return true;
}

namespace {

class JumpRewrite : public TreeRewrite {
public:
  JumpRewrite(clang::FunctionDecl* function, clang::ASTContext& context, Inlined& inlined)
      : TreeRewrite(function, context), inlined(inlined) {
    indirect = anyPart(function->getBody(), [](const clang::Stmt* one) {
      return llvm::isa<clang::IndirectGotoStmt, clang::GCCAsmStmt, clang::AddrLabelExpr>(one);
    });
  }

private:
  clang::Stmt* rewrittenBody(clang::Stmt*, clang::Stmt* body) override {
    std::set<const clang::Stmt*> all = jumpsOf(body, clang::Stmt::ContinueStmtClass);
    if (all.empty()) return body;
    auto list = WithoutJumps(function, context, inlined).of(partsOf(body), all);
    return list ? blockAt(*list, body->getSourceRange()) : body;
  }

  /// A block in a loop without labels that are only jumped to from above.
  clang::Stmt* rewritten(clang::Stmt* statement) override {
    if (!llvm::isa<clang::CompoundStmt>(statement) || around.empty() || indirect) return statement;
    StatementList list = partsOf(statement);
    bool changed = false;
    for (std::size_t k = list.size(); k-- > 0;) {
      auto* label = llvm::dyn_cast<clang::LabelStmt>(list[k]);
      if (!label) continue;
      auto isJump = [&](const clang::Stmt* one) {
        const auto* jump = llvm::dyn_cast<clang::GotoStmt>(one);
        return jump && jump->getLabel() == label->getDecl();
      };
      std::set<const clang::Stmt*> everywhere, here;
      auto collect = [&](const clang::Stmt* part, std::set<const clang::Stmt*>& into) {
        anyPart(part, [&](const clang::Stmt* one) {
          if (isJump(one)) into.insert(one);
          return false;
        });
      };
      collect(function->getBody(), everywhere);
      StatementList before(list.begin(), list.begin() + static_cast<long>(k));
      for (clang::Stmt* part : before)
        collect(part, here);
      if (here.empty() || !std::includes(here.begin(), here.end(), everywhere.begin(), everywhere.end()))
        continue;
      auto structured = WithoutJumps(function, context, inlined).of(before, here);
      if (!structured) continue;
      structured->push_back(label->getSubStmt());
      structured->insert(structured->end(), list.begin() + static_cast<long>(k) + 1, list.end());
      k = structured->size();
      list = std::move(*structured);
      changed = true;
    }
    return changed ? blockAt(list, statement->getSourceRange()) : statement;
  }

  Inlined& inlined;
  bool indirect = false;
};

} // namespace

void structureJumps(clang::FunctionDecl* function, clang::ASTContext& context, Inlined& inlined) {
  JumpRewrite(function, context, inlined).run();
}

} // namespace warploom
