#include "frontend/GivenExtents.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <clang/AST/Stmt.h>
#include <clang/Basic/Diagnostic.h>
#include <fmt/format.h>

namespace warploom {

namespace {

bool isName(const std::string& text) {
  auto isWord = [](unsigned char c) { return std::isalnum(c) || c == '_'; };
  return !text.empty() && !std::isdigit(static_cast<unsigned char>(text[0])) &&
         std::all_of(text.begin(), text.end(), isWord);
}

std::vector<std::string> split(const std::string& text, char at) {
  std::vector<std::string> parts = {""};
  for (char c : text)
    if (c == at)
      parts.emplace_back();
    else
      parts.back() += c;
  return parts;
}

/// The variable called `name` that all of the outermost block of `function` can see; null when there is none.
const clang::VarDecl* visible(const clang::ASTContext& context, const clang::FunctionDecl* function,
                              const std::string& name) {
  if (const auto* body = llvm::dyn_cast_or_null<clang::CompoundStmt>(function->getBody()))
    for (const clang::Stmt* statement : body->body())
      if (const auto* declaration = llvm::dyn_cast<clang::DeclStmt>(statement))
        for (const clang::Decl* declared : declaration->decls())
          if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(declared);
              variable && variable->getName() == name)
            return variable;
  for (const clang::ParmVarDecl* parameter : function->parameters())
    if (parameter->getName() == name) return parameter;
  for (const clang::Decl* declared : context.getTranslationUnitDecl()->decls())
    if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(declared);
        variable && variable->getName() == name)
      return variable;
  return nullptr;
}

} // namespace

std::optional<GivenExtent> parseExtent(const std::string& text) {
  GivenExtent given;
  std::string compact;
  for (char c : text)
    if (!std::isspace(static_cast<unsigned char>(c))) compact += c;
  std::size_t sign = compact.find('=');
  if (sign == std::string::npos) return std::nullopt;
  std::vector<std::string> owner = split(compact.substr(0, sign), ':');
  given.array = owner.back();
  if (owner.size() == 2) given.function = owner.front();
  if (owner.size() > 2 || !isName(given.array) || (owner.size() == 2 && !isName(given.function)))
    return std::nullopt;
  for (const std::string& product : split(compact.substr(sign + 1), '+')) {
    GivenExtent::Term term;
    for (const std::string& factor : split(product, '*')) {
      if (isName(factor)) {
        term.variables.push_back(factor);
        continue;
      }
      long number = 0;
      auto [end, error] = std::from_chars(factor.data(), factor.data() + factor.size(), number);
      if (factor.empty() || error != std::errc() || end != factor.data() + factor.size() || number < 1)
        return std::nullopt;
      if (__builtin_mul_overflow(term.factor, number, &term.factor)) return std::nullopt;
    }
    given.sum.push_back(std::move(term));
  }
  return given;
}

GivenExtents::GivenExtents(const clang::ASTContext& context, const clang::FunctionDecl* function,
                           const std::vector<GivenExtent>& table) {
  for (const GivenExtent& given : table) {
    if (!given.function.empty() && function->getNameAsString() != given.function) continue;
    const clang::VarDecl* array = visible(context, function, given.array);
    if (!array || !array->getType()->isPointerType()) continue;
    std::vector<Term> sum;
    for (const GivenExtent::Term& term : given.sum) {
      sum.push_back({term.factor, {}});
      for (const std::string& name : term.variables) {
        const clang::VarDecl* size = visible(context, function, name);
        if (size && size->getType()->isIntegralOrEnumerationType()) {
          sum.back().second.push_back(size);
          continue;
        }
        clang::DiagnosticsEngine& diagnostics = context.getDiagnostics();
        std::string text =
            fmt::format("the size stated for '{0}' has '{1}' in it, which is no integer variable "
                        "in '{2}'; --extent {2}:{0}=... states one for this function",
                        given.array, name, function->getNameAsString());
        diagnostics.Report(array->getLocation(), diagnostics.getDiagnosticIDs()->getCustomDiagID(
                                                     clang::DiagnosticIDs::Error, text));
        return;
      }
    }
    known[array] = std::move(sum);
  }
}

const std::vector<GivenExtents::Term>* GivenExtents::of(const clang::VarDecl* variable) const {
  auto found = known.find(variable);
  return found == known.end() ? nullptr : &found->second;
}

} // namespace warploom
