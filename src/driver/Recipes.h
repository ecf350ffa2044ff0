// Recipes on the command line: running one on the regions of all files, and writing the one that makes the
// kernels of a file again.
#pragma once

#include "driver/Pipeline.h"
#include "frontend/Frontend.h"
#include "recipe/Recipe.h"
#include "strategy/Decide.h"
#include "strategy/generator/Generator.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace warploom {

/// What the state of a region refers to.
struct OpenedRegion {
  AnalysedRegion analysed;
  std::optional<PreparedRegion> prepared;
};

/// The state of `region` as planning and recipes begin with it, which refers to `opened`; or why there is
/// none.
std::variant<ScheduleState, std::string> openRegion(const Region& region, OpenedRegion& opened, bool strict);

/// The strategies of `region`, which refers to what it puts into `opened`; or why there are none, as where
/// the time for them is spent.
std::variant<strategies::Strategies, std::string> strategiesOf(const Region& region, OpenedRegion& opened,
                                                               const strategies::GeneratorOptions& options);

/// What a recipe says about each region it speaks of.
class RegionRecipes {
public:
  /// Runs the recipe `file` on the regions of `files`, which it keeps a reference to, and prints what it
  /// prints. Throws RecipeError.
  RegionRecipes(const std::string& file, const std::vector<FileRegions>& files, bool strictFloatingPoint);
  ~RegionRecipes();

  /// What is said about `region`, one of those of the files; null: nothing.
  const RecipeSection* of(const Region& region) const;
  /// Throws RecipeError for a section that could not be carried out, for this reason; Failure where that is
  /// an internal error.
  [[noreturn]] void refuse(const Region& region, const RecipeSection& section,
                           const std::string& reason) const;
  /// The sections, with the region of each.
  const std::map<const Region*, RecipeSection>& sections() const { return all; }

private:
  const std::string file;
  std::map<const Region*, RecipeSection> all;
};

/// The recipe that makes the kernels of `program`, made of `regions` with `options`, again. Of a region that
/// all its steps do not make again, since more than steps decided about it, it has those that order its
/// loops, and the rest in comments: its loops are then mapped as always.
std::string recipeText(const std::string& file, const std::vector<Region>& regions,
                       const GeneratedProgram& program, const PipelineOptions& options);

} // namespace warploom
