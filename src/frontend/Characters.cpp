#include "frontend/Characters.h"

#include "model/CharacterFunctions.h"

#include <clang/AST/Expr.h>
#include <clang/Basic/SourceManager.h>
#include <functional>
#include <map>
#include <optional>
#include <string>

namespace warploom {

namespace {

/// The function that the file declares as `name`; null when there is none.
clang::FunctionDecl* declared(const clang::ASTContext& context, llvm::StringRef name) {
  for (clang::NamedDecl* one :
       context.getTranslationUnitDecl()->lookup(&const_cast<clang::ASTContext&>(context).Idents.get(name)))
    if (auto* function = llvm::dyn_cast<clang::FunctionDecl>(one)) return function;
  return nullptr;
}

/// A look-up in one of the locale's tables: by which function it finds the table, and where it looks.
struct LookUp {
  std::string table;
  clang::Expr* character = nullptr;
};

/// What `(*__ctype_b_loc())[c]` is; nothing where `expr` is something else.
std::optional<LookUp> lookUpOf(clang::Expr* expr) {
  auto* subscript = llvm::dyn_cast<clang::ArraySubscriptExpr>(expr->IgnoreParenImpCasts());
  if (!subscript) return std::nullopt;
  const auto* deref = llvm::dyn_cast<clang::UnaryOperator>(subscript->getBase()->IgnoreParenImpCasts());
  if (!deref || deref->getOpcode() != clang::UO_Deref) return std::nullopt;
  const auto* call = llvm::dyn_cast<clang::CallExpr>(deref->getSubExpr()->IgnoreParenImpCasts());
  const clang::FunctionDecl* callee = call ? call->getDirectCallee() : nullptr;
  if (!callee || !callee->getIdentifier() || !callee->getName().starts_with("__ctype_") || callee->hasBody())
    return std::nullopt;
  return LookUp{callee->getName().str(), subscript->getIdx()};
}

class LookUps {
public:
  explicit LookUps(clang::ASTContext& context) : context(context) {}

  void replaceIn(clang::Stmt* parent) {
    for (clang::Stmt*& child : parent->children()) {
      if (!child) continue;
      if (auto* expr = llvm::dyn_cast<clang::Expr>(child))
        if (clang::Expr* call = calling(expr)) child = call;
      replaceIn(child);
    }
  }

private:
  /// The call that `expr` stands for; null when it stands for none.
  clang::Expr* calling(clang::Expr* expr) {
    if (auto* test = llvm::dyn_cast<clang::BinaryOperator>(expr);
        test && test->getOpcode() == clang::BO_And &&
        test->getType()->isSpecificBuiltinType(clang::BuiltinType::Int)) {
      const auto look = lookUpOf(test->getLHS());
      clang::Expr::EvalResult mask;
      if (!look || look->table != "__ctype_b_loc" || !test->getRHS()->EvaluateAsInt(mask, context))
        return nullptr;
      const auto found = classes().find(mask.Val.getInt().getExtValue());
      return found == classes().end() ? nullptr : call(found->second, look->character);
    }
    if (llvm::isa<clang::ArraySubscriptExpr>(expr)) return nullptr; // its value is read around it
    if (const auto* load = llvm::dyn_cast<clang::ImplicitCastExpr>(expr);
        load && load->getCastKind() == clang::CK_LValueToRValue)
      return converting(load->getSubExpr());
    return llvm::isa<clang::StmtExpr>(expr) ? inBlock(expr) : nullptr;
  }

  /// What toupper and tolower read.
  clang::Expr* converting(const clang::Expr* place) {
    const auto look = lookUpOf(const_cast<clang::Expr*>(place));
    if (!look) return nullptr;
    if (look->table == "__ctype_toupper_loc") return call("toupper", look->character);
    return look->table == "__ctype_tolower_loc" ? call("tolower", look->character) : nullptr;
  }

