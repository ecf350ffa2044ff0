#include "recipe/Session.h"

#include <algorithm>
#include <fmt/format.h>

namespace warploom {

namespace {

/// True when `named` is the end of `file`, from a folder on.
bool isFile(const std::string& file, const std::string& named) {
  if (named.empty() || file == named) return true;
  return std::filesystem::path(file).filename() == std::filesystem::path(named).filename();
}

bool isInside(const RecipeTarget& inner, const RecipeTarget& outer) {
  const SourceRange &in = inner.region->range, &out = outer.region->range;
  return inner.region != outer.region && inner.file == outer.file && out.begin <= in.begin &&
         in.end <= out.end;
}

} // namespace

std::string sectionName(const std::vector<RecipeTarget>& targets, std::size_t k) {
  const std::string name = targets[k].region->name();
  std::size_t before = 0, all = 0;
  for (std::size_t other = 0; other < targets.size(); ++other)
    if (targets[other].file == targets[k].file && targets[other].region->name() == name) {
      ++all;
      if (other < k) ++before;
    }
  return before == 0 || all == 1 ? name : fmt::format("{}#{}", name, before + 1);
}

std::string Session::namesOfAll() const {
  constexpr std::size_t most = 8;
  std::string text;
  for (std::size_t k = 0; k < targets.size() && k < most; ++k)
    text += fmt::format("{}\"{}\"", k ? ", " : "", sectionName(targets, k));
  if (targets.size() > most) text += ", ...";
  return text.empty() ? "there are none" : "there are " + text;
}

void Session::open(std::size_t target, int line) {
  current.reset();
  if (entries.count(target) == 0) {
    auto opened = targets[target].open();
    if (const std::string* reason = std::get_if<std::string>(&opened))
      throw CommandError(
          fmt::format("the region {} gets no kernel: {}", sectionName(targets, target), *reason));
    const ScheduleState& state = std::get<ScheduleState>(opened);
    entries.emplace(target, Entry{state, state, line});
  }
  current = target;
}

void Session::select(const std::string& name, const std::string& file, int line) {
  for (std::size_t k = 0; k < targets.size(); ++k)
    if (isFile(targets[k].file, file) && sectionName(targets, k) == name) return open(k, line);
  throw CommandError(fmt::format("there is no region \"{}\"{}: {}", name,
                                 file.empty() ? "" : fmt::format(" in '{}'", file), namesOfAll()));
}

void Session::select(const std::string& file, const std::string& function, long first, long last, int line) {
  long loops = 0;
  bool any = false;
  for (std::size_t k = 0; k < targets.size(); ++k) {
    const Region& region = *targets[k].region;
    if (!isFile(targets[k].file, file)) continue;
    bool isNested = std::any_of(targets.begin(), targets.end(),
                                [&](const RecipeTarget& other) { return isInside(targets[k], other); });
    if (region.function != function || isNested) continue;
    any = true;
    const long here = std::count_if(region.loops.begin(), region.loops.end(),
                                    [](const Loop& loop) { return loop.parent < 0; });
    if (first >= loops && first < loops + here) {
      if (last >= loops + here)
        throw CommandError(
            fmt::format("loops {} and {} of `{}` are not in one region", first, last, function));
      open(k, line);
      entries.at(k).isChill = true;
      return;
    }
    loops += here;
  }
  if (!any)
    throw CommandError(
        fmt::format("there is no function `{}` with loops in '{}': {}", function, file, namesOfAll()));
  throw CommandError(fmt::format("`{}` has {} outermost loops, counted from 0", function, loops));
}

void Session::nameFile(const std::string& named) {
  if (std::none_of(targets.begin(), targets.end(),
                   [&](const RecipeTarget& one) { return isFile(one.file, named); }))
    throw CommandError(fmt::format("no region is in '{}': {}", named, namesOfAll()));
  file = named;
  function.clear();
}

void Session::nameFunction(const std::string& named) {
  if (std::none_of(targets.begin(), targets.end(), [&](const RecipeTarget& one) {
        return isFile(one.file, file) && one.region->function == named;
      }))
    throw CommandError(fmt::format("no region is in a function `{}`: {}", named, namesOfAll()));
  function = named;
}

void Session::selectNamed(long first, long last, int line) {
  if (function.empty()) throw CommandError("which function is meant? Say procedure(\"...\") first");
  select(file, function, first, last, line);
}

Session::Entry& Session::entry(int line) {
  if (!current) {
    if (targets.size() != 1)
      throw CommandError("which region is meant? Say region(\"...\") first: " + namesOfAll());
    open(0, line);
  }
  return entries.at(*current);
}

ScheduleState& Session::state(int line) {
  return entry(line).now;
}

void Session::take(const std::vector<Step>& steps, int line) {
  Entry& here = entry(line);
  if (taken + steps.size() > limits.steps)
    throw CommandError(fmt::format("a recipe takes at most {} steps", limits.steps));
  const bool isFirst = here.isChill && here.now.history().empty();
  if (steps.size() == 1 && !isFirst) {
    if (auto refused = here.now.demand(steps.front()))
      throw CommandError(fmt::format("{} is refused: {}", print(steps.front()), refused->reason));
  } else {
    ScheduleState trial = here.now;
    if (isFirst) privatiseScalars(trial);
    for (const Step& step : steps)
      if (auto refused = trial.demand(step))
        throw CommandError(fmt::format("{} is refused: {}", print(step), refused->reason));
    here.now = std::move(trial);
  }
  taken += steps.size();
}

void Session::privatiseScalars(ScheduleState& state) {
  const Region& region = state.region();
  for (int array = 0; array < static_cast<int>(region.arrays.size()); ++array)
    for (std::size_t loop = region.loops.size(); region.arrays[array].isScalar() && loop-- > 0;) {
      const std::vector<int>& own = state.facts().loops[loop].privateArrays;
      if (std::count(own.begin(), own.end(), array) > 0 && region.arrays[array].declaredIn < 0 &&
          !state.take(Privatise{region.arrays[array].name, state.sourceName(static_cast<int>(loop))}))
        break;
    }
}

void Session::startOver(int line) {
  Entry& here = entry(line);
  here.now = here.original;
  here.cudaized = false;
  here.startedOver = true;
}

std::vector<RecipeSection> Session::sections() const {
  std::vector<RecipeSection> result;
  for (const auto& [target, entry] : entries)
    result.push_back(
        {target, entry.now.history(), entry.now.history().empty() && !entry.startedOver, entry.line});
  return result;
}

} // namespace warploom
