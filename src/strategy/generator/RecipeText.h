// Strategies as recipes: each as one that stands alone, and all of them as the master recipe, which makes the
// one that its table `choice` says.
#pragma once

#include "strategy/generator/Generator.h"

#include <string>

namespace warploom::strategies {

/// Where recipes are for: `region("gemm:8", "f.c")`, as a recipe calls it.
struct RecipeFor {
  std::string section, file, architecture;
};

/// The recipe of `candidate`, the `rank`th, with the sizes of `partition`.
std::string recipeText(const Strategies& strategies, const Candidate& candidate, const Partition& partition,
                       const Cost& cost, const RecipeFor& where);

/// The recipe that makes any of the candidates; where nothing is chosen, the best.
std::string masterText(const Strategies& strategies, const RecipeFor& where);

/// `choice = {...}`: what makes the master recipe make `candidate`.
std::string choiceText(const Strategies& strategies, const Candidate& candidate);

/// Why loops and arrays are where `candidate` has them, a line each.
std::vector<std::string> explained(const Strategies& strategies, const Candidate& candidate);

/// Seconds as people read them.
std::string timeText(double seconds);

} // namespace warploom::strategies
