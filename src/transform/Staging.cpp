#include "transform/Staging.h"

#include "support/IslC.h"
#include "transform/Boxes.h"
#include "transform/Elements.h"
#include "transform/Levels.h"
#include "transform/PrivateCopies.h"
#include "transform/Schedule.h"
#include "transform/StepChecks.h"
#include "transform/ThreadBoxes.h"

#include <algorithm>
#include <fmt/format.h>
#include <functional>
#include <isl/map.h>
#include <isl/set.h>
#include <numeric>
#include <set>

namespace warploom {

namespace {

/// A device's constant memory, in bytes.
constexpr long constantBytes = 64L * 1024;

/// The first access below `tree` that writes `array`; null when there is none.
const Access* writeBelow(const Region& region, const LoopTree& tree, int array) {
  for (int s : statementsOf(region, tree))
    for (const Access& access : region.statements[s].accesses)
      if (access.array == array && access.writes()) return &access;
  return nullptr;
}

bool isRelaxed(const ScheduleState& state, int array, Relaxation::Kind kind) {
  const auto& all = state.relaxations();
  return std::any_of(all.begin(), all.end(),
                     [&](const Relaxation& one) { return one.array == array && one.kind == kind; });
}

/// True when a value of `array` that `statements` write is read by others, or after the region.
bool leaves(const ScheduleState& state, const std::vector<int>& statements, int array) {
  auto isInside = [&](int s) { return std::count(statements.begin(), statements.end(), s) > 0; };
  const Dependences& known = state.facts().dependences;
  for (const Dependence& dependence : known.all)
    if (dependence.kind == Dependence::Kind::Flow && dependence.array == array &&
        (!isInside(dependence.source.statement) || !isInside(dependence.sink.statement)))
      return true;
  if (!state.region().arrays[array].liveAfter) return false;
  return std::any_of(known.final.begin(), known.final.end(), [&](const Instances& last) {
    return last.access.in(state.region()).array == array && isInside(last.access.statement);
  });
}

/// The kernel that the last loop of `path` is in, as far as loops are mapped.
const LoopTree& kernelOn(const std::vector<const LoopTree*>& path) {
  for (const LoopTree* loop : path)
    if (loop->place) return *loop;
  return *path.back();
}

/// True when no launch of `kernel` writes an element in one of the boxes that it uses in another. `path`
/// leads to it and on.
bool areApart(const ScheduleState& state, const std::vector<Box>& boxes, const LoopTree& kernel,
              const std::vector<const LoopTree*>& path) {
  if (boxes.size() == 1) return true;
  const Region& region = state.region();
  isl::union_set runs = instances(kernel);
  for (const LoopTree* loop : path) {
    if (loop == &kernel) break;
    runs = fixedAt(runs, loop->name, loop->value);
  }
  auto elements = [&](const Box& box, bool written) {
    isl::union_set all = isl::union_set(islContext(), "{ }");
    for (const AccessRef& ref : box.accesses)
      if (!written || ref.in(region).writes())
        all = all.unite(runs.intersect(ref.statementIn(region).domain).apply(ref.in(region).map));
    return all;
  };
  for (const Box& one : boxes)
    for (const Box& other : boxes)
      if (&one != &other && !elements(one, true).intersect(elements(other, false)).is_empty()) return false;
  return true;
}

/// Why a block cannot keep `staging.array`, which `kernel` writes, in shared memory for an iteration of the
/// loop. Blocks never write the same element unless they combine values, since a mapped loop carries no
/// dependence; but what they copy back must be exactly what they wrote.
std::optional<Refusal> refusedWritten(const ScheduleState& state, const Staging& staging,
                                      const LoopTree& kernel) {
  const Region& region = state.region();
  const std::string& name = region.arrays[staging.array].name;
  if (isRelaxed(state, staging.array, Relaxation::Kind::Reduced))
    return Refusal{fmt::format("several blocks may combine values in one element of `{}`", name)};
  Inside inside(state, staging.loop);
  const isl::union_set elsewhere = instances(kernel).subtract(instances(*inside.around.back()));
  for (int s : statementsOf(region, kernel))
    for (const Access& access : region.statements[s].accesses) {
      if (access.array != staging.array || access.kind == Access::Kind::Kill) continue;
      if (std::count(inside.statements.begin(), inside.statements.end(), s) == 0 ||
          !isl::union_set(elsewhere.intersect(region.statements[s].domain)).is_empty())
        return Refusal{fmt::format("`{}` at line {} is outside `{}`, in the same kernel", access.text,
                                   access.range.line, staging.loop)};
      if (!access.exact || (access.kind != Access::Kind::Read && access.kind != Access::Kind::Write) ||
          region.statements[s].kind != Statement::Kind::Assign)
        return Refusal{fmt::format("which elements of `{}` line {} {} is not known exactly", name,
                                   access.range.line, access.reads() ? "reads" : "writes")};
    }
  std::size_t accesses = 0;
  inside.forEachAccess(staging.array, [&](AccessRef) { ++accesses; });
  std::vector<Box> boxes = sharedBoxes(state, staging.loop, staging.array);
  std::size_t boxed = 0;
  for (const Box& box : boxes)
    boxed += box.accesses.size();
  if (boxes.empty() || boxed != accesses || !areApart(state, boxes, kernel, inside.around))
    return Refusal{fmt::format("what `{}` reaches of `{}` is not one box of a size that is known when the "
                               "kernel is compiled, and it writes `{}`",
                               staging.loop, name, name)};
  return std::nullopt;
}

/// Why a tile of `staging` cannot arrive while the threads work on the one before it.
std::optional<Refusal> refusedCopies(const ScheduleState& state, const Staging& staging,
                                     const std::vector<const LoopTree*>& path) {
  const std::string& name = state.region().arrays[staging.array].name;
  for (const Staging& other : state.staging())
    if (other.kind == Staging::Kind::Shared && other.loop == staging.loop && other.copies != staging.copies)
      return Refusal{fmt::format("`{}` has another number of copies in `{}`",
                                 state.region().arrays[other.array].name, staging.loop)};
  if (staging.copies == 1) return std::nullopt;
  if (path.back()->place || !kernelOn(path).place)
    return Refusal{
        fmt::format("`{}` is no loop that a block runs one iteration after another", staging.loop)};
  if (const Access* write = writeBelow(state.region(), kernelOn(path), staging.array))
    return Refusal{fmt::format("line {} writes `{}`: what the next tile reads may not be there yet",
                               write->range.line, name)};
  return std::nullopt;
}

/// Why the threads of a block cannot share `staging.array`, of which iterations have copies, in an iteration
/// of the last loop of `path`: what lives longer than that must be in memory, and a block has room for one
/// copy.
std::optional<Refusal> refusedOwn(const ScheduleState& state, const Staging& staging,
                                  const std::vector<const LoopTree*>& path) {
  const Region& region = state.region();
  const std::string& name = region.arrays[staging.array].name;
  if (region.arrays[staging.array].declaredIn < 0)
    return Refusal{fmt::format("`{}` has several copies, the last of which is used later", name)};
  if (staging.copies > 1 || staging.transposed) return Refusal{fmt::format("`{}` is written", name)};
  const isl::union_map copies = copiesOf(region, staging.array, region.arrays[staging.array].declaredIn);
  const isl::union_map here = copies.intersect_domain(instances(*path.back()));
  const isl::union_map iterations = here.reverse().apply_range(valuesOf(path));
  if (!iterations.is_single_valued() || !iterations.reverse().is_single_valued() ||
      !here.range().is_disjoint(copies.subtract_domain(here.domain()).range()))
    return Refusal{fmt::format("an iteration of `{}` has not just one copy of `{}`", staging.loop, name)};
  return std::nullopt;
}

std::optional<Refusal> refusedShared(const ScheduleState& state, const Staging& staging) {
  const Region& region = state.region();
  const Array& array = region.arrays[staging.array];
  const bool isExpanded = isRelaxed(state, staging.array, Relaxation::Kind::Expanded);
  if (array.isScalar() && !isExpanded) return Refusal{fmt::format("`{}` is a single value", array.name)};
  std::vector<const LoopTree*> path = pathTo(state.tree(), staging.loop);
  // Those of a scalar are elements like others, as long as they are only read.
  if (isRelaxed(state, staging.array, Relaxation::Kind::Private)) {
    if (auto refused = refusedOwn(state, staging, path)) return refused;
  } else if (isExpanded && (!array.isScalar() || writeBelow(region, kernelOn(path), staging.array))) {
    return Refusal{fmt::format("`{}` has several copies", array.name)};
  }
  for (const LoopTree* loop : path)
    if (loop->place && loop->place->kind == Place::Kind::Block)
      return Refusal{fmt::format("the threads of a block do not run `{}` together", staging.loop)};
  if (auto refused = refusedCopies(state, staging, path)) return refused;
  const LoopTree& kernel = kernelOn(path);
  if (writeBelow(region, kernel, staging.array)) {
    if (staging.transposed) return Refusal{fmt::format("`{}` is written", array.name)};
    return refusedWritten(state, staging, kernel);
  }
  const std::vector<Box> boxes = sharedBoxes(state, staging.loop, staging.array);
  for (const Box& box : boxes)
    if (staging.transposed &&
        box.stride.size() - std::size_t(std::count(box.stride.begin(), box.stride.end(), 0)) != 2)
      return Refusal{fmt::format("what `{}` reads of `{}` has not two sides", staging.loop, array.name)};
  if (boxes.empty())
    return Refusal{fmt::format("how much of `{}` an iteration of `{}` reads is not known when the kernel is "
                               "compiled",
                               array.name, staging.loop)};
  return std::nullopt;
}

/// The number of elements of a row of `array`; nothing when it is not known when the kernel is compiled.
std::optional<long> rowLength(const Array& array) {
  long elements = 1;
  for (std::size_t d = 1; d < array.extents.size(); ++d) {
    const auto& extent = array.extents[d];
    if (!extent || !own(isl_pw_aff_is_cst(extent->get())) || !extent->isa_aff()) return std::nullopt;
    elements *= own(isl_aff_get_constant_val(extent->as_aff().get())).num_si();
    if (elements > constantBytes) return std::nullopt;
  }
  return elements;
}

std::optional<Refusal> refusedConstant(const ScheduleState& state, const Staging& staging) {
  const Array& array = state.region().arrays[staging.array];
  if (!staging.loop.empty()) {
    auto slice = constantSlice(state, staging.loop, staging.array);
    if (const Refusal* refused = std::get_if<Refusal>(&slice)) return *refused;
    return std::nullopt;
  }
  long bytes = array.element.bits / 8;
  for (const auto& extent : array.extents) {
    if (!extent || !own(isl_pw_aff_is_cst(extent->get())) || !extent->isa_aff())
      return Refusal{fmt::format("how large `{}` is, is not known when the kernel is compiled", array.name)};
    bytes *= own(isl_aff_get_constant_val(extent->as_aff().get())).num_si();
    if (bytes > constantBytes)
      return Refusal{
          fmt::format("`{}` does not fit into the {} bytes of constant memory", array.name, constantBytes)};
  }
  // The first extent of a parameter is no promise.
  for (const Statement& statement : state.region().statements)
    for (const Access& access : statement.accesses) {
      if (access.array != staging.array || access.kind == Access::Kind::Kill || array.extents.empty())
        continue;
      isl::set rows = own(isl_set_project_out(access.map.range().release(), isl_dim_set, 1,
                                              static_cast<unsigned>(array.rank) - 1));
      long rowCount = own(isl_aff_get_constant_val(array.extents[0]->as_aff().get())).num_si();
      isl::val least = rows.dim_min_val(0), greatest = rows.dim_max_val(0);
      if (!least.is_int() || !greatest.is_int() || least.num_si() < 0 || greatest.num_si() >= rowCount)
        return Refusal{fmt::format("`{}` at line {} may be beyond the rows that `{}` is declared with",
                                   access.text, access.range.line, array.name)};
    }
  return std::nullopt;
}

} // namespace

std::variant<ConstantSlice, Refusal> constantSlice(const ScheduleState& state, const std::string& loop,
                                                   int array) {
  const Region& region = state.region();
  const Array& object = region.arrays[array];
  Inside inside(state, loop);
  for (const LoopTree* outer : inside.around)
    if (outer->place || outer->tile)
      return Refusal{
          fmt::format("the host does not run `{}`{}", loop, outer->tile ? " by tiles of a known size" : "")};
  std::optional<long> length = rowLength(object);
  if (!length) return Refusal{fmt::format("how large a row of `{}` is, is not known", object.name)};
  isl::union_set runs = instances(*inside.around.back());
  const isl::union_set elsewhere = instances(state.tree()).subtract(runs);
  for (const LoopTree* outer : inside.around)
    runs = fixedAt(runs, outer->name, outer->value);
  isl::set rows = isl::set(islContext(), "{ [r] : false }");
  for (int s = 0; s < static_cast<int>(region.statements.size()); ++s)
    for (const Access& access : region.statements[s].accesses) {
      if (access.array != array || access.kind == Access::Kind::Kill) continue;
      if (std::count(inside.statements.begin(), inside.statements.end(), s) == 0 ||
          !isl::union_set(elsewhere.intersect(region.statements[s].domain)).is_empty())
        return Refusal{fmt::format("`{}` at line {} is outside `{}`", access.text, access.range.line, loop)};
      if (!affineSubscripts(access))
        return Refusal{
            fmt::format("which elements `{}` at line {} reads is not known", access.text, access.range.line)};
      isl::union_set here = runs.intersect(region.statements[s].domain);
      if (here.is_empty()) continue;
      isl_set* elements = own(isl_set_from_union_set(here.release())).apply(access.map).release();
      elements = isl_set_project_out(elements, isl_dim_set, 1, static_cast<unsigned>(object.rank) - 1);
      rows = rows.unite(own(isl_set_remove_divs(isl_set_reset_tuple_id(elements))));
    }
  rows = rows.coalesce();
  isl::set given = own(isl_union_set_params(runs.copy())).intersect(region.context);
  if (!given.is_subset(rows.params()))
    return Refusal{fmt::format("not every iteration of `{}` reads `{}`", loop, object.name)};
  Refusal unknown{fmt::format("how much of `{}` an iteration of `{}` reads is not known when the kernel is "
                              "compiled",
                              object.name, loop)};
  if (rows.is_empty() || !own(isl_set_dim_has_lower_bound(rows.get(), isl_dim_set, 0)) ||
      !own(isl_set_dim_has_upper_bound(rows.get(), isl_dim_set, 0)))
    return unknown;
  ConstantSlice slice{own(isl_set_dim_min(rows.copy(), 0)).gist_params(given).coalesce(),
                      own(isl_set_dim_max(rows.copy(), 0)).gist_params(given).coalesce()};
  isl::pw_aff apart = slice.last.sub(slice.first).intersect_params(given);
  isl::set counts = own(isl_set_from_pw_aff(apart.release()));
  isl::val most = counts.dim_max_val(0);
  if (!most.is_int() || !slice.first.isa_aff()) return unknown;
  slice.rows = most.num_si() + 1;
  if (slice.rows > constantBytes || slice.rows * *length * (object.element.bits / 8) > constantBytes)
    return Refusal{fmt::format("what an iteration of `{}` reads of `{}` does not fit into the {} bytes of "
                               "constant memory",
                               loop, object.name, constantBytes)};
  return slice;
}

/// True when the last loop of `path` has loops on the block inside, and no loop around them has tiles of
/// symbolic size.
static bool walksInStrides(const std::vector<const LoopTree*>& path) {
  const std::vector<std::string> inside = loopNames(*path.back());
  return std::none_of(path.begin(), path.end(),
                      [](const LoopTree* loop) { return loop->tile.has_value(); }) &&
         std::any_of(inside.begin(), inside.end(), [&](const std::string& name) {
           const LoopTree& loop = *findLoop(*path.back(), name);
           return &loop != path.back() && loop.place && loop.place->kind == Place::Kind::Block;
         });
}

std::variant<RegisterSet, Refusal> registerSet(const ScheduleState& state, const std::string& loop,
                                               int array) {
  Inside inside(state, loop);
  const Region& region = state.region();
  const std::string& name = region.arrays[array].name;
  if (!region.arrays[array].isScalar() && walksInStrides(inside.around)) return threadBox(state, loop, array);
  std::vector<AccessRef> all;
  inside.forEachAccess(array, [&](AccessRef ref) { all.push_back(ref); });
  if (all.empty()) return Refusal{fmt::format("nothing in `{}` accesses `{}`", loop, name)};
  RegisterSet kept{all.front(), elementsOf(state, all.front())};
  // The tile loops whose points are threads.
  std::vector<const LoopTree*> tiles;
  for (const LoopTree* outer : inside.around)
    if (outer->tile && outer->place) tiles.push_back(outer);
  if (region.arrays[array].isScalar() && !isRelaxed(state, array, Relaxation::Kind::Expanded))
    return Refusal{fmt::format("the points of `{}` share `{}`: expand it", loop, name)};
  if (region.arrays[array].isScalar() && !leaves(state, inside.statements, array)) {
    // Each point has its own, which lives and dies inside the loop.
    kept.load = kept.store = false;
    for (const LoopTree* tile : tiles)
      kept.along.push_back(tile->name);
    return kept;
  }
  // Every access as a function of the point, by the origins of its tiles.
  std::optional<std::vector<isl::pw_aff>> function;
  bool isWritten = false;
  for (AccessRef ref : all) {
    isWritten |= ref.in(region).writes();
    Refusal refusal{fmt::format("`{}` at line {} is not one element per thread in `{}`", ref.in(region).text,
                                ref.in(region).range.line, loop)};
    std::optional<isl::multi_aff> subscripts =
        ref.in(region).exact ? affineSubscripts(elementsOf(state, ref)) : std::nullopt;
    if (!subscripts) return refusal;
    std::vector<isl::pw_aff> point;
    for (unsigned d = 0; d < unsigned(subscripts->size()); ++d) {
      auto range = valuesOf(subscripts->at(static_cast<int>(d)), ref.statementIn(region).loops.size(),
                            [&](std::size_t level) -> std::optional<Range> {
                              const LoopTree* over = inside.over(ref.statement, level);
                              if (!over) return std::nullopt;
                              if (over->tile && !over->place) return std::nullopt;
                              isl::pw_aff value =
                                  parameter(over->tile ? over->tile->origin : fixedName(over->name));
                              return Range{value, value};
                            });
      if (!range) return refusal;
      point.push_back(range->low);
    }
    if (!function) function = point;
    if (point.size() != function->size()) return refusal;
    for (std::size_t d = 0; d < point.size(); ++d)
      if (!point[d].plain_is_equal((*function)[d])) return refusal;
  }
  kept.store = isWritten;
  for (const LoopTree* tile : tiles) {
    auto follows = [&](const isl::pw_aff& one) { return involves(one, tile->tile->origin); };
    if (std::any_of(function->begin(), function->end(), follows))
      kept.along.push_back(tile->name);
    else if (isWritten)
      return Refusal{fmt::format("threads along `{}` share `{}`", tile->name, kept.access.in(region).text)};
  }
  // The elements have no value before when the first statement that touches them writes them all.
  const AccessRef first = all.front();
  bool reads = false, once = true;
  const isl::set begun = kept.reached.range();
  isl::set every = begun;
  for (AccessRef ref : all) {
    every = every.unite(elementsOf(state, ref).range());
    reads |= ref.statement == first.statement && ref.in(region).reads();
  }
  const Statement& begins = first.statementIn(region);
  for (std::size_t level = 0; level < begins.loops.size(); ++level)
    once &= inside.over(first.statement, level) != nullptr;
  bool certain = first.in(region).kind == Access::Kind::Write && begins.guards.empty();
  if (!reads && once && certain && begun.is_equal(every)) kept.load = false;
  return kept;
}

bool keptTwice(const ScheduleState& state, const Staging& one, const Staging& other) {
  auto isClose = [](const Staging& staging) {
    return staging.kind == Staging::Kind::Shared || staging.kind == Staging::Kind::Registers;
  };
  if (one.array != other.array) return false;
  // Tiles are copied from device memory while others are used; there is no such copy from constant memory.
  auto are = [&](Staging::Kind a, Staging::Kind b) { return one.kind == a && other.kind == b; };
  if (are(Staging::Kind::Shared, Staging::Kind::Constant) ||
      are(Staging::Kind::Constant, Staging::Kind::Shared))
    return true;
  if (!isClose(one) || !isClose(other)) return false;
  if (one.kind == Staging::Kind::Registers && other.kind == Staging::Kind::Registers) return false;
  const LoopTree& kernel = kernelOn(pathTo(state.tree(), one.loop));
  return findLoop(kernel, other.loop) && writeBelow(state.region(), kernel, one.array);
}

std::optional<Refusal> refusedStaging(const ScheduleState& state, const Staging& staging) {
  const Region& region = state.region();
  const Array& array = region.arrays[staging.array];
  bool isPart = array.within >= 0 && (array.isScalar() || staging.kind == Staging::Kind::Constant);
  if (isPart || array.element.kind == Type::Kind::Struct)
    return Refusal{fmt::format("`{}` is {}", array.name, isPart ? "a part of a struct" : "a struct")};
  if (!staging.loop.empty() && !findLoop(state.tree(), staging.loop)) return noSuchLoop(staging.loop);
  switch (staging.kind) {
  case Staging::Kind::Shared:
    return refusedShared(state, staging);
  case Staging::Kind::Registers: {
    auto found = registerSet(state, staging.loop, staging.array);
    if (const Refusal* refused = std::get_if<Refusal>(&found)) return *refused;
    return std::nullopt;
  }
  case Staging::Kind::Constant:
  case Staging::Kind::ReadOnly:
    break;
  }
  if (array.isScalar()) return Refusal{fmt::format("`{}` is a single value", array.name)};
  if (const Access* write = writeBelow(region, state.tree(), staging.array))
    return Refusal{fmt::format("line {} writes `{}`", write->range.line, array.name)};
  if (staging.kind == Staging::Kind::ReadOnly && !array.element.isInteger() &&
      array.element.kind != Type::Kind::Float)
    return Refusal{fmt::format("`{}` has elements that the read-only path does not load", array.name)};
  return staging.kind == Staging::Kind::Constant ? refusedConstant(state, staging) : std::nullopt;
}

namespace {

std::optional<Refusal> stage(ScheduleState& state, Staging::Kind kind, const std::string& array,
                             const std::string& loop, const StageShared& how = {}) {
  const auto& arrays = state.region().arrays;
  auto found = std::find_if(arrays.begin(), arrays.end(), [&](const Array& a) { return a.name == array; });
  if (found == arrays.end()) return Refusal{fmt::format("there is no array `{}`", array)};
  const LoopTree* at = findLoop(state.tree(), loop);
  return state.stage({kind, static_cast<int>(found - arrays.begin()), at ? at->name : loop, how.padding,
                      how.copies, how.together, how.transposed});
}

} // namespace

std::optional<Refusal> apply(const StageShared& step, ScheduleState& state) {
  if (step.padding == 0 || step.padding == -1)
    return Refusal{fmt::format("a padding of {}: 1 for none, d > 1 for a multiple of d, -d for no factor in "
                               "common with d",
                               step.padding)};
  if (step.copies < 1 || step.copies > mostCopies)
    return Refusal{fmt::format("{} copies of a tile: 1, or up to {} to fill some while one is used",
                               step.copies, mostCopies)};
  if (step.together < 1 || step.together > 16 || (step.together & (step.together - 1)) != 0)
    return Refusal{fmt::format("{} elements read together: a power of two, at most 16", step.together)};
  if (step.together > 1 && step.padding != 1)
    return Refusal{"rows are padded one way: for elements that are read together, or by a number"};
  return stage(state, Staging::Kind::Shared, step.array, step.loop, step);
}

std::optional<Refusal> apply(const Pipeline& step, ScheduleState& state) {
  const LoopTree* loop = findLoop(state.tree(), step.loop);
  if (!loop) return noSuchLoop(step.loop);
  if (step.copies < 2 || step.copies > mostCopies)
    return Refusal{fmt::format("{} copies of a tile: 2 to {}", step.copies, mostCopies)};
  return state.restage(loop->name, step.copies);
}

std::optional<Refusal> apply(const StageRegisters& step, ScheduleState& state) {
  return stage(state, Staging::Kind::Registers, step.array, step.loop);
}

std::optional<Refusal> apply(const StageConstant& step, ScheduleState& state) {
  return stage(state, Staging::Kind::Constant, step.array, step.loop);
}

std::optional<Refusal> apply(const StageReadOnly& step, ScheduleState& state) {
  return stage(state, Staging::Kind::ReadOnly, step.array, "");
}

} // namespace warploom
