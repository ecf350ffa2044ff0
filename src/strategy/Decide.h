// Decides what becomes of a region: by the steps of its recipe, or by strategies.
#pragma once

#include "mapping/Plan.h"
#include "strategy/Shrinking.h"
#include "transform/Schedule.h"

#include <optional>
#include <set>
#include <string>
#include <vector>

namespace warploom {

struct PlanOptions {
  bool plain = false; ///< the order of the program: nothing is searched for, no array is expanded
  bool strictFloatingPoint = false; ///< no floating-point reduction is reordered
  bool sharedMemory = true;         ///< nests may be tiled, and what they share staged in shared memory
  bool outermostOnly = false;       ///< of several parallel loops one is shared out
  bool generated = true;            ///< a strategy of the generator may be taken
  int tileCopies = 2;               ///< of each tile of a product in shared memory; as StageShared has it
  long constantRoom = 65536;        ///< bytes of constant memory that other regions of the file leave
  LibraryUse libraries = LibraryUse::Never; ///< which stand in for kernels
  Shrink shrink = Shrink::Auto;   ///< by hand: the order is the program's, but for groups, and no copies
  bool shrinkOnlyAsAsked = false; ///< no plan where that way is not for a loop
  /// Loops of the order of the program, nothing else being searched for, may run by levels, for which the
  /// running program has to look.
  bool levels = false;
  /// Steps to take instead of the default schedule; loops that they do not map are mapped as always.
  std::vector<Step> recipe = {};
  bool followsRecipe = false; ///< even one that takes no steps: the order is the program's
  MappingOptions mapping = {};

  bool hasRecipe() const { return followsRecipe || !recipe.empty(); }
};

/// A region as strategies and recipes see it.
struct AnalysedRegion {
  Region region;
  Facts facts;
  std::optional<NoPlan> refused; ///< why nothing can be planned
};

/// `source` with loops that cannot be taken apart as statements, with loads where they are used if that frees
/// a loop, and its facts.
AnalysedRegion analyseRegion(const Region& source);

/// Takes steps on `state`, that of the order of the program, until all that can run in parallel has its
/// place. How the order of the loops came about, in words. Throws NoPlan where the recipe is refused.
DecidedOrder decide(ScheduleState& state, const PlanOptions& options);

/// A plan for `region`, decided and mapped, in which no kernel has one of the names `taken`.
RegionPlan planRegion(const Region& region, const Facts& facts, const PlanOptions& options,
                      const std::set<std::string>& taken = {});

} // namespace warploom
