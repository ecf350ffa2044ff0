// The sizes of arrays that the user has stated, by name, where the source does not tell them: what the
// variables and sizes mean in one function. Private to the front end.
#pragma once

#include "frontend/Frontend.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <map>
#include <utility>
#include <vector>

namespace warploom {

class GivenExtents {
public:
  /// A product: a factor and variables.
  using Term = std::pair<long, std::vector<const clang::VarDecl*>>;

  /// Looks the names of `table` up in `function`. Reports an error at a variable whose size cannot be meant
  /// there.
  GivenExtents(const clang::ASTContext& context, const clang::FunctionDecl* function,
               const std::vector<GivenExtent>& table);

  /// The stated size of what `variable` points to, a sum; null when there is none.
  const std::vector<Term>* of(const clang::VarDecl* variable) const;

private:
  std::map<const clang::VarDecl*, std::vector<Term>> known;
};

} // namespace warploom
