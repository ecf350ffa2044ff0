#include "frontend/BitCopies.h"

#include "frontend/TreeRewrite.h"
#include "model/MathFunctions.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/RecordLayout.h>
#include <clang/Basic/Builtins.h>
#include <clang/Basic/TargetInfo.h>
#include <optional>

namespace warploom {

namespace {

bool isNumber(clang::QualType type) {
  return (type->isIntegerType() || type->isSpecificBuiltinType(clang::BuiltinType::Float) ||
          type->isSpecificBuiltinType(clang::BuiltinType::Double)) &&
         !type->isBooleanType() && !type->isEnumeralType() && !type->isBitIntType() &&
         !type.isVolatileQualified();
}

/// A number in a union, `v.f` or `v.b[k]`: so many bits from its first one.
struct Leaf {
  clang::VarDecl* variable = nullptr;
  clang::QualType type;
  long offset = 0;
  clang::Expr* index = nullptr; ///< of an array: null for none that only data tell
  long apart = 0;               ///< bits from one of its elements to the next
};

/// The expressions that numbers are made of.
class BitTree {
public:
  explicit BitTree(clang::ASTContext& context) : context(context) {}

  long bitsOf(clang::QualType type) const { return static_cast<long>(context.getTypeSize(type)); }

  clang::Expr* number(long value, clang::QualType type, clang::SourceLocation at) const {
    const auto bits = static_cast<unsigned>(bitsOf(type));
    return clang::IntegerLiteral::Create(context, llvm::APInt(bits, static_cast<uint64_t>(value)), type, at);
  }
  clang::Expr* binary(clang::Expr* left, clang::BinaryOperatorKind op, clang::Expr* right,
                      clang::QualType type) const {
    return clang::BinaryOperator::Create(context, left, right, op, type, clang::VK_PRValue,
                                         clang::OK_Ordinary, left->getBeginLoc(), clang::FPOptionsOverride());
  }
  clang::Expr* parenthesised(clang::Expr* expr) const {
    return new (context) clang::ParenExpr(expr->getBeginLoc(), expr->getEndLoc(), expr);
  }
  /// `value` as a number of `type`.
  clang::Expr* converted(clang::Expr* value, clang::QualType type) const {
    const clang::QualType from = value->getType();
    type = type.getUnqualifiedType();
    if (context.hasSameUnqualifiedType(from, type)) return value;
    const bool isWhole = type->isIntegerType(), wasWhole = from->isIntegerType();
    const clang::CastKind kind = wasWhole  ? (isWhole ? clang::CK_IntegralCast : clang::CK_IntegralToFloating)
                                 : isWhole ? clang::CK_FloatingToIntegral
                                           : clang::CK_FloatingCast;
    const clang::SourceLocation at = value->getBeginLoc();
    return clang::CStyleCastExpr::Create(context, type, clang::VK_PRValue, kind, parenthesised(value),
                                         nullptr, clang::FPOptionsOverride(),
                                         context.getTrivialTypeSourceInfo(type, at), at, at);
  }
  /// The bits of `value` as a number of `type`, which has as many.
  clang::Expr* bits(clang::Expr* value, clang::QualType type, clang::SourceRange at) const {
    type = type.getUnqualifiedType();
    const clang::QualType from = value->getType().getUnqualifiedType();
    if (context.hasSameUnqualifiedType(from, type)) return value;
    if (type->isIntegerType() && from->isIntegerType()) return converted(value, type);
    // An argument is of the parameter's type, without being asked for in the text.
    const auto* cast = llvm::dyn_cast<clang::ImplicitCastExpr>(value->IgnoreParens());
    if (cast && cast->getCastKind() != clang::CK_LValueToRValue)
      value = clang::CStyleCastExpr::Create(
          context, from, clang::VK_PRValue, clang::CK_NoOp, value, nullptr, clang::FPOptionsOverride(),
          context.getTrivialTypeSourceInfo(from, at.getBegin()), at.getBegin(), at.getBegin());
    clang::TranslationUnitDecl* file = context.getTranslationUnitDecl();
    const clang::QualType signature = context.getFunctionType(type, {from}, {});
    auto* callee = clang::FunctionDecl::Create(
        context, file, at.getBegin(), at.getBegin(),
        clang::DeclarationName(&context.Idents.get(llvm::StringRef(copiesBits.data(), copiesBits.size()))),
        signature, context.getTrivialTypeSourceInfo(signature), clang::SC_Extern);
    auto* parameter = clang::ParmVarDecl::Create(context, callee, at.getBegin(), at.getBegin(), nullptr, from,
                                                 nullptr, clang::SC_None, nullptr);
    callee->setParams({parameter});
    auto* named =
        clang::DeclRefExpr::Create(context, clang::NestedNameSpecifierLoc(), clang::SourceLocation(), callee,
                                   false, at.getBegin(), signature, clang::VK_LValue);
    auto* pointer = clang::ImplicitCastExpr::Create(context, context.getPointerType(signature),
                                                    clang::CK_FunctionToPointerDecay, named, nullptr,
                                                    clang::VK_PRValue, clang::FPOptionsOverride());
    return clang::CallExpr::Create(context, pointer, {value}, type, clang::VK_PRValue, at.getEnd(),
                                   clang::FPOptionsOverride());
  }
  clang::Expr* load(clang::Expr* place) const {
    return clang::ImplicitCastExpr::Create(context, place->getType().getUnqualifiedType(),
                                           clang::CK_LValueToRValue, place, nullptr, clang::VK_PRValue,
                                           clang::FPOptionsOverride());
  }
  clang::Expr* assigned(clang::Expr* place, clang::Expr* value) const {
    return clang::BinaryOperator::Create(context, place, value, clang::BO_Assign,
                                         place->getType().getUnqualifiedType(), clang::VK_PRValue,
                                         clang::OK_Ordinary, place->getEndLoc(), clang::FPOptionsOverride());
  }

