#include "strategy/Expansion.h"

#include "analysis/DistanceVectors.h"
#include "analysis/Order.h"
#include "mapping/Plan.h"
#include "strategy/ParallelNest.h"
#include "transform/Levels.h"

#include <algorithm>
#include <isl/aff.h>
#include <optional>
#include <vector>

namespace warploom {

namespace {

/// Short ones not counted.
std::size_t dimensionsOf(const Array& array) {
  auto isShort = [](const std::optional<isl::pw_aff>& extent) {
    return extent && extent->isa_aff() && extent->as_aff().is_cst() && extent->as_aff().constant_val().lt(32);
  };
  auto shorts = static_cast<std::size_t>(std::count_if(array.extents.begin(), array.extents.end(), isShort));
  return array.extents.size() - shorts;
}

/// Of the arrays of the program.
std::size_t mostDimensions(const Region& region) {
  std::size_t most = 1;
  for (const Array& array : region.arrays)
    most = std::max(most, dimensionsOf(array));
  return most;
}

/// True when `array` has few elements, whatever the parameters are: copies of it are as many as iterations.
bool isBuffer(const Array& array) {
  constexpr long most = 65536;
  long elements = 1;
  for (const std::optional<isl::pw_aff>& extent : array.extents) {
    if (!extent || !extent->isa_aff() || !extent->as_aff().is_cst()) return false;
    const isl::val size = extent->as_aff().constant_val();
    if (size.gt(most)) return false;
    elements *= std::max(1L, size.num_si());
    if (elements > most) return false;
  }
  return true;
}

/// True when all that touches `array` is inside each of `loops`.
bool areAround(const Region& region, const std::vector<int>& loops, int array) {
  for (const Statement& statement : region.statements)
    for (const Access& access : statement.accesses)
      if (access.array == array && access.kind != Access::Kind::Kill &&
          statement.kind != Statement::Kind::Kill)
        for (int loop : loops)
          if (!inside(statement, loop)) return false;
  return true;
}

/// Gives each of `arrays` a copy per iteration of the source loops that it is private to; those with too many
/// are left out. True when any got one.
bool expand(ScheduleState& trial, const std::vector<int>& arrays) {
  const Region& region = trial.region();
  const Facts& facts = trial.facts();
  bool any = false;
  for (int array : arrays) {
    const Array& object = region.arrays[array];
    std::vector<int> loops;
    if (object.declaredIn >= 0) {
      loops = {object.declaredIn};
      std::size_t depth = static_cast<std::size_t>(region.loops[object.declaredIn].depth);
      if (object.isScalar() && depth > mostDimensions(region)) continue;
    }
    for (int loop = 0; object.declaredIn < 0 && loop < static_cast<int>(region.loops.size()); ++loop) {
      const std::vector<int>& owned = facts.loops[loop].privateArrays;
      if (std::count(owned.begin(), owned.end(), array)) loops.push_back(loop);
    }
    // A copy has one place: the loops are around everything that touches the array, and not so many that
    // the copies outgrow the arrays of the program.
    const std::size_t own = isBuffer(object) ? 0 : dimensionsOf(object);
    if (own + loops.size() > mostDimensions(region) || !areAround(region, loops, array)) continue;
    for (int loop : loops)
      any |= !trial.take(Expand{object.name, trial.sourceName(loop)});
  }
  return any;
}

/// How many parallel loops are enough for a statement of the region: two, or one that is its only one; three
/// inside four loops and more of which nobody knows how long they are, where two would give few threads long
/// work.
int loopsWanted(const Region& region, int statement) {
  const std::vector<int>& loops = region.statements[statement].loops;
  const long open = std::count_if(loops.begin(), loops.end(), [&](int loop) {
    Effort effort;
    return !tripCount(region, loop, effort);
  });
  return open > 3 ? 3 : std::min<int>(2, static_cast<int>(loops.size()));
}

/// True when every statement is in enough parallel loops, and none is in a loop of the host.
bool isFullyParallel(const ScheduleState& state) {
  Parallelism now = parallelism(state);
  int wanted = 0;
  for (int s : statementsOf(state.region(), state.tree()))
    wanted += loopsWanted(state.region(), s);
  return now.launches == 0 && now.loops >= wanted;
}

/// True when every statement below `tree` is in enough loops, outermost ones, that are parallel or combine
/// values, and no loop inside these could be shared out, too: then scalars of an iteration are a thread's
/// own.
bool isSharedOut(const ScheduleState& state, const LoopTree& tree) {
  if (tree.kind != LoopTree::Kind::Loop)
    return std::all_of(tree.children.begin(), tree.children.end(),
                       [&](const LoopTree& child) { return isSharedOut(state, child); });
  int shared = 0;
  bool intoElements = false; // what is combined, and not one value: loops inside may go along these
  const LoopTree* at = &tree;
  for (; at->kind == LoopTree::Kind::Loop; at = &at->children.front(), ++shared) {
    if (state.isParallel(at->name).value_or(false)) continue;
    const std::vector<Reduction> combined = reductionsOf(state, *at);
    if (combined.empty()) break;
    for (const Reduction& one : combined)
      intoElements = intoElements || !state.region().arrays[one.array].isScalar();
  }
  const std::vector<std::string> inside = loopNames(*at);
  if (std::any_of(inside.begin(), inside.end(), [&](const std::string& loop) {
        return intoElements || state.isParallel(loop).value_or(false);
      }))
    return false;
  const std::vector<int> below = statementsOf(state.region(), tree);
  return std::all_of(below.begin(), below.end(),
                     [&](int s) { return loopsWanted(state.region(), s) <= shared; });
}

} // namespace

DefaultChoice expandArrays(ScheduleState& state, DefaultChoice choice) {
  const Region& region = state.region();
  std::vector<std::vector<int>> candidates;
  std::vector<int> scalars;
  for (int array = 0; array < static_cast<int>(region.arrays.size()); ++array) {
    const Array& object = region.arrays[array];
    bool sized = std::all_of(object.extents.begin(), object.extents.end(),
                             [](const std::optional<isl::pw_aff>& extent) { return extent.has_value(); });
    if (object.isScalar() && object.storage == Array::Storage::Local)
      scalars.push_back(array);
    else if (!fitsThread(object) && sized)
      candidates.push_back({array});
  }
  candidates.push_back(scalars);
  for (const std::vector<int>& arrays : candidates) {
    if (isFullyParallel(state) || (arrays == scalars && isSharedOut(state, state.tree()))) break;
    ScheduleState trial = state.original();
    for (const Relaxation& one : state.relaxations())
      if (one.kind == Relaxation::Kind::Expanded)
        trial.take(Expand{region.arrays[one.array].name, trial.sourceName(one.loop)});
    if (!expand(trial, arrays)) continue;
    DefaultChoice other = scheduleByDefault(trial);
    Parallelism found = parallelism(trial), now = parallelism(state);
    // To set an accumulator to zero in a kernel of its own is no gain.
    bool gains = found.launches - now.launches > 1 || found.loops - now.loops > 1;
    if (found <= now || (arrays == scalars && !gains)) continue;
    state = std::move(trial);
    choice = other;
  }
  return choice;
}

} // namespace warploom
