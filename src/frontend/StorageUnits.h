// What has no memory of its own in C, the members of a union and bit-fields, as bits of numbers that have: a
// small union is one number, and so is every run of bit-fields that shares no byte with anything else.
#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <string>
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

} // namespace warploom