  clang::ASTContext& context;
};

class BitCopies {
public:
  BitCopies(clang::ASTContext& context, Inlined& inlined)
      : context(context), tree(context), inlined(inlined) {}

  void run(clang::Stmt* body) {
    if (!context.getTargetInfo().isLittleEndian()) return;
    collect(body);
    look(body, true);
    for (const clang::VarDecl* one : others)
      unions.erase(one);
    for (const auto& [variable, member] : unions)
      become(const_cast<clang::VarDecl*>(variable), member);
    rewrite(body);
  }

private:
  /// Notes unions of the function's own that one number fills.
  void collect(const clang::Stmt* part) {
    if (const auto* declaration = llvm::dyn_cast<clang::DeclStmt>(part))
      for (const clang::Decl* decl : declaration->decls()) {
        const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl);
        if (!variable || !variable->hasLocalStorage() || variable->getType().isVolatileQualified()) continue;
        const auto* type = variable->getType()->getAsUnionType();
        const clang::RecordDecl* record = type ? type->getDecl()->getDefinition() : nullptr;
        const clang::FieldDecl* whole = nullptr;
        if (record)
          for (const clang::FieldDecl* field : record->fields())
            if (!field->isBitField() && isNumber(field->getType()) && !field->getName().empty() &&
                tree.bitsOf(field->getType()) == tree.bitsOf(variable->getType()) &&
                (!whole || (!whole->getType()->isIntegerType() && field->getType()->isIntegerType())))
              whole = field;
        if (whole) unions[variable] = whole;
      }
    for (const clang::Stmt* child : part->children())
      if (child) collect(child);
  }

  /// The number that the lvalue `expr` is in one of `unions`; nothing where it is none.
  std::optional<Leaf> leafOf(clang::Expr* expr) const {
    const auto found = placeIn(expr);
    if (!found || !isNumber(found->type)) return std::nullopt;
    const long whole = tree.bitsOf(found->variable->getType()), own = tree.bitsOf(found->type);
    if (own == whole || (whole >= 32 && own < whole)) return found;
    return std::nullopt;
  }

