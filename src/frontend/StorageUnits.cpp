#include "frontend/StorageUnits.h"

#include <algorithm>
#include <clang/AST/RecordLayout.h>
#include <clang/Basic/TargetInfo.h>

namespace warploom {

namespace {

/// Bytes, from the first one to before the end.
struct Bytes {
  long first, end;
  bool meets(const Bytes& other) const { return first < other.end && other.first < end; }
};

/// The least number that holds `bytes` and lies where its type wants it.
Bytes numberAround(Bytes bytes) {
  for (long size = 1;; size *= 2) {
    const long first = bytes.first / size * size;
    if (bytes.end <= first + size) return {first, first + size};
  }
}

Bytes bytesOf(const clang::ASTContext& context, const clang::FieldDecl* field) {
  const auto first = static_cast<long>(context.getFieldOffset(field));
  const long bits = field->isBitField() ? static_cast<long>(field->getBitWidthValue(context))
                                        : static_cast<long>(context.getTypeSize(field->getType()));
  return {first / 8, (first + bits + 7) / 8};
}

bool isPlainNumber(const clang::ASTContext& context, clang::QualType type) {
  while (const clang::ConstantArrayType* array = context.getAsConstantArrayType(type))
    type = array->getElementType();
  if (type.isVolatileQualified() || type->isAtomicType()) return false;
  if (const auto* record = type->getAsRecordDecl()) {
    record = record->getDefinition();
    return record &&
           std::all_of(record->field_begin(), record->field_end(), [&](const clang::FieldDecl* field) {
             return isPlainNumber(context, field->getType());
           });
  }
  return (type->isIntegerType() && !type->isBitIntType()) ||
         type->isSpecificBuiltinType(clang::BuiltinType::Float) ||
         type->isSpecificBuiltinType(clang::BuiltinType::Double);
}

} // namespace

std::vector<BitUnit> bitUnitsOf(const clang::ASTContext& context, const clang::RecordDecl* record) {
  if (!context.getTargetInfo().isLittleEndian() || record->isUnion()) return {};
  struct Unit {
    Bytes bytes;
    std::vector<const clang::FieldDecl*> parts;
  };
  std::vector<Unit> units;
  std::vector<Bytes> others;
  for (const clang::FieldDecl* field : record->fields()) {
    if (!field->isBitField()) {
      others.push_back(bytesOf(context, field));
      continue;
    }
    if (field->isZeroLengthBitField(context)) continue;
    if (field->getType().isVolatileQualified()) return {};
    Unit unit{numberAround(bytesOf(context, field)), {field}};
    for (std::size_t k = 0; k < units.size();) {
      if (!units[k].bytes.meets(unit.bytes)) {
        ++k;
        continue;
      }
      unit.bytes = numberAround(
          {std::min(unit.bytes.first, units[k].bytes.first), std::max(unit.bytes.end, units[k].bytes.end)});
      unit.parts.insert(unit.parts.begin(), units[k].parts.begin(), units[k].parts.end());
      units.erase(units.begin() + static_cast<std::ptrdiff_t>(k));
      k = 0; // it may meet more now
    }
    units.push_back(unit);
  }
  const clang::ASTRecordLayout& layout = context.getASTRecordLayout(record);
  std::vector<BitUnit> result;
  for (const Unit& unit : units) {
    const long size = unit.bytes.end - unit.bytes.first;
    const bool isShared = std::any_of(others.begin(), others.end(),
                                      [&](const Bytes& other) { return other.meets(unit.bytes); });
    if (isShared || size > 8 || size > layout.getAlignment().getQuantity() ||
        unit.bytes.end > layout.getSize().getQuantity())
      return {};
    std::string name;
    for (const clang::FieldDecl* part : unit.parts)
      if (name.empty()) name = part->getNameAsString();
    if (name.empty()) name = "unnamed";
    for (name += "_bits";
         std::any_of(record->field_begin(), record->field_end(),
                     [&](const clang::FieldDecl* field) { return field->getName() == name; });)
      name += "_";
    result.push_back({name, unit.bytes.first,
                      context.getIntTypeForBitwidth(static_cast<unsigned>(size * 8), 0), unit.parts});
  }
  return result;
}

clang::QualType numberOfUnion(const clang::ASTContext& context, const clang::RecordDecl* record) {
  record = record->getDefinition();
  if (!record || !record->isUnion() || record->isInvalidDecl() || record->isDependentType() ||
      context.getLangOpts().CPlusPlus || !context.getTargetInfo().isLittleEndian() || record->field_empty())
    return {};
  const clang::ASTRecordLayout& layout = context.getASTRecordLayout(record);
  const long size = layout.getSize().getQuantity();
  if (size > 8 || (size & (size - 1)) != 0 || layout.getAlignment().getQuantity() != size) return {};
  for (const clang::FieldDecl* field : record->fields())
    if (!isPlainNumber(context, field->getType())) return {};
  return context.getIntTypeForBitwidth(static_cast<unsigned>(size * 8), 0);
}

clang::QualType typeOfMemory(const clang::Expr* place) {
  clang::QualType type = place->getType();
  while (true) {
    place = place->IgnoreParenImpCasts();
    if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(place)) {
      const auto* field = llvm::dyn_cast<clang::FieldDecl>(member->getMemberDecl());
      const clang::QualType base = member->getBase()->getType();
      if (field && field->getParent()->isUnion()) type = member->isArrow() ? base->getPointeeType() : base;
      if (member->isArrow()) return type;
      place = member->getBase();
    } else if (const auto* subscript = llvm::dyn_cast<clang::ArraySubscriptExpr>(place)) {
      place = subscript->getBase()->IgnoreParenImpCasts();
      if (!place->getType()->isArrayType()) return type;
    } else {
      return type;
    }
  }
}

