// What a recipe says and cannot be carried out: whose fault it is.
#include "driver/Recipes.h"

#include "Folder.h"
#include "driver/ExitStatus.h"
#include "support/Failure.h"

#include <gmock/gmock.h>

namespace warploom {
namespace {

using testing::HasSubstr;

/// How the run ends for which `reason` a section of a recipe is not carried out, and what is said.
Ending endingOf(const std::string& reason) {
  Folder folder;
  const RegionRecipes recipes(folder.write("r.lua", "print(1)"), {}, false);
  Region region;
  region.function = "f";
  region.range.line = 7;
  RecipeSection section;
  section.line = 3;
  try {
    recipes.refuse(region, section, reason);
  } catch (const RecipeError& error) {
    return {ExitStatus::InputAtFault, error.what()};
  } catch (const std::exception& error) {
    return endingFor(error);
  }
}

TEST(Recipes, WhatCannotBeCarriedOutIsAFaultOfTheRecipe) {
  const Ending ending = endingOf("`i` is on the grid twice (f.c:7)");
  EXPECT_EQ(ending.status, ExitStatus::InputAtFault);
  EXPECT_THAT(ending.message, HasSubstr("r.lua:3: error: what it says about the region f:7"));
  EXPECT_THAT(ending.message, HasSubstr("`i` is on the grid twice"));
}

TEST(Recipes, AnInternalErrorIsNone) {
  for (const char* reason :
       {"internal error: std::bad_alloc (f.c:7)", "internal error in f:7: std::bad_alloc (f.c:7)"}) {
    const Ending ending = endingOf(reason);
    EXPECT_EQ(static_cast<int>(ending.status), 3);
    EXPECT_THAT(ending.message, HasSubstr("internal error in f:7: std::bad_alloc"));
    EXPECT_THAT(ending.message, HasSubstr("r.lua:3"));
  }
}

} // namespace
} // namespace warploom