  std::optional<Leaf> placeIn(clang::Expr* expr) const {
    expr = expr->IgnoreParens();
    if (auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(expr)) {
      auto* variable = llvm::dyn_cast<clang::VarDecl>(reference->getDecl());
      if (!variable || !unions.count(variable)) return std::nullopt;
      return Leaf{variable, variable->getType(), 0, nullptr, 0};
    }
    if (auto* member = llvm::dyn_cast<clang::MemberExpr>(expr); member && !member->isArrow()) {
      auto base = placeIn(member->getBase());
      const auto* field = llvm::dyn_cast<clang::FieldDecl>(member->getMemberDecl());
      if (!base || !field || field->isBitField() || field->getType().isVolatileQualified())
        return std::nullopt;
      base->offset += static_cast<long>(context.getFieldOffset(field));
      base->type = field->getType();
      return base;
    }
    auto* subscript = llvm::dyn_cast<clang::ArraySubscriptExpr>(expr);
    auto* decay = subscript ? llvm::dyn_cast<clang::ImplicitCastExpr>(subscript->getBase()) : nullptr;
    if (!decay || decay->getCastKind() != clang::CK_ArrayToPointerDecay) return std::nullopt;
    auto base = placeIn(decay->getSubExpr());
    if (!base) return std::nullopt;
    base->type = subscript->getType();
    const long apart = tree.bitsOf(base->type);
    clang::Expr::EvalResult known;
    if (subscript->getIdx()->EvaluateAsInt(known, context)) {
      base->offset += apart * known.Val.getInt().getExtValue();
      if (base->offset < 0 || base->offset + apart > tree.bitsOf(base->variable->getType()))
        return std::nullopt;
    } else {
      if (base->index || !isSteady(subscript->getIdx(), context)) return std::nullopt;
      base->index = subscript->getIdx();
      base->apart = apart;
    }
    return base;
  }

  static bool isLoad(const clang::Stmt* part) {
    const auto* cast = llvm::dyn_cast<clang::ImplicitCastExpr>(part);
    return cast && cast->getCastKind() == clang::CK_LValueToRValue;
  }
  static clang::Expr* targetOf(clang::Stmt* part) { return const_cast<clang::Expr*>(changedBy(part)); }

  /// Notes unions that are used in another way than as numbers, and what is `alone`; `isAlone`: nobody looks
  /// at the value of `part`.
  void look(clang::Stmt* part, bool isAlone) {
    if (isAlone) alone.insert(part);
    if (auto* declaration = llvm::dyn_cast<clang::DeclStmt>(part)) {
      for (clang::Decl* decl : declaration->decls()) {
        auto* variable = llvm::dyn_cast<clang::VarDecl>(decl);
        if (!variable || !variable->getInit()) continue;
        clang::Expr* first = unions.count(variable) ? firstValue(variable) : variable->getInit();
        if (!first) others.insert(variable);
        look(first ? first : variable->getInit(), false);
      }
      return;
    }
    if (isLoad(part)) {
      if (const auto leaf = leafOf(llvm::cast<clang::ImplicitCastExpr>(part)->getSubExpr())) {
        lookAtIndex(*leaf);
        return;
      }
    }
    if (clang::Expr* target = targetOf(part))
      if (const auto leaf = leafOf(target)) {
        if (!isAlone) others.insert(leaf->variable);
        lookAtIndex(*leaf);
        if (auto* op = llvm::dyn_cast<clang::BinaryOperator>(part)) look(op->getRHS(), false);
        return;
      }
    if (const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(part))
      if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(reference->getDecl()))
        others.insert(variable);
    const auto* op = llvm::dyn_cast<clang::BinaryOperator>(part);
    for (clang::Stmt* child : part->children()) {
      if (!child) continue;
      bool alone = !llvm::isa<clang::Expr>(part);
      if (const auto* branch = llvm::dyn_cast<clang::IfStmt>(part)) alone = child != branch->getCond();
      if (const auto* loop = llvm::dyn_cast<clang::ForStmt>(part)) alone = child != loop->getCond();
      if (const auto* loop = llvm::dyn_cast<clang::WhileStmt>(part)) alone = child != loop->getCond();
      if (const auto* loop = llvm::dyn_cast<clang::DoStmt>(part)) alone = child != loop->getCond();
      if (llvm::isa<clang::SwitchStmt, clang::ReturnStmt>(part)) alone = !llvm::isa<clang::Expr>(child);
      if (op && op->getOpcode() == clang::BO_Comma) alone = child == op->getLHS() || isAlone;
      if (llvm::isa<clang::ParenExpr>(part)) alone = isAlone;
      if (const auto* cast = llvm::dyn_cast<clang::CastExpr>(part); cast && cast->getType()->isVoidType())
        alone = isAlone;
      look(child, alone);
    }
  }

  void lookAtIndex(const Leaf& leaf) {
    if (!leaf.index) return;
    look(leaf.index, false);
    for (const auto& [variable, whole] : unions)
      if (mentions(leaf.index, variable)) others.insert(leaf.variable);
  }

