// Where the regions of a function are: what the user marked, else every maximal run of loop nests.
#pragma once

#include "frontend/Aliasing.h"
#include "frontend/Constructs.h"
#include "frontend/Effects.h"
#include "frontend/Frontend.h"
#include "frontend/Inline.h"
#include "frontend/Markers.h"
#include "frontend/Mentions.h"
#include "frontend/OpenMp.h"
#include "frontend/RegionReader.h"

#include <optional>
#include <string>
#include <vector>

namespace warploom {

/// The functions defined in the main file, in textual order.
std::vector<const clang::FunctionDecl*> definedFunctions(const clang::ASTContext& context);

class RegionFinder {
public:
  RegionFinder(const clang::ASTContext& context, const clang::FunctionDecl* function,
               CallSummaries& summaries, Aliasing& aliasing, const Inlined& inlined, const Markers& markers,
               std::string file, const FrontendOptions& options);

  /// The regions of the function that `options` asks for.
  std::vector<Region> find();

private:
  using Statements = std::vector<const clang::Stmt*>;
  void findIn(const clang::Stmt* statement, bool insideLoop);
  bool staysTrue(const clang::Expr* condition, const clang::Stmt* part) const;
  void findInList(const Statements& list, bool insideLoop);
  /// `statement`, or the loop under it when it is an OpenMP directive that can be read as its loop.
  const clang::Stmt* withoutDirective(const clang::Stmt* statement);
  /// Says of the loops under `directive` that they are not looked into; of those between `marks`, if any.
  void addUnder(const clang::OMPExecutableDirective* directive,
                std::optional<std::pair<unsigned, unsigned>> marks);
  /// True when a directive before `loop` gives variables that are declared outside it another life.
  bool hasPrivates(const clang::Stmt* loop) const;
  void findMarked(const clang::Stmt* statement, std::pair<unsigned, unsigned> marks, bool insideLoop);
  bool joinsNests(const clang::Stmt* statement) const;
  /// Why `run` is too large to be read; empty when it is not.
  std::string tooLarge(const Statements& run) const;
  /// True when `run` uses variables of inlined calls that it does not declare.
  bool usesInlined(const Statements& run) const;
  Region unread(const Statements& run, bool marked, const std::string& reason, bool inOrder) const;
  /// Adds a region for each loop that none of the regions holds, between the marks if there are any.
  void addOtherLoops(const std::vector<std::pair<unsigned, unsigned>>& marked);
  struct HostParts;
  static HostParts hostParts(const Region& region);
  /// Finds regions inside `run`, of which `parts` may have to stay on the host.
  void findInside(const Statements& run, bool insideLoop, const HostParts& parts);
  void findInLoops(const Statements& run);
  void readRun(const Statements& run, bool insideLoop, bool marked, const Statements& before);
  std::string whyFixedText(const Statements& run) const;
  std::vector<RegionVariable> variablesOf(const Statements& run) const;
  ReadInput inputFor(const Statements& run, bool insideLoop, bool marked) const;

  const clang::ASTContext& context;
  const clang::FunctionDecl* function;
  CallSummaries& summaries;
  Aliasing& aliasing;
  const Inlined& inlined;
  const Markers& markers;
  GivenExtents extents;
  std::string file;
  const FrontendOptions& options;
  Mentions mentions;
  /// What OpenMP says of the loops under its directives.
  std::map<const clang::Stmt*, OpenMpLoop> directives;
  std::vector<std::pair<const clang::Expr*, bool>>
      given;                                           ///< conditions around what is looked at: see ReadInput
  std::set<const clang::Stmt*> held;                   ///< the loops of the regions
  std::map<const clang::Stmt*, std::string> whyOpaque; ///< of the statements that regions did not look into
  std::vector<Region> regions;
};

} // namespace warploom
