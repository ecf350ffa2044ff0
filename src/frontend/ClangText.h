// From Clang's source locations and types to the model's plain values.
#pragma once

#include "model/Expr.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Expr.h>
#include <optional>

namespace warploom {

/// The text of `range` in the main file, macro uses included whole; of what stands in an included file, the
/// name in `#include`.
SourceRange sourceRange(const clang::ASTContext& context, clang::SourceRange range);

/// True when `#line` tells that what stands at `at` in the main file comes from another one.
bool isFromElsewhere(const clang::SourceManager& sources, clang::SourceLocation at);

/// The file that `statement` comes from, as `#line` in the main file, called `file`, tells.
std::string fileOf(const clang::ASTContext& context, const clang::Stmt* statement, const std::string& file);

/// Where `statement` ends. Clang lets a directive end with its line, and so all that it is the body of.
clang::SourceLocation endOf(const clang::Stmt* statement);

/// The text of `statement` in the main file, likewise.
SourceRange sourceRange(const clang::ASTContext& context, const clang::Stmt* statement);

/// The source text of `range` on one line, runs of white space folded, comments kept.
std::string sourceText(const clang::ASTContext& context, clang::SourceRange range);

/// The text of `statement` on one line. An expression that begins or ends inside a macro is printed as what
/// it is: the macro's use in the source may be more than it, or less.
std::string sourceText(const clang::ASTContext& context, const clang::Stmt* statement);

/// The name of `field` in Record::fields: its own, or one for the part that has none.
std::string fieldName(const clang::FieldDecl* field);

/// The model's view of `type`.
Type modelType(const clang::ASTContext& context, clang::QualType type);

/// The integer constant that `expr` is, if it is one.
std::optional<long> constantOf(const clang::Expr* expr, const clang::ASTContext& context);

/// The variable that `expr` names, whatever it is converted to; null for all else.
const clang::VarDecl* namedVariable(const clang::Expr* expr);

} // namespace warploom