  /// The value that the declaration of the union `variable` gives a number that fills it; null for others.
  clang::Expr* firstValue(clang::VarDecl* variable) const {
    auto* list = llvm::dyn_cast<clang::InitListExpr>(variable->getInit()->IgnoreParens());
    if (!list) return nullptr;
    if (auto* semantic = list->getSemanticForm()) list = semantic;
    const clang::FieldDecl* field = list->getInitializedFieldInUnion();
    if (!field || list->getNumInits() != 1 || field->isBitField() || !isNumber(field->getType()) ||
        tree.bitsOf(field->getType()) != tree.bitsOf(variable->getType()))
      return nullptr;
    return list->getInit(0);
  }

  /// Has `variable` be the number that its member `whole` is.
  void become(clang::VarDecl* variable, const clang::FieldDecl* whole) {
    if (variable->getInit()) firsts[variable] = firstValue(variable);
    inlined.names[variable] = variable->getNameAsString() + "." + whole->getNameAsString();
  }

  clang::QualType wholeType(const clang::VarDecl* variable) const {
    return unions.at(variable)->getType().getUnqualifiedType();
  }
  clang::Expr* use(clang::VarDecl* variable, clang::SourceLocation at) const {
    return clang::DeclRefExpr::Create(context, clang::NestedNameSpecifierLoc(), clang::SourceLocation(),
                                      variable, false, at, wholeType(variable), clang::VK_LValue);
  }
  clang::QualType unsignedOf(long bits) const {
    return context.getIntTypeForBitwidth(static_cast<unsigned>(bits), 0);
  }

  bool isWhole(const Leaf& leaf) const {
    return !leaf.index && tree.bitsOf(leaf.type) == tree.bitsOf(wholeType(leaf.variable));
  }
  /// How far the bits of `leaf` are from the first one.
  clang::Expr* shiftOf(const Leaf& leaf, clang::SourceLocation at) const {
    clang::Expr* offset = tree.number(leaf.offset, context.IntTy, at);
    if (!leaf.index) return offset;
    clang::Expr* index = tree.parenthesised(tree.converted(leaf.index, context.IntTy));
    clang::Expr* shift =
        tree.binary(index, clang::BO_Mul, tree.number(leaf.apart, context.IntTy, at), context.IntTy);
    return tree.parenthesised(leaf.offset == 0 ? shift
                                               : tree.binary(shift, clang::BO_Add, offset, context.IntTy));
  }
  /// `value` moved from or to where the bits of `leaf` are.
  clang::Expr* shifted(clang::Expr* value, clang::BinaryOperatorKind op, const Leaf& leaf,
                       clang::SourceRange at) const {
    if (leaf.offset == 0 && !leaf.index) return value;
    return tree.parenthesised(tree.binary(value, op, shiftOf(leaf, at.getBegin()), value->getType()));
  }
  clang::Expr* valueOf(const Leaf& leaf, clang::SourceRange at) const {
    clang::Expr* whole = tree.load(use(leaf.variable, at.getBegin()));
    if (isWhole(leaf)) return tree.bits(whole, leaf.type, at);
    const long all = tree.bitsOf(wholeType(leaf.variable)), own = tree.bitsOf(leaf.type);
    const clang::QualType wide = unsignedOf(all), narrow = unsignedOf(own);
    clang::Expr* part = tree.bits(whole, wide, at);
    part = tree.converted(shifted(part, clang::BO_Shr, leaf, at), narrow);
    return leaf.type->isIntegerType() ? tree.converted(part, leaf.type) : tree.bits(part, leaf.type, at);
  }
  clang::Expr* stored(const Leaf& leaf, clang::Expr* value, clang::SourceRange at) const {
    clang::Expr* place = use(leaf.variable, at.getBegin());
    const clang::QualType type = wholeType(leaf.variable);
    if (isWhole(leaf)) return tree.assigned(place, tree.bits(tree.converted(value, leaf.type), type, at));
    const long all = tree.bitsOf(type), own = tree.bitsOf(leaf.type);
    const clang::QualType wide = unsignedOf(all), narrow = unsignedOf(own);
    value = tree.converted(value, leaf.type);
    value = leaf.type->isIntegerType() ? tree.converted(value, narrow) : tree.bits(value, narrow, at);
    value = shifted(tree.converted(value, wide), clang::BO_Shl, leaf, at);
    const long mask = own >= 64 ? -1 : (1L << own) - 1;
    clang::Expr* hole = shifted(tree.number(mask, wide, at.getBegin()), clang::BO_Shl, leaf, at);
    hole = clang::UnaryOperator::Create(context, hole, clang::UO_Not, wide, clang::VK_PRValue,
                                        clang::OK_Ordinary, at.getBegin(), false, clang::FPOptionsOverride());
    clang::Expr* rest = tree.bits(tree.load(use(leaf.variable, at.getBegin())), wide, at);
    rest = tree.parenthesised(tree.binary(rest, clang::BO_And, hole, wide));
    return tree.assigned(
        place, tree.bits(tree.parenthesised(tree.binary(rest, clang::BO_Or, value, wide)), type, at));
  }

