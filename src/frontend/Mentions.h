// Where a function mentions its variables, and with that which of their values may still be used behind a
// place. Places are compared in the order of the text as it is compiled, with all that it includes.
#pragma once

#include "frontend/Aliasing.h"

#include <map>
#include <set>
#include <vector>

namespace warploom {

class Mentions {
public:
  Mentions(const clang::ASTContext& context, const clang::FunctionDecl* function, const Aliasing& aliasing);

  /// How often the function names `variable`.
  std::size_t count(const clang::VarDecl* variable) const;
  /// False only when nothing that stands behind `statement` uses `variable`, by its name or otherwise.
  bool mayBeUsedAfter(const clang::VarDecl* variable, const clang::Stmt* statement) const;
  /// True when control may come back to what stands from `first` to `last` without a loop around that.
  bool mayRunAgain(const clang::Stmt* first, const clang::Stmt* last) const;
  /// True for a variable used only in loops that set it in their header, before they use it: its value after
  /// such a loop never matters.
  bool isOnlyLoopIndex(const clang::VarDecl* variable) const { return onlyLoopIndex.count(variable) > 0; }

private:
  struct Scan;
  struct Uses {
    std::size_t count = 0;
    clang::SourceLocation last;
  };
  const clang::SourceManager& sources;
  const Aliasing& aliasing;
  std::map<const clang::VarDecl*, Uses> uses;
  std::set<const clang::VarDecl*> onlyLoopIndex;
  std::vector<clang::SourceRange> backward; ///< from the target of a `goto` to the `goto` behind it
  bool returnsAnywhere = false;             ///< jumps may go to places that are not known
};

} // namespace warploom
