// Recipes run on small regions, for tests of commands.
#pragma once

#include "Folder.h"
#include "RegionBuilder.h"
#include "recipe/Commands.h"
#include "recipe/Recipe.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warploom {

/// A product of matrices: `for i, j, k: c[i][j] += a[i][k] * b[k][j]`.
inline Region product() {
  RegionBuilder r("n", "n >= 1");
  for (const char* name : {"a", "b", "c"})
    r.array(name, 2);
  r.loop("i", "0 <= i < n");
  r.loop("j", "0 <= j < 100");
  r.loop("k", "0 <= k < 100");
  r.statement("c[i][j] = c[i][j] + a[i][k] * b[k][j]");
  return r.region();
}

/// Two statements in one loop nest, the second of which reads what the first writes, and a chain that goes
/// backwards if j does: `p[i][j] = q[i][j]; z[i][j] = p[i][j] + z[i-1][j+1]`.
inline Region pair() {
  RegionBuilder r("n", "n >= 1");
  for (const char* name : {"p", "q", "z"})
    r.array(name, 2);
  r.loop("i", "1 <= i < n");
  r.loop("j", "0 <= j < n");
  r.statement("p[i][j] = q[i][j] * 2");
  r.statement("z[i][j] = p[i][j] + z[i-1][j+1]");
  return r.region();
}

/// What became of a recipe.
struct Cooked {
  Cooked(Region of, const std::string& recipe, const RecipeLimits& limits = {})
      : region(std::move(of)), facts(analyse(region)) {
    region.function = "f";
    region.file = "input.c";
    Folder folder;
    std::vector<RecipeTarget> targets = {
        {"input.c", &region,
         [this] { return std::variant<ScheduleState, std::string>(ScheduleState(region, facts)); }}};
    try {
      RecipeResult result = runRecipe(
          folder.write("r.lua", recipe), targets, [this](const std::string& text) { printed += text; },
          limits);
      for (const RecipeSection& section : result.sections)
        for (const Step& step : section.steps)
          steps.push_back(print(step));
    } catch (const RecipeError& fault) {
      error = fault.message;
      line = fault.line;
    }
  }

  Region region;
  Facts facts;
  std::vector<std::string> steps;
  std::string printed, error;
  int line = 0;
};

} // namespace warploom
