#include "frontend/MemoryCalls.h"

#include "frontend/TreeRewrite.h"

#include <clang/Basic/Builtins.h>

namespace warploom {

namespace {

class MemoryCallRewrite : public TreeRewrite {
public:
  MemoryCallRewrite(clang::FunctionDecl* function, clang::ASTContext& context, const IsTaken& isTaken,
                    Inlined& inlined, bool everywhere)
      : TreeRewrite(function, context), isTaken(isTaken), inlined(inlined), everywhere(everywhere) {}

private:
  clang::Stmt* rewritten(clang::Stmt* statement) override {
    if (!everywhere && !isCounted()) return statement;
    if (auto* branch = llvm::dyn_cast<clang::IfStmt>(statement)) {
      branch->setThen(loopFor(branch->getThen()));
      if (branch->getElse()) branch->setElse(loopFor(branch->getElse()));
    }
    if (!llvm::isa<clang::CompoundStmt>(statement)) return statement;
    StatementList parts = partsOf(statement);
    bool changed = false;
    for (clang::Stmt*& part : parts) {
      clang::Stmt* loop = loopFor(part);
      changed = changed || loop != part;
      part = loop;
    }
    return changed ? blockAt(parts, statement->getSourceRange()) : statement;
  }

  clang::Stmt* rewrittenBody(clang::Stmt*, clang::Stmt* body) override {
    return everywhere || isCounted() ? loopFor(body) : body;
  }

  /// A loop that does what the call `statement` does; `statement` where it is no such call.
  clang::Stmt* loopFor(clang::Stmt* statement);
  /// The pointer to elements that `argument` is, as a `void*`; null where it is none to numbers, or is not
  /// the same in every iteration of a loop that writes there.
  clang::Expr* elementsOf(clang::Expr* argument) const;
  /// True when nothing but variables of the function's own, and pointers, are read to find `value`.
  bool isSteady(const clang::Expr* value) const;
  /// How many elements of `size` bytes are `bytes`, a product; null where that is not certain.
  clang::Expr* countOf(clang::Expr* bytes, long size) const;
  bool factorsOf(clang::Expr* product, long& constant, std::vector<clang::Expr*>& factors) const;
  clang::Expr* longNumber(long value, clang::SourceLocation at) const;
  clang::Expr* converted(clang::Expr* value, clang::CastKind kind, clang::QualType type) const {
    return clang::ImplicitCastExpr::Create(context, type, kind, value, nullptr, clang::VK_PRValue,
                                           clang::FPOptionsOverride());
  }
  /// What each element, of `type`, becomes where every byte becomes `byte`; null where that is no number.
  clang::Expr* filled(clang::Expr* byte, clang::QualType type) const;
  clang::Expr* element(clang::Expr* pointer, const std::vector<clang::VarDecl*>& indices,
                       AstCopy& make) const;