/// True for a bit-field of more bits than an int has, and less than its type.
static bool isWideBitField(const clang::ASTContext& context, const clang::Expr* place) {
  const clang::FieldDecl* field = place->getSourceBitField();
  return field && field->getBitWidthValue(context) > context.getTypeSize(context.IntTy) &&
         field->getBitWidthValue(context) < context.getTypeSize(field->getType());
}

/// True when the type of the value `expr` is that of such a bit-field.
static bool isAsWide(const clang::ASTContext& context, const clang::Expr* expr) {
  expr = expr->IgnoreParens();
  auto isWide = [&](const clang::Expr* operand) { return isAsWide(context, operand); };
  if (const auto* choice = llvm::dyn_cast<clang::AbstractConditionalOperator>(expr))
    return isWide(choice->getTrueExpr()) || isWide(choice->getFalseExpr());
  if (const auto* op = llvm::dyn_cast<clang::UnaryOperator>(expr))
    return op->isArithmeticOp() && op->getOpcode() != clang::UO_LNot && isWide(op->getSubExpr());
  if (const auto* op = llvm::dyn_cast<clang::BinaryOperator>(expr)) {
    if (op->isComparisonOp() || op->isLogicalOp() || op->isAssignmentOp()) return false;
    return isWide(op->getLHS()) || (!op->isShiftOp() && isWide(op->getRHS()));
  }
  const auto* load = llvm::dyn_cast<clang::ImplicitCastExpr>(expr);
  return load && load->getCastKind() == clang::CK_LValueToRValue &&
         isWideBitField(context, load->getSubExpr());
}

bool dependsOnWidth(const clang::ASTContext& context, const clang::Stmt* part) {
  if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(part))
    return (unary->getOpcode() == clang::UO_Minus || unary->getOpcode() == clang::UO_Not) &&
           isAsWide(context, unary->getSubExpr());
  const auto* op = llvm::dyn_cast<clang::BinaryOperator>(part);
  if (!op || op->isLogicalOp() || op->getOpcode() == clang::BO_Comma || op->getOpcode() == clang::BO_Assign)
    return false;
  // What is stored keeps its last bits, which only a division takes from others.
  const bool isStored = op->isCompoundAssignmentOp();
  if (isStored && op->getOpcode() != clang::BO_DivAssign && op->getOpcode() != clang::BO_RemAssign)
    return false;
  const clang::Expr *wide = op->getLHS(), *other = op->getRHS();
  const bool isLeft = isStored ? isWideBitField(context, wide) : isAsWide(context, wide);
  if (op->isShiftOp()) return isLeft && op->getOpcode() == clang::BO_Shl;
  const bool isRight = isAsWide(context, other);
  if (!isLeft && !isRight) return false;
  if (!isLeft) std::swap(wide, other);
  wide = wide->IgnoreParenImpCasts();
  other = other->IgnoreParenImpCasts();
  if (!other->getType()->isIntegralOrEnumerationType()) return false;
  const bool isSigned = wide->getType()->isSignedIntegerOrEnumerationType();
  const bool isOtherSigned = other->getType()->isSignedIntegerOrEnumerationType();
  const bool isCounted = op->getOpcode() == clang::BO_Mul || op->isAdditiveOp();
  if (isLeft && isRight) return isCounted || isSigned != isOtherSigned;
  clang::Expr::EvalResult known;
  const bool isNegative =
      isOtherSigned && !(other->EvaluateAsInt(known, context) && !known.Val.getInt().isNegative());
  if (!isSigned && isNegative) return true;
  // The type of both is the other one's, or holds what they are.
  const bool isOthers = context.getTypeSize(other->getType()) >= context.getTypeSize(wide->getType()) &&
                        !other->getSourceBitField() && (isSigned || !isOtherSigned);
  return isCounted && !isOthers;
}

} // namespace warploom
