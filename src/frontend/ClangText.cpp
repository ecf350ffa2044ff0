#include "frontend/ClangText.h"

#include "frontend/StorageUnits.h"

#include <clang/AST/Attr.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/PrettyPrinter.h>
#include <clang/AST/RecordLayout.h>
#include <clang/AST/StmtCXX.h>
#include <clang/AST/StmtOpenMP.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Lex/Lexer.h>
#include <filesystem>

namespace warploom {

namespace {

/// The line as `#line` counts it.
unsigned lineOf(const clang::SourceManager& sources, clang::SourceLocation at) {
  const clang::PresumedLoc presumed = sources.getPresumedLoc(at);
  return presumed.isInvalid() ? sources.getExpansionLineNumber(at) : presumed.getLine();
}

/// `at`, or where the main file includes the one that it is in, by itself or through others.
clang::SourceLocation inMainFile(const clang::SourceManager& sources, clang::SourceLocation at) {
  while (at.isValid() && !sources.isInMainFile(at)) {
    const clang::SourceLocation includes = sources.getIncludeLoc(sources.getFileID(at));
    if (includes.isInvalid()) return at; // it is in no file: what the command line defines
    at = includes;
  }
  return at;
}

} // namespace

SourceRange sourceRange(const clang::ASTContext& context, clang::SourceRange range) {
  const clang::SourceManager& sources = context.getSourceManager();
  clang::CharSourceRange text = sources.getExpansionRange(range);
  clang::SourceLocation begin = inMainFile(sources, text.getBegin()),
                        end = inMainFile(sources, text.getEnd());
  if (begin.isInvalid() || end.isInvalid()) return {};
  if (text.isTokenRange()) end = clang::Lexer::getLocForEndOfToken(end, 0, sources, context.getLangOpts());
  if (end.isInvalid()) end = text.getEnd();
  SourceRange result;
  result.line = lineOf(sources, begin);
  result.column = sources.getExpansionColumnNumber(begin);
  result.endLine = lineOf(sources, end);
  result.endColumn = sources.getExpansionColumnNumber(end);
  result.begin = sources.getFileOffset(begin);
  result.end = sources.getFileOffset(end);
  return result;
}

bool isFromElsewhere(const clang::SourceManager& sources, clang::SourceLocation at) {
  at = inMainFile(sources, sources.getExpansionLoc(at));
  const clang::PresumedLoc presumed = sources.getPresumedLoc(at);
  // Text that was made from the user's says so, with the name that the user has given.
  // What the compiler itself defines has a place in no file, and there is no absolute path of "".
  auto path = [](llvm::StringRef name) {
    return name.empty() ? std::filesystem::path() : std::filesystem::absolute(name.str()).lexically_normal();
  };
  return presumed.isValid() && path(presumed.getFilename()) != path(sources.getFilename(at));
}

std::string fileOf(const clang::ASTContext& context, const clang::Stmt* statement, const std::string& file) {
  const clang::SourceManager& sources = context.getSourceManager();
  const clang::SourceLocation at = statement->getBeginLoc();
  if (!isFromElsewhere(sources, at)) return file;
  return sources.getPresumedLoc(inMainFile(sources, sources.getExpansionLoc(at))).getFilename();
}

clang::SourceLocation endOf(const clang::Stmt* statement) {
  for (const clang::Stmt* part = statement; part;) {
    statement = part;
    part = nullptr;
    if (const auto* loop = llvm::dyn_cast<clang::ForStmt>(statement))
      part = loop->getBody();
    else if (const auto* while_ = llvm::dyn_cast<clang::WhileStmt>(statement))
      part = while_->getBody();
    else if (const auto* each = llvm::dyn_cast<clang::CXXForRangeStmt>(statement))
      part = each->getBody();
    else if (const auto* branch = llvm::dyn_cast<clang::IfStmt>(statement))
      part = branch->getElse() ? branch->getElse() : branch->getThen();
    else if (const auto* choice = llvm::dyn_cast<clang::SwitchStmt>(statement))
      part = choice->getBody();
    else if (const auto* label = llvm::dyn_cast<clang::LabelStmt>(statement))
      part = label->getSubStmt();
    else if (const auto* value = llvm::dyn_cast<clang::SwitchCase>(statement))
      part = value->getSubStmt();
    else if (const auto* attributed = llvm::dyn_cast<clang::AttributedStmt>(statement))
      part = attributed->getSubStmt();
    else if (const auto* captured = llvm::dyn_cast<clang::CapturedStmt>(statement))
      part = captured->getCapturedStmt();
    else if (const auto* directive = llvm::dyn_cast<clang::OMPExecutableDirective>(statement))
      part = directive->hasAssociatedStmt() ? directive->getRawStmt() : nullptr;
  }
  return statement->getEndLoc();
}

SourceRange sourceRange(const clang::ASTContext& context, const clang::Stmt* statement) {
  return sourceRange(context, clang::SourceRange(statement->getBeginLoc(), endOf(statement)));
}

namespace {

/// `text` on one line, runs of white space folded.
std::string onOneLine(llvm::StringRef text) {
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

/// The C text of `expr` itself, macros expanded. What leads to a place has no parentheses that only a macro
/// needs: `(m)->stride` for `m` is `m->stride`, as it is elsewhere.
std::string printed(const clang::ASTContext& context, const clang::Stmt* statement) {
  clang::PrintingPolicy policy(context.getLangOpts());
  struct Paths : clang::PrinterHelper {
    const clang::PrintingPolicy& policy;
    explicit Paths(const clang::PrintingPolicy& policy) : policy(policy) {}
    bool handledStmt(clang::Stmt* part, llvm::raw_ostream& out) override {
      const auto* parens = llvm::dyn_cast<clang::ParenExpr>(part);
      if (!parens) return false;
      const clang::Expr* inner = parens->IgnoreParens();
      bool binds = llvm::isa<clang::DeclRefExpr>(inner) || llvm::isa<clang::MemberExpr>(inner) ||
                   llvm::isa<clang::ArraySubscriptExpr>(inner) || llvm::isa<clang::IntegerLiteral>(inner);
      if (!binds) return false;
      inner->printPretty(out, this, policy);
      return true;
    }
  } paths(policy);
  std::string text;
  llvm::raw_string_ostream out(text);
  statement->printPretty(out, &paths, policy);
  return onOneLine(text);
}

} // namespace

std::string sourceText(const clang::ASTContext& context, clang::SourceRange range) {
  const clang::SourceManager& sources = context.getSourceManager();
  return onOneLine(
      clang::Lexer::getSourceText(sources.getExpansionRange(range), sources, context.getLangOpts()));
}

std::string sourceText(const clang::ASTContext& context, const clang::Stmt* statement) {
  const clang::SourceRange range(statement->getBeginLoc(), endOf(statement));
  if (!range.getBegin().isMacroID() && !range.getEnd().isMacroID()) return sourceText(context, range);
  const auto* expr = llvm::dyn_cast<clang::Expr>(statement);
  if (!expr) return sourceText(context, range);
  expr = expr->IgnoreParenImpCasts();
  bool isPlace = llvm::isa<clang::MemberExpr>(expr) || llvm::isa<clang::ArraySubscriptExpr>(expr) ||
                 llvm::isa<clang::UnaryOperator>(expr);
  clang::CharSourceRange whole = clang::Lexer::makeFileCharRange(
      clang::CharSourceRange::getTokenRange(range), context.getSourceManager(), context.getLangOpts());
  // A place has one name, however many macros lead to it.
  if (isPlace || whole.isInvalid()) return printed(context, statement);
  return onOneLine(clang::Lexer::getSourceText(whole, context.getSourceManager(), context.getLangOpts()));
}

std::string fieldName(const clang::FieldDecl* field) {
  std::string name = field->getNameAsString();
  return name.empty() ? "part" + std::to_string(field->getFieldIndex()) : name;
}

namespace {

/// Why the struct `record` cannot be defined again by its fields' types alone; empty when it can.
std::string recordProblem(const clang::ASTContext& context, const clang::RecordDecl* record) {
  if (record->isUnion()) return "is a union";
  if (const auto* type = llvm::dyn_cast<clang::CXXRecordDecl>(record);
      type && !(type->isTrivial() && type->isStandardLayout()))
    return "is not a plain struct of C";
  auto moved = [](const clang::Decl* decl) {
    return decl->hasAttr<clang::PackedAttr>() || decl->hasAttr<clang::AlignedAttr>() ||
           decl->hasAttr<clang::MaxFieldAlignmentAttr>();
  };
  if (moved(record)) return "is packed or aligned in a way of its own";
  if (record->field_empty()) return "has no fields";
  if (record->hasFlexibleArrayMember()) return "ends in an array without a size";
  for (const clang::FieldDecl* field : record->fields()) {
    if (field->isBitField() && bitUnitsOf(context, record).empty())
      return "has the bit-field `" + field->getNameAsString() + "`";
    if (moved(field)) return "aligns `" + field->getNameAsString() + "` in a way of its own";
    if (field->getType().isVolatileQualified()) return "has volatile parts";
    if (context.getTypeSizeInChars(field->getType()).isZero())
      return "has the empty part `" + field->getNameAsString() + "`";
  }
  return {};
}

/// True when fields of these types, one after the other, lie where those of `record` do.
bool followsFields(const Record& record) {
  auto aligned = [](long at, long alignment) { return (at + alignment - 1) / alignment * alignment; };
  long end = 0;
  for (const Field& field : record.fields) {
    if (aligned(end, field.alignment) != field.offset) return false;
    end = field.offset + field.size;
  }
  return aligned(end, record.alignment) == record.size;
}

std::shared_ptr<const Record> recordOf(const clang::ASTContext& context, const clang::RecordDecl* record) {
  auto result = std::make_shared<Record>();
  if (const clang::TypedefNameDecl* named = record->getTypedefNameForAnonDecl())
    result->name = named->getNameAsString();
  else
    result->name = record->getNameAsString();
  // Structs of functions may share a name, and those without one have to get one.
  bool hidden = !record->getDeclContext()->getRedeclContext()->isFileContext();
  if (hidden || result->name.empty())
    result->name += (result->name.empty() ? "struct_" : "_") +
                    std::to_string(sourceRange(context, record->getSourceRange()).line);
  result->problem = recordProblem(context, record);
  const clang::ASTRecordLayout& layout = context.getASTRecordLayout(record);
  result->size = layout.getSize().getQuantity();
  result->alignment = layout.getAlignment().getQuantity();
  for (const BitUnit& unit : bitUnitsOf(context, record)) {
    const long size = context.getTypeSizeInChars(unit.type).getQuantity();
    result->fields.push_back({unit.name, modelType(context, unit.type), {}, unit.offset, size, size});
  }
  for (const clang::FieldDecl* from : record->fields()) {
    if (from->isBitField()) continue;
    Field field;
    field.name = fieldName(from);
    field.offset = static_cast<long>(layout.getFieldOffset(from->getFieldIndex())) / 8;
    clang::QualType type = from->getType();
    field.size = context.getTypeSizeInChars(type).getQuantity();
    field.alignment = context.getTypeAlignInChars(type).getQuantity();
    while (const clang::ConstantArrayType* array = context.getAsConstantArrayType(type)) {
      field.extents.push_back(static_cast<long>(array->getSize().getZExtValue()));
      type = array->getElementType();
    }
    const auto* part = type->getAsRecordDecl();
    const clang::QualType number = part ? numberOfUnion(context, part) : clang::QualType();
    field.type = modelType(context, number.isNull() ? type : number);
    result->fields.push_back(field);
  }
  std::stable_sort(result->fields.begin(), result->fields.end(),
                   [](const Field& a, const Field& b) { return a.offset < b.offset; });
  if (result->problem.empty() && !followsFields(*result))
    result->problem = "has gaps where its bit-fields are";
  return result;
}

} // namespace

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
  else if (canonical->isComplexType()) // GNU's integer ones are another kind
    result.kind = Kind::Complex;
  else if (canonical->isRealFloatingType())
    result.kind = Kind::Float;
  else if (canonical->isSignedIntegerOrEnumerationType())
    result.kind = Kind::SignedInt;
  else if (canonical->isUnsignedIntegerOrEnumerationType())
    result.kind = Kind::UnsignedInt;
  else if (canonical->isPointerType())
    result.kind = Kind::Pointer;
  else if (const auto* record = canonical->getAs<clang::RecordType>()) {
    result.kind = Kind::Struct;
    const clang::RecordDecl* definition = record->getDecl()->getDefinition();
    if (definition && !definition->isDependentType() && !definition->isInvalidDecl())
      result.record = recordOf(context, definition);
  }
  return result;
}

const clang::VarDecl* namedVariable(const clang::Expr* expr) {
  const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(expr->IgnoreParenImpCasts());
  return reference ? llvm::dyn_cast<clang::VarDecl>(reference->getDecl()) : nullptr;
}

std::optional<long> constantOf(const clang::Expr* expr, const clang::ASTContext& context) {
  if (expr->isValueDependent() || !expr->getType()->isIntegralOrEnumerationType()) return std::nullopt;
  clang::Expr::EvalResult result;
  if (!expr->EvaluateAsInt(result, context, clang::Expr::SE_NoSideEffects)) return std::nullopt;
  const llvm::APSInt& value = result.Val.getInt();
  if (!value.isRepresentableByInt64()) return std::nullopt;
  return value.getExtValue();
}

} // namespace warploom