  const IsTaken& isTaken;
  Inlined& inlined;
  bool everywhere;
};

/// The type of numbers of which `type`, or an array of arrays of it, is made; null when it is made of others.
clang::QualType numberIn(clang::QualType type) {
  while (const auto* array = type->getAsArrayTypeUnsafe()) {
    if (!llvm::isa<clang::ConstantArrayType>(array)) return {};
    type = array->getElementType();
  }
  const bool isNumber = (type->isIntegerType() || type->isRealFloatingType()) && !type->isBooleanType() &&
                        !type->isEnumeralType() && !type.isVolatileQualified() && !type->isBitIntType() &&
                        !type->isSpecificBuiltinType(clang::BuiltinType::LongDouble);
  return isNumber ? type : clang::QualType();
}

bool MemoryCallRewrite::isSteady(const clang::Expr* value) const {
  if (!warploom::isSteady(value, context)) return false;
  return !anyPart(value, [&](const clang::Stmt* part) {
    const auto* load = llvm::dyn_cast<clang::CastExpr>(part);
    if (!load || load->getCastKind() != clang::CK_LValueToRValue) return false;
    if (load->getType()->isPointerType()) return false;
    const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(load->getSubExpr()->IgnoreParens());
    const auto* variable = name ? llvm::dyn_cast<clang::VarDecl>(name->getDecl()) : nullptr;
    return !variable || !variable->hasLocalStorage() || isTaken(variable);
  });
}

clang::Expr* MemoryCallRewrite::elementsOf(clang::Expr* argument) const {
  argument = argument->IgnoreParens();
  while (auto* cast = llvm::dyn_cast<clang::CastExpr>(argument)) {
    if (!cast->getType()->isVoidPointerType()) break;
    if (cast->getCastKind() != clang::CK_BitCast && cast->getCastKind() != clang::CK_NoOp) return nullptr;
    argument = cast->getSubExpr()->IgnoreParens();
  }
  // Bytes of elements of another type are no elements.
  const bool isOther = anyPart(argument, [](const clang::Stmt* part) {
    const auto* cast = llvm::dyn_cast<clang::CastExpr>(part);
    return cast && cast->getCastKind() == clang::CK_BitCast;
  });
  if (isOther) return nullptr;
  if (!argument->getType()->isPointerType() || numberIn(argument->getType()->getPointeeType()).isNull())
    return nullptr;
  // What is cleared may go on in the next row.
  return isSteady(argument) ? loosened(argument, context) : nullptr;
}

clang::Expr* MemoryCallRewrite::longNumber(long value, clang::SourceLocation at) const {
  const auto bits = static_cast<unsigned>(context.getTypeSize(context.LongTy));
  return clang::IntegerLiteral::Create(context, llvm::APInt(bits, static_cast<uint64_t>(value), true),
                                       context.LongTy, at);
}

bool MemoryCallRewrite::factorsOf(clang::Expr* product, long& constant,
                                  std::vector<clang::Expr*>& factors) const {
  product = product->IgnoreParens();
  clang::Expr::EvalResult known;
  if (product->EvaluateAsInt(known, context)) {
    const llvm::APSInt& value = known.Val.getInt();
    if (!value.isNonNegative() || value.getActiveBits() > 40) return false;
    return !__builtin_mul_overflow(constant, static_cast<long>(value.getZExtValue()), &constant);
  }
  if (auto* cast = llvm::dyn_cast<clang::CastExpr>(product);
      cast && cast->getCastKind() == clang::CK_IntegralCast) {
    clang::Expr* inner = cast->getSubExpr();
    // A size that is less than 0 is none, and no memory has as many bytes as do not fit.
    if (context.getTypeSize(cast->getType()) >= context.getTypeSize(inner->getType()))
      return factorsOf(inner, constant, factors);
  }
  if (auto* op = llvm::dyn_cast<clang::BinaryOperator>(product); op && op->getOpcode() == clang::BO_Mul) {
    // What is narrow and has no sign may come round to 0.
    const bool isWide = context.getTypeSize(op->getType()) >= 64;
    if (isWide || op->getType()->isSignedIntegerType())
      return factorsOf(op->getLHS(), constant, factors) && factorsOf(op->getRHS(), constant, factors);
  }
  factors.push_back(product);
  return true;
}

clang::Expr* MemoryCallRewrite::countOf(clang::Expr* bytes, long size) const {
  long constant = 1;
  std::vector<clang::Expr*> factors;
  if (!warploom::isSteady(bytes, context) || !factorsOf(bytes, constant, factors) || constant % size != 0)
    return nullptr;
  clang::Expr* count = nullptr;
  for (clang::Expr* factor : factors) {
    if (!context.hasSameUnqualifiedType(factor->getType(), context.LongTy))
      factor = converted(factor, clang::CK_IntegralCast, context.LongTy);
    count = count ? binary(count, clang::BO_Mul, factor, context.LongTy) : factor;
  }
  if (count && constant == size) return count;
  clang::Expr* rest = longNumber(constant / size, bytes->getBeginLoc());
  return count ? binary(count, clang::BO_Mul, rest, context.LongTy) : rest;
}

clang::Expr* MemoryCallRewrite::filled(clang::Expr* byte, clang::QualType type) const {
  clang::Expr::EvalResult known;
  const bool isKnown = byte->EvaluateAsInt(known, context);
  if (type->isCharType() && !isKnown)
    return isSteady(byte) ? converted(byte, clang::CK_IntegralCast, type) : nullptr;
  if (!isKnown) return nullptr;
  const llvm::APInt value = known.Val.getInt().extOrTrunc(8);
  if (type->isIntegerType()) {
    const auto bits = static_cast<unsigned>(context.getTypeSize(type));
    const llvm::APInt all = llvm::APInt::getSplat(bits, value);
    if (bits >= 32) return clang::IntegerLiteral::Create(context, all, type, byte->getBeginLoc());
    const auto wide = static_cast<unsigned>(context.getTypeSize(context.IntTy));
    const llvm::APInt number = type->isSignedIntegerType() ? all.sext(wide) : all.zext(wide);
    return converted(clang::IntegerLiteral::Create(context, number, context.IntTy, byte->getBeginLoc()),
                     clang::CK_IntegralCast, type);
  }
  if (value != 0) return nullptr;
  return converted(number(0, context.IntTy, byte->getBeginLoc()), clang::CK_IntegralToFloating, type);
}

clang::Expr* MemoryCallRewrite::element(clang::Expr* pointer, const std::vector<clang::VarDecl*>& indices,
                                        AstCopy& make) const {
  clang::Expr* place = pointer;
  for (clang::VarDecl* index : indices) {
    if (const auto* array = place->getType()->getAsArrayTypeUnsafe())
      place =
          converted(place, clang::CK_ArrayToPointerDecay, context.getPointerType(array->getElementType()));
    place =
        new (context) clang::ArraySubscriptExpr(place, make.load(index), place->getType()->getPointeeType(),
                                                clang::VK_LValue, clang::OK_Ordinary, pointer->getEndLoc());
  }
  return place;
}

clang::Stmt* MemoryCallRewrite::loopFor(clang::Stmt* statement) {
  auto* whole = llvm::dyn_cast_or_null<clang::Expr>(statement);
  auto* call = whole ? llvm::dyn_cast<clang::CallExpr>(whole->IgnoreParenCasts()) : nullptr;
  const clang::FunctionDecl* callee = call ? call->getDirectCallee() : nullptr;
  if (!callee || call->getNumArgs() != 3) return statement;
  const unsigned which = callee->getMemoryFunctionKind();
  const bool copies = which == clang::Builtin::BImemcpy;
  if ((!copies && which != clang::Builtin::BImemset) || callee->hasBody()) return statement;
  clang::Expr* target = elementsOf(call->getArg(0));
  if (!target) return statement;
  const clang::QualType type = target->getType()->getPointeeType(), number = numberIn(type);
  if (type.isConstQualified() || number.isConstQualified()) return statement;
  clang::Expr* source = copies ? elementsOf(call->getArg(1)) : nullptr;
  if (copies && (!source || !context.hasSameUnqualifiedType(source->getType()->getPointeeType(), type)))
    return statement;
  clang::Expr* value = copies ? nullptr : filled(call->getArg(1), number);
  clang::Expr* count = countOf(call->getArg(2), context.getTypeSizeInChars(type).getQuantity());
  if (!count || (!copies && !value)) return statement;

  AstCopy make(context, function, call->getSourceRange());
  const clang::SourceLocation at = call->getBeginLoc();
  StatementList parts;
  std::vector<clang::Expr*> limits;
  // How many there are is found once.
  if (!count->isEvaluatable(context)) {
    clang::VarDecl* many = make.newVariable("elements", context.LongTy);
    many->setInit(count);
    parts.push_back(make.declare(many));
    limits.push_back(make.load(many));
  } else {
    limits.push_back(count);
  }
  for (clang::QualType inner = type; const auto* array = context.getAsConstantArrayType(inner);
       inner = array->getElementType())
    limits.push_back(longNumber(static_cast<long>(array->getSize().getZExtValue()), at));
  std::vector<clang::VarDecl*> indices;
  for (std::size_t k = 0; k < limits.size(); ++k) {
    indices.push_back(make.newVariable("element", context.LongTy));
    indices.back()->setInit(longNumber(0, at));
  }
  clang::Expr* place = element(target, indices, make);
  if (copies) value = converted(element(source, indices, make), clang::CK_LValueToRValue, number);
  clang::Stmt* body =
      clang::BinaryOperator::Create(context, place, value, clang::BO_Assign, number.getUnqualifiedType(),
                                    clang::VK_PRValue, clang::OK_Ordinary, at, clang::FPOptionsOverride());
  for (std::size_t k = limits.size(); k-- > 0;) {
    clang::Expr* step = clang::UnaryOperator::Create(context, make.use(indices[k]), clang::UO_PreInc,
                                                     context.LongTy, clang::VK_PRValue, clang::OK_Ordinary,
                                                     at, true, clang::FPOptionsOverride());
    body = new (context) clang::ForStmt(context, make.declare(indices[k]),
                                        binary(make.load(indices[k]), clang::BO_LT, limits[k], context.IntTy),
                                        nullptr, step, body, at, at, call->getEndLoc());
  }
  parts.push_back(body);
  clang::Stmt* block = make.block(parts);
  inlined.variables.insert(make.made.begin(), make.made.end());
  inlined.parts.insert(block);
  return block;
}

} // namespace

void countMemoryCalls(clang::FunctionDecl* function, clang::ASTContext& context, const IsTaken& isTaken,
                      Inlined& inlined) {
  MemoryCallRewrite(function, context, isTaken, inlined, false).run();
}

clang::Stmt* withoutMemoryCalls(clang::Stmt* statement, clang::FunctionDecl* function,
                                clang::ASTContext& context, const IsTaken& isTaken, Inlined& inlined) {
  return MemoryCallRewrite(function, context, isTaken, inlined, true).run(statement);
}

} // namespace warploom
