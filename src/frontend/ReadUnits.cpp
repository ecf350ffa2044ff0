// Bit-fields and members of small unions: what they hold, and what assigning to them makes of the number that
// they are bits of. Other bits of it are read and written again, so neighbours are one element.
#include "frontend/ClangText.h"
#include "frontend/RegionReader.h"
#include "frontend/StorageUnits.h"
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

ExprPtr RegionReader::bitNumber(long value, const SourceRange& at) const {
  return makeExpr(Expr::Kind::Literal, std::to_string(value), modelType(input.context, input.context.IntTy),
                  {}, at);
}

Type RegionReader::wholeType(long bits, bool isSigned) const {
  return modelType(input.context, input.context.getIntTypeForBitwidth(static_cast<unsigned>(bits), isSigned));
}

ExprPtr RegionReader::partOfUnit(const Unit& unit, const ExprPtr& number) const {
  const auto size = static_cast<long>(input.context.getTypeSize(unit.number));
  const long own = unit.bits > 0 ? unit.bits : static_cast<long>(input.context.getTypeSize(unit.type));
  const Type type = modelType(input.context, unit.type);
  const SourceRange& at = number->range;
  auto part = [&](std::string_view name, const Type& of) {
    return makeExpr(Expr::Kind::Call, std::string(name), of,
                    {number, bitNumber(unit.offset, at), bitNumber(own, at)}, at);
  };
  if (type.kind == Type::Kind::Float)
    return makeExpr(Expr::Kind::Call, std::string(copiesBits), type,
                    {own == size ? number : part(bitsOf, wholeType(own, false))}, at);
  // As C promotes it: a bit-field of less bits than an int has is one.
  const bool isSigned = type.kind == Type::Kind::SignedInt;
  const Type promoted = own < 32 || (own == 32 && isSigned) ? wholeType(32, true)
                        : own == 32                         ? wholeType(32, false)
                                                            : type;
  if (own == size && own >= 32)
    return isSigned ? makeExpr(Expr::Kind::Cast, "", promoted, {number}, at) : number;
  return part(isSigned ? signedBitsOf : bitsOf, promoted);
}

ExprPtr RegionReader::withPart(const Unit& unit, const ExprPtr& number, ExprPtr value) const {
  const auto size = static_cast<long>(input.context.getTypeSize(unit.number));
  const long own = unit.bits > 0 ? unit.bits : static_cast<long>(input.context.getTypeSize(unit.type));
  const Type type = modelType(input.context, unit.type);
  const SourceRange at = value->range;
  // Integers keep their last bits; any other value becomes what the member is.
  const bool isConverted = !value->type.isInteger() || !type.isInteger() || type.kind == Type::Kind::Bool;
  if (isConverted && (value->type.kind != type.kind || value->type.bits != type.bits))
    value = makeExpr(Expr::Kind::Cast, "", type, {value}, at);
  if (type.kind == Type::Kind::Float)
    value = makeExpr(Expr::Kind::Call, std::string(copiesBits), wholeType(own, false), {value}, at);
  if (own == size)
    return value->type.kind == number->type.kind && value->type.bits == number->type.bits
               ? value
               : makeExpr(Expr::Kind::Cast, "", number->type, {value}, at);
  return makeExpr(Expr::Kind::Call, std::string(withBits), number->type,
                  {number, bitNumber(unit.offset, at), bitNumber(own, at), value}, at);
}

ExprPtr RegionReader::assignedToUnit(const clang::Expr* at, const clang::Expr* target, const Unit& unit,
                                     const std::string& op, ExprPtr value, RawStatement& statement) {
  if (unit.isUnknown) {
    unsupported = "which part of a union `" + textOf(target) + "` is, only data tell";
    return nullptr;
  }
  if (op != "=") {
    const auto* compound = llvm::dyn_cast<clang::CompoundAssignOperator>(at);
    clang::QualType type = compound ? compound->getComputationResultType() : target->getType();
    if (type->isBooleanType()) type = input.context.IntTy; // one more than true is no truth
    ExprPtr old = loadOf(target, statement);
    if (!old) return nullptr;
    value = makeExpr(Expr::Kind::Binary, op.substr(0, op.size() - 1), modelType(input.context, type),
                     {old, value}, value->range);
  }
  ExprPtr number = accessOf(target, Access::Kind::Read, statement, true);
  return number ? withPart(unit, number, value) : nullptr;
}

} // namespace warploom
