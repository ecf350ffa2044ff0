#include "strategy/generator/RecipeText.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace warploom::strategies {

namespace {

/// The line of `step` with the names of sizes as variables of the recipe.
std::string lineOf(const Step& step) {
  std::string line = print(step);
  for (std::size_t at = 0; (at = line.find("\"$", at)) != std::string::npos;) {
    const std::size_t end = line.find('"', at + 1);
    line = line.substr(0, at) + line.substr(at + 2, end - at - 2) + line.substr(end + 1);
  }
  return line;
}

std::string sizesText(const Partition& partition, const char* from) {
  if (partition.hasOwnSizes()) return "";
  std::vector<std::string> names, values;
  for (const auto& [name, value] : partition.sizes) {
    names.push_back(name);
    values.push_back(fmt::format("{}{}", from[0] ? fmt::format("{}.{} or ", from, name) : "", value));
  }
  return fmt::format("{} = {}\n", fmt::join(names, ", "), fmt::join(values, ", "));
}

std::string beginning(const Strategies& strategies, const RecipeFor& where) {
  std::string text = fmt::format("region(\"{}\", \"{}\")\noriginal()\n", where.section, where.file);
  for (const Step& step : strategies.before)
    text += print(step) + "\n";
  return text;
}

std::string namesOf(const NestArrays& arrays) {
  return fmt::format("`{}`", fmt::join(arrays.names, "`, `"));
}

/// Under which condition of the master recipe a line is taken; empty: always.
std::string condition(const Strategies& strategies, const Partition& partition, const Line& line) {
  std::vector<std::string> parts;
  if (line.ifStaged) parts.push_back("staged");
  if (line.placement) {
    const std::string& name =
        strategies.nest.arrays[partition.placements[*line.placement].arrays].names.front();
    std::vector<std::string> ways;
    for (Keep keep : line.keeps)
      ways.push_back(fmt::format("\"{}\"", nameOf(keep)));
    parts.push_back(fmt::format("is(\"{}\", {})", name, fmt::join(ways, ", ")));
  }
  if (line.copies) parts.push_back(fmt::format("copies == {}", line.copies));
  if (line.unroll) parts.push_back(fmt::format("depth == {}", line.unroll));
  return fmt::format("{}", fmt::join(parts, " and "));
}

} // namespace

std::string timeText(double seconds) {
  return seconds >= 1      ? fmt::format("{:.3g} s", seconds)
         : seconds >= 1e-3 ? fmt::format("{:.3g} ms", seconds * 1e3)
                           : fmt::format("{:.3g} us", seconds * 1e6);
}

std::vector<std::string> explained(const Strategies& strategies, const Candidate& candidate) {
  const Nest& nest = strategies.nest;
  const Partition& partition = strategies.partitions[candidate.partition];
  if (partition.shape == Partition::Shape::Own)
    return {fmt::format("the strategy `{}` of `compile`; its sizes stay names", partition.name)};
  std::vector<std::string> lines;
  const LoopOrder& order = partition.order;
  for (std::size_t k = 0; k < order.host; ++k)
    lines.push_back(
        fmt::format("`{}` stays on the host: it carries a dependence and cannot go inside", order.loops[k]));
  for (std::size_t k = 0; k < partition.axes.size(); ++k) {
    const std::string& loop = nest.loops[partition.axes[k].loop].name;
    const auto place = std::find(order.loops.begin(), order.loops.end(), loop) - order.loops.begin();
    const bool combines = static_cast<std::size_t>(place) >= order.host + order.parallel;
    const char* why = combines                    ? "it combines values, and threads may combine their parts"
                      : k > 0                     ? "it carries no dependence"
                      : strategies.orders.relaxed ? "it carries no dependence, and no "
                                                    "other is better for memory"
                                                  : "it carries no dependence, and "
                                                    "threads read contiguously along it";
    lines.push_back(fmt::format("`{}` is shared out among blocks and threads along {}: {}", loop,
                                k == 0 ? "x" : "y", why));
  }
  if (partition.third)
    lines.push_back(fmt::format("`{}` is on the grid along z: it carries no dependence",
                                nest.loops[*partition.third].name));
  for (std::size_t k : partition.inside) {
    const auto at = std::find(order.loops.begin(), order.loops.end(), nest.loops[k].name);
    const bool carries = static_cast<std::size_t>(at - order.loops.begin()) >= order.host + order.parallel;
    lines.push_back(fmt::format("a thread runs `{}`: {}", nest.loops[k].name,
                                carries ? "it carries a dependence" : "the grid has no axis for it"));
  }
  if (partition.onHost)
    lines.push_back(fmt::format("the host launches a kernel for each part of `{}`: what it reads then fits "
                                "constant memory",
                                nest.loops[*partition.onHost].name));
  for (std::size_t p = 0; p < partition.placements.size(); ++p) {
    const Placement& placement = partition.placements[p];
    const Keep keep = candidate.choice.kept[p];
    const auto way = std::find(placement.ways.begin(), placement.ways.end(), keep) - placement.ways.begin();
    std::string why;
    if (way > 0) why = ": " + placement.reasons[static_cast<std::size_t>(way) - 1];
    if (way == 0 && !placement.reasons.empty() && placement.ways.size() == 1)
      why = ": " + placement.reasons.front();
    static const char* const texts[] = {"stays in device memory", "in registers", "in shared memory",
                                        "in shared memory, through the read-only path", "in constant memory"};
    lines.push_back(
        fmt::format("{} {}{}", namesOf(nest.arrays[placement.arrays]), texts[static_cast<int>(keep)], why));
  }
  return lines;
}

