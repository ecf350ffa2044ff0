// Calls in loops whose body is in sight become that body: in the tree that the rest of the front end reads,
// not in the text. A function that comes down to one value is written as that value wherever it is called;
// any other one as statements before the statement that calls it, where that statement is certain to call it.
// What cannot be written so stays a call: recursion, functions that keep something, jump out of loops or are
// too large, and arguments with side effects.
#pragma once

#include "frontend/Aliasing.h"
#include "frontend/AstCopy.h"
#include "frontend/Effects.h"
#include "frontend/Frontend.h"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace warploom {

/// What stands in the tree, but not in the text.
struct Inlined {
  std::set<const clang::Stmt*> parts;
  std::set<const clang::VarDecl*> variables;
  /// A loop that does what one of the user's does where that is the outermost of a region: see Searches.h and
  /// Strides.h.
  struct StandIn {
    std::vector<const clang::Stmt*> parts; ///< loops, one after the other
    bool endsEarly = false;                ///< as in Loop
    bool rarely = false;                   ///< likewise
    SearchReturn leaves = {}; ///< where the user's loop leaves the function: what does so after it
  };
  std::map<const clang::Stmt*, StandIn> standIns; ///< by the user's loop
  /// Variables that only stand-ins have, and the text of what they hold where the loop begins.
  std::map<const clang::VarDecl*, std::string> texts;
  /// What the text calls variables that are another thing in the tree: `v.u` of a union that is a number.
  std::map<const clang::VarDecl*, std::string> names;
  std::set<const clang::VarDecl*> results; ///< variables that are needed after stand-ins

  /// What `variable` is called where the region begins.
  std::string nameOf(const clang::VarDecl* variable) const;
  /// True when `statement` names one of `variables`.
  bool namedIn(const clang::Stmt* statement) const;
  /// The stand-in that is `loop`; null when that is the user's.
  const StandIn* standIn(const clang::Stmt* loop) const;
};

/// Rewrites the body of `function`, adding to `inlined` what it puts there.
void inlineCalls(clang::FunctionDecl* function, clang::ASTContext& context, CallSummaries& summaries,
                 const Aliasing& aliasing, Inlined& inlined);

} // namespace warploom
