// Bit-fields and members of small unions: what they hold, and what assigning to them makes of the number that
// they are bits of. Other bits of it are read and written again, so neighbours are one element.
#include "frontend/RegionReader.h"
#include "frontend/StorageUnits.h"
#include "frontend/ClangText.h"
#include "model/MathFunctions.h"

#include <algorithm>
#include <fmt/format.h>

namespace warploom {

bool RegionReader::enterUnit(Reach& reach, const clang::FieldDecl* field) {
  const clang::ASTContext& context = input.context;
  Unit part = reach.unit.value_or(Unit());
  part.type = field->getType();
  part.offset += static_cast<long>(context.getFieldOffset(field));
  part.bits = field->isBitField() ? static_cast<long>(field->getBitWidthValue(context)) : 0;
  if (reach.unit) {
    reach.unit = part;
    return true;
  }
  if (const clang::QualType number = numberOfUnion(context, field->getParent()); !number.isNull()) {
    // A variable of the function's has no name as a number.
    if (!reach.pointee && reach.steps.empty() && reach.subscripts.empty()) return false;
    part.number = number;
    if (!reach.steps.empty()) reach.steps.back().isNumber = true;
    reach.unit = part;
    return true;
  }
  if (!field->isBitField()) return false;
  for (const BitUnit& unit : bitUnitsOf(context, field->getParent())) {
    if (std::find(unit.parts.begin(), unit.parts.end(), field) == unit.parts.end()) continue;
    part.number = unit.type;
    part.offset -= unit.offset * 8;
    if (reach.steps.empty()) {
      reach.outerRank = reach.subscripts.size();
      reach.outer = context.getRecordType(field->getParent());
    }
    reach.path += "." + unit.name;
    reach.steps.push_back({unit.name, "", 0, unit.type, unit.offset, true});
    reach.unit = part;
    return true;
  }
  return false;
}

std::optional<RegionReader::Unit> RegionReader::unitOf(const clang::Expr* lvalue) {
  return reachInRows(lvalue).unit;
}

namespace {

ExprPtr binary(const std::string& op, const ExprPtr& left, const ExprPtr& right, const Type& type) {
  return makeExpr(Expr::Kind::Binary, op, type, {left, right}, left->range);
}

ExprPtr cast(const ExprPtr& value, const Type& type) {
  return makeExpr(Expr::Kind::Cast, "", type, {value}, value->range);
}

ExprPtr literal(unsigned long value, const Type& type, const SourceRange& at) {
  const bool isSigned = type.kind == Type::Kind::SignedInt;
  return makeExpr(Expr::Kind::Literal,
                  std::to_string(value) + (isSigned ? "" : type.bits > 32 ? "ul" : "u"), type, {}, at);
}

unsigned long onesOf(long bits) { return bits >= 64 ? ~0UL : (1UL << bits) - 1; }

} // namespace

ExprPtr RegionReader::partOfUnit(const Unit& unit, const ExprPtr& number) const {
  const clang::ASTContext& context = input.context;
  const long all = std::max<long>(32, static_cast<long>(context.getTypeSize(unit.number)));
  const long own = unit.bits > 0 ? unit.bits : static_cast<long>(context.getTypeSize(unit.type));
  auto whole = [&](long bits, bool isSigned) {
    return modelType(context, context.getIntTypeForBitwidth(static_cast<unsigned>(bits), isSigned));
  };
  const Type type = modelType(context, unit.type), integer = modelType(context, context.IntTy);
  if (type.kind == Type::Kind::Float) {
    ExprPtr bits = number;
    if (own < static_cast<long>(context.getTypeSize(unit.number)))
      bits = cast(binary(">>", number, literal(static_cast<unsigned long>(unit.offset), integer, number->range),
                         number->type),
                  whole(own, false));
    return makeExpr(Expr::Kind::Call, std::string(copiesBits), type, {bits}, number->range);
  }
  const bool isSigned = type.kind == Type::Kind::SignedInt;
  ExprPtr value = number;
  if (isSigned) {
    // The sign comes down with the bits.
    const Type wide = whole(all, false), wideSigned = whole(all, true);
    if (static_cast<long>(value->type.bits) != all) value = cast(value, wide);
    if (const long up = all - unit.offset - own; up > 0)
      value = binary("<<", value, literal(static_cast<unsigned long>(up), integer, number->range), wide);
    value = cast(value, wideSigned);
    if (own < all)
      value = binary(">>", value, literal(static_cast<unsigned long>(all - own), integer, number->range), wideSigned);
  } else {
    const Type wide = whole(all, false);
    if (static_cast<long>(value->type.bits) != all) value = cast(value, wide);
    if (unit.offset > 0)
      value = binary(">>", value, literal(static_cast<unsigned long>(unit.offset), integer, number->range), wide);
    if (unit.offset + own < all) value = binary("&", value, literal(onesOf(own), wide, number->range), wide);
  }
  // As C promotes it: a bit-field of less bits than an int has is one.
  const bool isPromoted = own < 32 || (own == 32 && isSigned);
  return cast(value, isPromoted ? integer : own == 32 ? whole(32, false) : type);
}

ExprPtr RegionReader::withPart(const Unit& unit, const ExprPtr& number, ExprPtr value) const {
  const clang::ASTContext& context = input.context;
  const auto size = static_cast<long>(context.getTypeSize(unit.number));
  const long all = std::max<long>(32, size);
  const long own = unit.bits > 0 ? unit.bits : static_cast<long>(context.getTypeSize(unit.type));
  const Type wide = modelType(context, context.getIntTypeForBitwidth(static_cast<unsigned>(all), 0)),
             integer = modelType(context, context.IntTy), type = modelType(context, unit.type);
  // In the type of the member, whatever it is computed in.
  value = cast(value, type);
  if (type.kind == Type::Kind::Float)
    value = makeExpr(Expr::Kind::Call, std::string(copiesBits),
                     modelType(context, context.getIntTypeForBitwidth(static_cast<unsigned>(own), 0)), {value},
                     value->range);
  if (own == size) return type.kind == Type::Kind::Float ? value : cast(value, number->type);
  value = binary("&", cast(value, wide), literal(onesOf(own), wide, value->range), wide);
  if (unit.offset > 0)
    value = binary("<<", value, literal(static_cast<unsigned long>(unit.offset), integer, value->range), wide);
  const unsigned long others = onesOf(size) & ~(onesOf(own) << unit.offset);
  return binary("|", binary("&", number, literal(others, wide, value->range), wide), value, wide);
}

ExprPtr RegionReader::assignedToUnit(const clang::Expr* at, const clang::Expr* target, const Unit& unit,
                                     const std::string& op, ExprPtr value, RawStatement& statement) {
  if (unit.isUnknown) {
    unsupported = "which part of a union `" + textOf(target) + "` is, only data tell";
    return nullptr;
  }
  if (op != "=") {
    const auto* compound = llvm::dyn_cast<clang::CompoundAssignOperator>(at);
    const clang::QualType type = compound ? compound->getComputationResultType() : target->getType();
    ExprPtr old = loadOf(target, statement);
    if (!old) return nullptr;
    value = binary(op.substr(0, op.size() - 1), old, value, modelType(input.context, type));
  }
  ExprPtr number = accessOf(target, Access::Kind::Read, statement, true);
  return number ? withPart(unit, number, value) : nullptr;
}

} // namespace warploom
