#include "frontend/ClangText.h"

#include <clang/Basic/SourceManager.h>
#include <clang/Lex/Lexer.h>

namespace warploom {

SourceRange sourceRange(const clang::ASTContext& context, clang::SourceRange range) {
  const clang::SourceManager& sources = context.getSourceManager();
  clang::CharSourceRange text = sources.getExpansionRange(range);
  clang::SourceLocation begin = text.getBegin(), end = text.getEnd();
  if (begin.isInvalid() || end.isInvalid()) return {};
  if (text.isTokenRange()) end = clang::Lexer::getLocForEndOfToken(end, 0, sources, context.getLangOpts());
  if (end.isInvalid()) end = text.getEnd();
  SourceRange result;
  result.line = sources.getExpansionLineNumber(begin);
  result.column = sources.getExpansionColumnNumber(begin);
  result.endLine = sources.getExpansionLineNumber(end);
  result.endColumn = sources.getExpansionColumnNumber(end);
  result.begin = sources.getFileOffset(begin);
  result.end = sources.getFileOffset(end);
  return result;
}

std::string sourceText(const clang::ASTContext& context, clang::SourceRange range) {
  const clang::SourceManager& sources = context.getSourceManager();
  clang::CharSourceRange expansion = sources.getExpansionRange(range);
  llvm::StringRef text = clang::Lexer::getSourceText(expansion, sources, context.getLangOpts());
  std::string line;
  bool space = false;
  for (char c : text) {
    if (std::isspace(static_cast<unsigned char>(c))) {
      space = !line.empty();
      continue;
    }
    if (space) line += ' ';
    space = false;
    line += c;
  }
  return line;
}

Type modelType(const clang::ASTContext& context, clang::QualType type) {
  Type result;
  if (type.isNull()) return result;
  result.spelling = type.getUnqualifiedType().getAsString(clang::PrintingPolicy(context.getLangOpts()));
  const clang::Type* canonical = type.getCanonicalType().getTypePtr();
  if (!canonical->isIncompleteType() && !canonical->isDependentType() && !canonical->isFunctionType() &&
      !canonical->isVariableArrayType())
    result.bits = static_cast<unsigned>(context.getTypeSize(type));
  using Kind = Type::Kind;
  if (canonical->isVoidType())
    result.kind = Kind::Void;
  else if (canonical->isBooleanType())
    result.kind = Kind::Bool;
  else if (canonical->isAnyComplexType())
    result.kind = Kind::Complex;
  else if (canonical->isRealFloatingType())
    result.kind = Kind::Float;
  else if (canonical->isSignedIntegerOrEnumerationType())
    result.kind = Kind::SignedInt;
  else if (canonical->isUnsignedIntegerOrEnumerationType())
    result.kind = Kind::UnsignedInt;
  else if (canonical->isPointerType())
    result.kind = Kind::Pointer;
  else if (canonical->isRecordType())
    result.kind = Kind::Struct;
  return result;
}

} // namespace warploom
