#include "driver/Recipes.h"

#include "support/Budget.h"
#include "support/Failure.h"
#include "support/Isl.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <isl/ctx.h>

namespace warploom {

std::variant<ScheduleState, std::string> openRegion(const Region& region, OpenedRegion& opened, bool strict) {
  opened.analysed = analyseRegion(region);
  if (opened.analysed.refused) return opened.analysed.refused->reason;
  opened.prepared = prepareRegion(opened.analysed.region, opened.analysed.facts);
  return ScheduleState(*opened.prepared, strict);
}

std::variant<strategies::Strategies, std::string> strategiesOf(const Region& region, OpenedRegion& opened,
                                                               const strategies::GeneratorOptions& options) {
  const Budget budget(Budget::For::Recipe);
  std::variant<strategies::Strategies, std::string> result;
  try {
    auto state = openRegion(region, opened, false);
    if (std::string* refused = std::get_if<std::string>(&state))
      result = std::move(*refused);
    else
      result = strategies::generate(std::get<ScheduleState>(state), options);
  } catch (const std::exception&) {
    // Once its time is spent isl gives up, which is no failure.
    if (Budget::reason().empty()) throw;
    isl_ctx_reset_error(islContext().get());
  }
  // What came of it until then may lack what is best.
  if (std::string spent = Budget::reason(); !spent.empty()) result = std::move(spent);
  return result;
}

RegionRecipes::RegionRecipes(const std::string& recipe, const std::vector<FileRegions>& files, bool strict)
    : file(recipe) {
  std::vector<RecipeTarget> targets;
  std::vector<std::unique_ptr<OpenedRegion>> opened;
  for (const FileRegions& one : files)
    for (const Region& region : one.regions) {
      opened.push_back(std::make_unique<OpenedRegion>());
      OpenedRegion& into = *opened.back();
      targets.push_back(
          {one.file, &region, [&region, &into, strict] { return openRegion(region, into, strict); }});
    }
  const RecipeResult result =
      runRecipe(recipe, targets, [](const std::string& text) { fmt::print("{}", text); });
  for (const RecipeSection& section : result.sections)
    if (!section.isUntouched) all.emplace(targets[section.target].region, section);
}

RegionRecipes::~RegionRecipes() = default;

const RecipeSection* RegionRecipes::of(const Region& region) const {
  auto found = all.find(&region);
  return found == all.end() ? nullptr : &found->second;
}

void RegionRecipes::refuse(const Region& region, const RecipeSection& section,
                           const std::string& reason) const {
  // That is no fault of the recipe.
  if (isInternal(reason))
    throw Failure(region.name(), fmt::format("{}, of which {}:{} speaks",
                                             reason.substr(reason.find(": ") + 2), file, section.line));
  throw RecipeError(
      file, section.line,
      fmt::format("what it says about the region {} cannot be carried out: {}", region.name(), reason));
}

namespace {

std::string linesOf(const std::vector<Step>& steps, const char* before) {
  std::string text;
  for (const Step& step : steps)
    text += before + print(step) + "\n";
  return text;
}

/// The steps of `region` that say all but how its loops are mapped, which come first, and the others.
std::pair<std::vector<Step>, std::vector<Step>> apart(const GeneratedRegion& region) {
  std::pair<std::vector<Step>, std::vector<Step>> result;
  for (std::size_t k = 0; k < region.steps.size(); ++k) {
    const bool isConstant = std::holds_alternative<StageConstant>(region.steps[k]);
    (k < region.orderSteps || isConstant ? result.first : result.second).push_back(region.steps[k]);
  }
  return result;
}

} // namespace

std::string recipeText(const std::string& file, const std::vector<Region>& regions,
                       const GeneratedProgram& program, const PipelineOptions& options) {
  std::vector<RecipeTarget> targets;
  PipelineOptions again = options;
  again.recipes.assign(regions.size(), std::nullopt);
  auto indexOf = [&](const GeneratedRegion& region) {
    return static_cast<std::size_t>(region.region - regions.data());
  };
  for (const GeneratedRegion& region : program.regions)
    if (region.refused.empty()) again.recipes[indexOf(region)] = region.steps;
  // All steps of a region replayed make the same text, or more than steps decided about it.
  const GeneratedProgram replayed = generate(regions, again);
  for (const Region& region : regions)
    targets.push_back({file, &region, {}});
  std::string text = fmt::format("-- The kernels of {}, step by step.\n", file);
  for (const GeneratedRegion& region : program.regions) {
    if (!region.refused.empty()) continue;
    const bool isSame = std::any_of(replayed.regions.begin(), replayed.regions.end(), [&](const auto& other) {
      return other.region == region.region && other.text == region.text;
    });
    text += fmt::format("\nregion(\"{}\", \"{}\")\noriginal()\n", sectionName(targets, indexOf(region)),
                        std::filesystem::path(file).filename().string());
    const auto [first, mapping] = apart(region);
    text += linesOf(isSame ? region.steps : first, "");
    if (!isSame)
      text += "-- Its loops are then mapped as always, which is more than these steps say:\n" +
              linesOf(mapping, "--   ");
  }
  return text;
}

} // namespace warploom