  /// What `part` assigns to a number in a union, as an assignment to the number that the union is; null
  /// where it is none.
  clang::Expr* assignment(clang::Stmt* part) {
    clang::Expr* target = targetOf(part);
    const auto leaf = target ? leafOf(target) : std::nullopt;
    if (!leaf) return nullptr;
    const clang::SourceRange at = part->getSourceRange();
    if (auto* count = llvm::dyn_cast<clang::UnaryOperator>(part)) {
      clang::Expr* one = tree.number(1, context.IntTy, at.getBegin());
      const bool isFloating = leaf->type->isRealFloatingType();
      const clang::QualType type =
          isFloating || tree.bitsOf(leaf->type) >= 32 ? leaf->type.getUnqualifiedType() : context.IntTy;
      return stored(*leaf,
                    tree.binary(tree.converted(valueOf(*leaf, at), type),
                                count->isIncrementOp() ? clang::BO_Add : clang::BO_Sub,
                                tree.converted(one, type), type),
                    at);
    }
    auto* op = llvm::cast<clang::BinaryOperator>(part);
    rewriteChild(op->getRHS(), [&](clang::Expr* value) { op->setRHS(value); });
    clang::Expr* value = op->getRHS();
    if (const auto* compound = llvm::dyn_cast<clang::CompoundAssignOperator>(op)) {
      clang::Expr* old = tree.converted(valueOf(*leaf, at), compound->getComputationLHSType());
      value = tree.binary(old, clang::BinaryOperator::getOpForCompoundAssignment(op->getOpcode()),
                          tree.parenthesised(value), compound->getComputationResultType());
    }
    return stored(*leaf, value, at);
  }

  /// `*(int*)&y`, for a number y that has as many bits: that number; null where it is something else.
  clang::Expr* castedPlace(clang::Expr* place) const {
    auto* deref = llvm::dyn_cast<clang::UnaryOperator>(place->IgnoreParens());
    if (!deref || deref->getOpcode() != clang::UO_Deref || !isNumber(deref->getType())) return nullptr;
    auto* cast = llvm::dyn_cast<clang::CStyleCastExpr>(deref->getSubExpr()->IgnoreParens());
    if (!cast || cast->getCastKind() != clang::CK_BitCast) return nullptr;
    return addressedNumber(cast->getSubExpr(), deref->getType());
  }
  /// The number, of as many bits as `type`, whose address is `address`; null where it is none.
  clang::Expr* addressedNumber(clang::Expr* address, clang::QualType type) const {
    address = address->IgnoreParenCasts();
    auto* op = llvm::dyn_cast<clang::UnaryOperator>(address);
    clang::Expr* place = op && op->getOpcode() == clang::UO_AddrOf ? op->getSubExpr() : nullptr;
    if (!place && address->getType()->isPointerType())
      place = clang::UnaryOperator::Create(
          context, address, clang::UO_Deref, address->getType()->getPointeeType(), clang::VK_LValue,
          clang::OK_Ordinary, address->getBeginLoc(), false, clang::FPOptionsOverride());
    if (!place) return nullptr;
    if (!isNumber(place->getType()) || tree.bitsOf(place->getType()) != tree.bitsOf(type) ||
        place->refersToBitField())
      return nullptr;
    return place;
  }

  /// `memcpy(&u, &f, sizeof u)` for numbers of two types, as an assignment; null where it is something else.
  clang::Expr* memoryCopy(clang::Stmt* part) const {
    if (!alone.count(part)) return nullptr; // the address is asked for
    auto* whole = llvm::dyn_cast<clang::Expr>(part);
    auto* call = whole ? llvm::dyn_cast<clang::CallExpr>(whole->IgnoreParenCasts()) : nullptr;
    const clang::FunctionDecl* callee = call ? call->getDirectCallee() : nullptr;
    if (!callee || call->getNumArgs() != 3 || callee->getMemoryFunctionKind() != clang::Builtin::BImemcpy ||
        callee->hasBody())
      return nullptr;
    const clang::QualType pointer = call->getArg(0)->IgnoreParenCasts()->getType();
    const clang::QualType type = pointer->isPointerType() ? pointer->getPointeeType() : clang::QualType();
    if (type.isNull() || !isNumber(type)) return nullptr;
    clang::Expr *to = addressedNumber(call->getArg(0), type), *from = addressedNumber(call->getArg(1), type);
    clang::Expr::EvalResult bytes;
    if (!to || !from || to->getType().isConstQualified() ||
        context.hasSameUnqualifiedType(type, from->getType()) ||
        !call->getArg(2)->EvaluateAsInt(bytes, context) ||
        bytes.Val.getInt().getExtValue() * 8 != tree.bitsOf(type))
      return nullptr;
    return tree.assigned(to, tree.bits(tree.load(from), type, call->getSourceRange()));
  }

