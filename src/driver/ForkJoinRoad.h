// Fork-join programs on the ordinary road from C to CUDA: what stands for their text there, and what their
// device nests ask of the kernels they become.
#pragma once

#include "cases/Detile.h"
#include "frontend/Frontend.h"
#include "recipe/Sandbox.h"

#include <optional>

namespace warploom {

/// The language of the file where it is one that the ordinary road does not read: MetaFork or Cilk.
std::optional<ForkJoinLanguage> forkJoinLanguageOf(const std::string& file);

/// A fork-join program as C, line by line as the user wrote it. Device nests are loops over their
/// coordinates, other parallel loops plain loops, of which the analysis is to find that they are parallel;
/// forks, and the loops it does not find parallel, are tasks.
class ForkJoinRoad {
public:
  /// Nothing, with its problems on standard error, where it is no program. `flags` are Clang's.
  static std::optional<ForkJoinRoad> read(const std::string& file, ForkJoinLanguage language,
                                          const std::vector<std::string>& flags);

  const std::string& file() const { return source.file; }
  const std::string& text() const { return c; }
  bool forks() const { return hasTasks; } ///< it calls the run-time of tasks

  /// What the nests ask of their kernels, as the lines of a recipe of which `before` lines come first.
  /// `regions` are those of the text.
  std::string recipe(const FileRegions& regions, int before);
  /// The line of the recipe was refused: what follows asks for less. False where it is no line of these.
  bool giveUp(const RecipeError& refused);
  /// The text in which the loops that are in none of these pieces of the text are tasks; false: nothing has
  /// changed.
  bool putOnThreads(const std::vector<SourceRange>& kernels);

  /// The sizes of the kernels that are asked for, by their names in the text.
  std::map<std::string, int> sizes() const;
  /// What the user should know of the nests, line by line: `f.mf:8: remark: ...`.
  std::string remarks() const;

private:
  /// A nest in its coordinates, and how much of it is still asked for.
  struct Nest {
    const DeviceNest* from = nullptr;
    cases::Detiled loops;
    cases::NestForm form;
    std::string kernel, first; ///< first: the name of its outermost loop
    cases::Values sizes;
    std::set<std::string> chosen;                     ///< sizes that only the running program knows
    std::string refused;                              ///< why it has no kernel of its own shape
    std::string unstaged;                             ///< which of its arrays are not staged, and why
    std::string reason;                               ///< of the last refusal
    std::size_t depth = 0;                            ///< in how many of the regions around it it was refused
    int sectionLine = 0, firstLine = 0, lastLine = 0; ///< of the recipe
  };

  ForkJoinRoad(ForkJoinSource read, const std::vector<std::string>& f) : source(std::move(read)), flags(f) {}
  void readNests();
  bool write();
  bool isLoop(unsigned construct) const;
  bool isAsked(const Nest& nest) const { return nest.refused.empty(); }
  const Nest* nestOf(const DeviceNest& from) const;

  ForkJoinSource source;
  std::vector<std::string> flags;
  std::vector<Nest> nests;
  std::set<unsigned> onThreads; ///< loops, by construct
  std::string c;
  bool hasTasks = false;
};

} // namespace warploom
