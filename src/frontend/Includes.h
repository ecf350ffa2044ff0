// Loops in files that are included: functions in headers, libraries of one file, bodies that several
// `#include`s make functions of. Their text is put in the place of the directives, so that it can be changed
// like any other of the file's.
#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/Lex/PPCallbacks.h>
#include <map>
#include <optional>
#include <string>

namespace warploom {

/// Watches which files the directives of a file include.
class Includes : public clang::PPCallbacks {
public:
  void InclusionDirective(clang::SourceLocation, const clang::Token&, llvm::StringRef, bool,
                          clang::CharSourceRange, clang::OptionalFileEntryRef file, llvm::StringRef,
                          llvm::StringRef, const clang::Module*, bool,
                          clang::SrcMgr::CharacteristicKind) override {
    if (file) ++directives[file->getUID()];
  }

  /// How often a directive names the file with this number, whether it is read again or not.
  int timesNamed(unsigned file) const {
    auto found = directives.find(file);
    return found == directives.end() ? 0 : found->second;
  }

private:
  std::map<unsigned, int> directives;
};

/// True when there is code of `function`: others may use it, or something here does.
inline bool isCompiled(const clang::FunctionDecl* function) {
  return function->isReferenced() || (function->isExternallyVisible() && !function->isInlined());
}

/// The text of the main file of `context`, called `name`, with that of all files of the program's own in the
/// place of their directives in which loops of functions stand that are defined there or used; `#line`
/// directives tell what comes from where. Nothing when there are none.
std::optional<std::string> textWithIncludes(const clang::ASTContext& context, const Includes& includes,
                                            const std::string& name);

} // namespace warploom
