// What has no memory of its own in C, the members of a union and bit-fields, as bits of numbers that have: a
// small union is one number, and so is every run of bit-fields that shares no byte with anything else.
#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <string>
#include <string_view>
#include <vector>

namespace warploom {

/// A number in a struct that bit-fields are parts of.
struct BitUnit {
  std::string name; ///< of the field that it is, in Record::fields
  long offset = 0;  ///< in bytes
  clang::QualType type;
  std::vector<const clang::FieldDecl*> parts; ///< the bit-fields
};

/// The numbers of which the bit-fields of the struct `record` are parts; none where there is a bit-field
/// that is part of no such number: it shares bytes with something else.
std::vector<BitUnit> bitUnitsOf(const clang::ASTContext& context, const clang::RecordDecl* record);

/// The number that the union `record` is: of 1, 2, 4 or 8 bytes, with nothing but numbers in it. A null type
/// where it is none.
clang::QualType numberOfUnion(const clang::ASTContext& context, const clang::RecordDecl* record);

inline constexpr std::string_view widthDiffers =
    "computes with a bit-field wider than int: in how many bits, compilers differ";
/// The type of what writing the lvalue `place` changes: of the outermost union that it is a part of; else its
/// own.
clang::QualType typeOfMemory(const clang::Expr* place);

/// True where what `part` computes depends on how many bits it is computed in, and one of its operands is a
/// bit-field of more bits than an int has: for some compilers its type has just these, for others it is the
/// one that was declared.
bool dependsOnWidth(const clang::ASTContext& context, const clang::Stmt* part);

} // namespace warploom