  /// What stands in the place of `child`; itself where it stays.
  clang::Stmt* instead(clang::Stmt* child) {
    if (clang::Expr* copy = memoryCopy(child)) {
      inlined.parts.insert(copy);
      rewrite(copy);
      return copy;
    }
    if (clang::Expr* changed = assignment(child)) {
      return changed;
    }
    if (isLoad(child)) {
      auto* place = llvm::cast<clang::ImplicitCastExpr>(child)->getSubExpr();
      if (const auto leaf = leafOf(place)) return valueOf(*leaf, child->getSourceRange());
      if (clang::Expr* other = castedPlace(place)) {
        clang::Expr* value = tree.load(other);
        rewrite(value);
        return tree.bits(value, place->getType(), child->getSourceRange());
      }
    }
    if (auto* op = llvm::dyn_cast<clang::BinaryOperator>(child);
        op && op->getOpcode() == clang::BO_Assign && alone.count(op))
      if (clang::Expr* other = castedPlace(op->getLHS())) {
        const clang::SourceRange at(op->getLHS()->getBeginLoc(), op->getLHS()->getEndLoc());
        const clang::QualType type = op->getLHS()->getType();
        rewriteChild(op->getRHS(), [&](clang::Expr* value) { op->setRHS(value); });
        rewrite(other);
        return tree.assigned(
            new (context) clang::ParenExpr(at.getBegin(), at.getEnd(), other),
            tree.bits(tree.converted(op->getRHS(), type), other->getType(), op->getSourceRange()));
      }
    rewrite(child);
    return child;
  }

  template <typename Set> void rewriteChild(clang::Expr* child, const Set& set) {
    clang::Stmt* other = instead(child);
    if (other != child) set(llvm::cast<clang::Expr>(other));
  }

  void rewrite(clang::Stmt* part) {
    if (auto* declaration = llvm::dyn_cast<clang::DeclStmt>(part)) {
      for (clang::Decl* decl : declaration->decls()) {
        auto* variable = llvm::dyn_cast<clang::VarDecl>(decl);
        if (!variable) continue;
        if (!unions.count(variable)) {
          if (variable->getInit())
            rewriteChild(variable->getInit(), [&](clang::Expr* value) { variable->setInit(value); });
          continue;
        }
        if (const auto first = firsts.find(variable); first != firsts.end()) {
          clang::Expr* value = first->second;
          rewriteChild(value, [&](clang::Expr* other) { value = other; });
          variable->setInit(tree.bits(value, wholeType(variable), variable->getInit()->getSourceRange()));
        }
        retyped.push_back(variable);
      }
      return;
    }
    for (clang::Stmt*& child : part->children())
      if (child) child = instead(child);
  }

public:
  /// The unions that are numbers now, when nothing looks at what they were any more.
  void setTypes() {
    for (clang::VarDecl* variable : retyped)
      variable->setType(wholeType(variable));
  }

private:
  clang::ASTContext& context;
  BitTree tree;
  Inlined& inlined;
  std::map<const clang::VarDecl*, const clang::FieldDecl*> unions; ///< with a member that fills each
  std::set<const clang::VarDecl*> others;                          ///< variables that are more than numbers
  std::set<const clang::Stmt*> alone;                              ///< nobody looks at the value of these
  std::map<const clang::VarDecl*, clang::Expr*> firsts;
  std::vector<clang::VarDecl*> retyped;
};

} // namespace

void copyBits(clang::FunctionDecl* function, clang::ASTContext& context, Inlined& inlined) {
  if (!function->getBody()) return;
  BitCopies copies(context, inlined);
  copies.run(function->getBody());
  copies.setTypes();
}

} // namespace warploom
