// Recipes: Lua files that say, command by command, how regions are transformed. The door of this stage.
// docs/recipes.md is the user's view of them.
#pragma once

#include "recipe/Sandbox.h"
#include "transform/Schedule.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace warploom {

/// A region that a recipe may speak of.
struct RecipeTarget {
  std::string file; ///< of the C source
  const Region* region = nullptr;
  /// Its state in the order of the program, or why no kernel can be made of it. Called at most once.
  std::function<std::variant<ScheduleState, std::string>()> open;
};

/// What a recipe decided about a region.
struct RecipeSection {
  std::size_t target = 0; ///< index into the targets
  std::vector<Step> steps;
  /// The recipe keeps its hands off the order: it printed or asked something, and took no step.
  bool isUntouched = false;
  int line = 0; ///< of the recipe, where the section begins
};

struct RecipeResult {
  std::vector<RecipeSection> sections; ///< at most one for each target
};

/// Runs the recipe `file` on `targets`, which are in the order of the text; `show` gets what it prints.
/// Throws RecipeError, after which nothing of it holds.
RecipeResult runRecipe(const std::filesystem::path& file, const std::vector<RecipeTarget>& targets,
                       const std::function<void(const std::string&)>& show, const RecipeLimits& limits = {});

/// The name by which a recipe calls `targets[k]`: `matmul:8`, or `matmul:8#2` where another has that.
std::string sectionName(const std::vector<RecipeTarget>& targets, std::size_t k);

/// What all commands are, by groups, as Markdown: what docs/recipes.md has of it.
std::string commandReference();

} // namespace warploom