  /// The block of statements that the header makes of toupper(c) and tolower(c) ends with a look-up at c.
  clang::Expr* inBlock(clang::Expr* block) {
    const clang::SourceManager& sources = context.getSourceManager();
    const clang::SourceLocation at = block->getBeginLoc();
    if (!at.isMacroID() || !sources.isInSystemHeader(sources.getSpellingLoc(at))) return nullptr;
    clang::Expr* result = nullptr;
    std::function<void(clang::Stmt*)> look = [&](clang::Stmt* part) {
      const auto* load = llvm::dyn_cast<clang::ImplicitCastExpr>(part);
      if (load && load->getCastKind() == clang::CK_LValueToRValue) {
        const auto found = lookUpOf(const_cast<clang::Expr*>(load->getSubExpr()));
        // Of a constant it looks at a variable that it has given this value.
        if (found && llvm::isa<clang::CStyleCastExpr>(found->character->IgnoreParenImpCasts()))
          result = converting(load->getSubExpr());
      }
      for (clang::Stmt* child : part->children())
        if (child && !result) look(child);
    };
    look(block);
    return result;
  }

  clang::Expr* call(const std::string& name, clang::Expr* character) {
    clang::FunctionDecl* callee = declared(context, name);
    if (!callee || !isOfCharacters(callee)) return nullptr;
    const clang::SourceLocation at = character->getBeginLoc();
    if (!context.hasSameUnqualifiedType(character->getType(), context.IntTy))
      character = clang::ImplicitCastExpr::Create(context, context.IntTy, clang::CK_IntegralCast, character,
                                                  nullptr, clang::VK_PRValue, clang::FPOptionsOverride());
    auto* named =
        clang::DeclRefExpr::Create(context, clang::NestedNameSpecifierLoc(), clang::SourceLocation(), callee,
                                   false, at, callee->getType(), clang::VK_LValue);
    auto* pointer = clang::ImplicitCastExpr::Create(context, context.getPointerType(callee->getType()),
                                                    clang::CK_FunctionToPointerDecay, named, nullptr,
                                                    clang::VK_PRValue, clang::FPOptionsOverride());
    return clang::CallExpr::Create(context, pointer, {character}, context.IntTy, clang::VK_PRValue, at,
                                   clang::FPOptionsOverride());
  }

  /// The functions by their bits in the table, which the header's constants are.
  const std::map<long, std::string>& classes() {
    if (!known.empty()) return known;
    const std::pair<const char*, const char*> names[] = {
        {"_ISupper", "isupper"},   {"_ISlower", "islower"}, {"_ISalpha", "isalpha"}, {"_ISdigit", "isdigit"},
        {"_ISxdigit", "isxdigit"}, {"_ISspace", "isspace"}, {"_ISprint", "isprint"}, {"_ISgraph", "isgraph"},
        {"_ISblank", "isblank"},   {"_IScntrl", "iscntrl"}, {"_ISpunct", "ispunct"}, {"_ISalnum", "isalnum"}};
    for (const auto& [constant, function] : names)
      for (clang::NamedDecl* one : context.getTranslationUnitDecl()->lookup(&context.Idents.get(constant)))
        if (const auto* value = llvm::dyn_cast<clang::EnumConstantDecl>(one))
          known[value->getInitVal().getExtValue()] = function;
    return known;
  }

  clang::ASTContext& context;
  std::map<long, std::string> known;
};

bool asks(const Expr& expr);

bool asks(const Code& code) {
  bool found = false;
  forEachExpr(code, [&](const Expr& one) { found = found || asks(one); });
  return found;
}

bool asks(const Expr& expr) {
  if (expr.kind == Expr::Kind::Call && !expr.function && !characterFunction(expr.text).empty()) return true;
  if (expr.function && expr.function->body && asks(*expr.function->body)) return true;
  for (const ExprPtr& operand : expr.operands)
    if (asks(*operand)) return true;
  return false;
}

} // namespace

bool isOfCharacters(const clang::FunctionDecl* function) {
  if (!function->getIdentifier() || characterFunction(function->getName()).empty()) return false;
  const clang::ASTContext& context = function->getASTContext();
  return function->getNumParams() == 1 && declared(context, "__ctype_b_loc") &&
         context.getSourceManager().isInSystemHeader(function->getMostRecentDecl()->getLocation());
}

void nameLookUps(clang::FunctionDecl* function, clang::ASTContext& context) {
  if (function->getBody() && declared(context, "__ctype_b_loc"))
    LookUps(context).replaceIn(function->getBody());
}

bool asksCharacters(const Statement& statement) {
  if ((statement.body && asks(*statement.body)) || (statement.code && asks(*statement.code))) return true;
  for (const ExprPtr& guard : statement.guards)
    if (asks(*guard)) return true;
  return false;
}

} // namespace warploom