std::string recipeText(const Strategies& strategies, const Candidate& candidate, const Partition& partition,
                       const Cost& cost, const RecipeFor& where) {
  std::string text = fmt::format("-- {} for {} of {}: {} expected on {}.\n", candidate.name, where.section,
                                 where.file, timeText(cost.seconds), where.architecture);
  for (const std::string& line : explained(strategies, candidate))
    text += fmt::format("-- {}\n", line);
  text += beginning(strategies, where) + sizesText(partition, "");
  for (const Step& step : stepsOf(partition, candidate.choice))
    text += lineOf(step) + "\n";
  return text;
}

std::string choiceText(const Strategies& strategies, const Candidate& candidate) {
  const Partition& partition = strategies.partitions[candidate.partition];
  std::vector<std::string> keep;
  for (std::size_t p = 0; p < candidate.choice.kept.size(); ++p)
    if (candidate.choice.kept[p] != Keep::Global)
      keep.push_back(fmt::format("[\"{}\"]=\"{}\"",
                                 strategies.nest.arrays[partition.placements[p].arrays].names.front(),
                                 nameOf(candidate.choice.kept[p])));
  return fmt::format("{{partition=\"{}\", keep={{{}}}, copies={}, unroll={}}}", partition.name,
                     fmt::join(keep, ", "), candidate.choice.copies, candidate.choice.unroll);
}

std::string masterText(const Strategies& strategies, const RecipeFor& where) {
  std::string text = fmt::format(
      "-- The strategies for {} of {}: what `choice` says, of each partition; arrays that `keep` does not "
      "name stay in device memory.\n",
      where.section, where.file);
  for (const Partition& partition : strategies.partitions) {
    text += fmt::format("-- {}:\n", partition.name);
    for (const Placement& placement : partition.placements) {
      std::vector<std::string> ways;
      for (Keep keep : placement.ways)
        ways.push_back(nameOf(keep));
      text += fmt::format("--   {}: {}\n", namesOf(strategies.nest.arrays[placement.arrays]),
                          fmt::join(ways, ", "));
    }
  }
  text += fmt::format("choice = choice or {}\n", choiceText(strategies, strategies.candidates.front()));
  text += "local keep, copies, depth, sizes = choice.keep or {}, choice.copies or 1, choice.unroll or 0, "
          "choice.sizes or {}\n"
          "local function is(array, ...)\n"
          "  for _, way in ipairs({...}) do if keep[array] == way then return true end end\n"
          "  return false\n"
          "end\n"
          "local staged = false\n"
          "for _, way in pairs(keep) do staged = staged or way == \"shared\" or way == \"texture\" end\n";
  text += beginning(strategies, where);
  const char* word = "if";
  for (const Partition& partition : strategies.partitions) {
    text += fmt::format("{} choice.partition == \"{}\" then\n", word, partition.name);
    word = "elseif";
    if (const std::string sizes = sizesText(partition, "sizes"); !sizes.empty()) text += "  local " + sizes;
    for (const Line& line : partition.lines) {
      const std::string when = condition(strategies, partition, line);
      text += when.empty() ? fmt::format("  {}\n", lineOf(line.step))
                           : fmt::format("  if {} then {} end\n", when, lineOf(line.step));
    }
  }
  return text + "else\n  error(\"there is no partition \" .. tostring(choice.partition))\nend\n";
}

} // namespace warploom::strategies
