#include "frontend/Strides.h"

#include "frontend/TreeRewrite.h"

#include <algorithm>
#include <fmt/format.h>
#include <llvm/Support/raw_ostream.h>
#include <optional>

namespace warploom {

namespace {

/// `for (index = first; index < limit; index += step)`
struct Stride {
  clang::VarDecl* index = nullptr;
  clang::Expr *first = nullptr, *limit = nullptr, *step = nullptr;
  bool ascending = true;
  bool inclusive = false; ///< `limit` itself is a value of the index
};

class StrideRewrite : public TreeRewrite {
public:
  StrideRewrite(clang::FunctionDecl* function, clang::ASTContext& context, CallSummaries& summaries,
                Inlined& inlined)
      : TreeRewrite(function, context), summaries(summaries), inlined(inlined),
        everywhere(contentsOf(function->getBody(), summaries)) {}

private:
  clang::Stmt* rewritten(clang::Stmt* statement) override {
    auto* loop = llvm::dyn_cast<clang::ForStmt>(statement);
    if (!loop || isCounted() || loop->getConditionVariable() || !loop->getCond() || !loop->getInc() ||
        !loop->getInit())
      return statement;
    Stride stride;
    if (!readStep(loop, stride) || !readTest(loop, stride)) return statement;
    stride.first = firstValue(loop, stride.index);
    if (stride.first && isKnown(loop, stride)) inlined.standIns[loop] = {{standIn(loop, stride)}, false};
    return statement;
  }

  bool readStep(clang::ForStmt* loop, Stride& stride) const {
    auto* op = llvm::dyn_cast<clang::BinaryOperator>(loop->getInc()->IgnoreParens());
    if (!op || (op->getOpcode() != clang::BO_AddAssign && op->getOpcode() != clang::BO_SubAssign))
      return false;
    stride.index = integerVariable(op->getLHS());
    stride.step = op->getRHS();
    stride.ascending = op->getOpcode() == clang::BO_AddAssign;
    return stride.index && !amountAdded(op, stride.index, context);
  }

  bool readTest(clang::ForStmt* loop, Stride& stride) const {
    auto* test = llvm::dyn_cast<clang::BinaryOperator>(loop->getCond()->IgnoreParenImpCasts());
    if (!test || !test->isRelationalOp()) return false;
    const bool left = integerVariable(test->getLHS()) == stride.index;
    if (!left && integerVariable(test->getRHS()) != stride.index) return false;
    const auto op = left ? test->getOpcode() : clang::BinaryOperator::reverseComparisonOp(test->getOpcode());
    stride.limit = left ? test->getRHS() : test->getLHS();
    stride.inclusive = op == clang::BO_LE || op == clang::BO_GE;
    return stride.ascending == (op == clang::BO_LT || op == clang::BO_LE);
  }

  /// True when the host can say before the loop how often it runs: by variables of the function's own that
  /// the loop leaves as they are, in types that do not wrap around on the way.
  bool isKnown(clang::ForStmt* loop, const Stride& stride) const {
    const Contents body = contentsOf(loop->getBody(), summaries);
    if (body.breaks || body.leaves || body.written.count(stride.index)) return false;
    const clang::QualType type = stride.index->getType();
    const bool isSigned = type->isSignedIntegerType();
    if (!isSigned && !(type->isUnsignedIntegerType() && context.getTypeSize(type) == 64)) return false;
    // Numbers count for all types; others of another sign are converted in a comparison.
    auto fits = [&](const clang::Expr* value, bool isStored) {
      value = value->IgnoreParenImpCasts();
      if (llvm::isa<clang::IntegerLiteral>(value)) return true;
      const clang::QualType own = value->getType();
      return own->isIntegerType() && own->isSignedIntegerType() == isSigned &&
             (!isStored || context.getTypeSize(own) <= context.getTypeSize(type)) &&
             (isSigned || context.getTypeSize(own) == 64);
    };
    auto known = [&](clang::Expr* value) {
      return isSteady(value, context) && !anyPart(value, [&](const clang::Stmt* one) {
               if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(one)) {
                 const auto* variable = llvm::dyn_cast<clang::VarDecl>(name->getDecl());
                 return !variable || !variable->hasLocalStorage() || variable == stride.index ||
                        body.written.count(variable) || everywhere.addressTaken.count(variable) ||
                        inlined.variables.count(variable);
               }
               return !llvm::isa<clang::IntegerLiteral, clang::ParenExpr, clang::ImplicitCastExpr,
                                 clang::BinaryOperator>(one);
             });
    };
    return fits(stride.first, true) && fits(stride.limit, false) && fits(stride.step, true) &&
           known(stride.first) && known(stride.limit) && known(stride.step);
  }

  std::string text(const clang::Expr* value) const {
    std::string result;
    llvm::raw_string_ostream out(result);
    value->IgnoreParenImpCasts()->printPretty(out, nullptr, context.getPrintingPolicy());
    return "(long)(" + result + ")";
  }

  clang::ForStmt* standIn(clang::ForStmt* loop, const Stride& stride) {
    const clang::SourceLocation at = loop->getForLoc();
    AstCopy make(context, function, {at, at});
    const std::string name = stride.index->getNameAsString();
    clang::VarDecl* trips = make.newVariable(name + "_trips", context.LongTy);
    clang::VarDecl* trip = make.newVariable(name + "_trip", context.LongTy);
    const std::string from = text(stride.ascending ? stride.first : stride.limit),
                      to = text(stride.ascending ? stride.limit : stride.first), by = text(stride.step);
    inlined.texts[trips] =
        fmt::format("({} {} {} && {} > 0 ? ({} - {}{}) / {} + 1 : 0)", from, stride.inclusive ? "<=" : "<",
                    to, by, to, from, stride.inclusive ? "" : " - 1", by);
    clang::Stmt* init = nullptr;
    trip->setInit(number(0, context.LongTy, at));
    if (llvm::isa<clang::DeclStmt>(loop->getInit())) {
      clang::Decl* both[] = {stride.index, trip};
      init = new (context) clang::DeclStmt(clang::DeclGroupRef::Create(context, both, 2), at, at);
    } else {
      init = binary(llvm::cast<clang::Expr>(loop->getInit()), clang::BO_Comma,
                    make.assign(trip, number(0, context.LongTy, at)), context.LongTy);
    }
    auto* counts = clang::UnaryOperator::Create(context, make.use(trip), clang::UO_PreInc, context.LongTy,
                                                clang::VK_LValue, clang::OK_Ordinary, at, false,
                                                clang::FPOptionsOverride());
    return new (context)
        clang::ForStmt(context, init, binary(make.load(trip), clang::BO_LT, make.load(trips), context.IntTy),
                       nullptr, binary(loop->getInc(), clang::BO_Comma, counts, context.LongTy),
                       loop->getBody(), at, loop->getLParenLoc(), loop->getRParenLoc());
  }

  CallSummaries& summaries;
  Inlined& inlined;
  const Contents everywhere; ///< in the function
};

} // namespace

void countStrides(clang::FunctionDecl* function, clang::ASTContext& context, CallSummaries& summaries,
                  Inlined& inlined) {
  StrideRewrite(function, context, summaries, inlined).run();
}

} // namespace warploom
