#include "mapping/Nests.h"

#include "analysis/Order.h"
#include "analysis/Reductions.h"
#include "mapping/Movement.h"
#include "mapping/SharedCode.h"
#include "support/IslC.h"
#include "transform/Tunables.h"

#include <algorithm>
#include <fmt/format.h>
#include <isl/aff.h>
#include <isl/set.h>

namespace warploom {

namespace {

/// True when the text of `expr` speaks of the index of `loop`, around `statement`, whether its value depends
/// on it or not.
bool mentions(const Region& region, const Statement& statement, const Expr& expr, int loop) {
  if (expr.kind == Expr::Kind::Index && expr.text == region.loops[loop].index) return true;
  if (expr.kind == Expr::Kind::Affine && expr.value) {
    auto level = static_cast<unsigned>(std::find(statement.loops.begin(), statement.loops.end(), loop) -
                                       statement.loops.begin());
    if (own(isl_pw_aff_involves_dims(expr.value->get(), isl_dim_in, level, 1))) return true;
  }
  return std::any_of(expr.operands.begin(), expr.operands.end(),
                     [&](const ExprPtr& operand) { return mentions(region, statement, *operand, loop); });
}

class Reader {
public:
  Reader(const ScheduleState& state, const LoopTree& root)
      : state(state), region(state.region()), root(root), inside(loopNames(root)) {}

  std::variant<MappedNest, Refusal> read() {
    if (auto refused = readGrid()) return *refused;
    for (const std::string& name : inside) {
      nest.inBlocks |= isOn(loop(name), Place::Kind::Block);
      if (isOn(loop(name), Place::Kind::Lane)) nest.lanes.insert(name);
    }
    if (nest.inBlocks && !nest.lanes.empty())
      return Refusal{fmt::format("lanes of warps, for `{}`, and threads of a block cannot be in one nest",
                                 *nest.lanes.begin())};
    for (int s : statementsOf(region, root))
      if (state.groups().count(s)) nest.sharedCode.insert(s);
    for (auto part : {&Reader::readScans, &Reader::readLevels, &Reader::readLanes, &Reader::readGroups,
                      &Reader::readReductions, &Reader::checkScans, &Reader::checkLevels,
                      &Reader::checkCollapsed, &Reader::checkTiles, &Reader::checkStaging})
      if (auto refused = (this->*part)()) return *refused;
    if (nest.inBlocks) nest.mapped.clear();
    return nest;
  }

private:
  const LoopTree& loop(const std::string& name) const { return *findLoop(root, name); }

  /// Loops on the grid are the outermost ones: blocks do not wait for each other inside a kernel.
  std::optional<Refusal> readGrid() {
    std::vector<int> dimensions;
    for (const LoopTree* one : nestFrom(root)) {
      if (!isOn(*one, Place::Kind::Grid)) break;
      nest.mapped.push_back(one->name);
      dimensions.push_back(one->place->dimension);
    }
    for (const std::string& name : inside)
      if (isOn(loop(name), Place::Kind::Grid) &&
          std::count(nest.mapped.begin(), nest.mapped.end(), name) == 0)
        return Refusal{
            fmt::format("`{}` is on the grid, but not directly inside the other loops on it: blocks "
                        "do not wait for each other",
                        name)};
    const std::set<int> distinct(dimensions.begin(), dimensions.end());
    nest.collapsed = distinct.size() < dimensions.size();
    for (int dimension : dimensions)
      nest.axes.push_back(static_cast<int>(std::distance(distinct.begin(), distinct.find(dimension))));
    return std::nullopt;
  }

  /// The reductions that steps have taken of `one`, as far as they are below it.
  std::vector<Reduction> taken(const LoopTree& one) const {
    std::vector<Reduction> result;
    std::optional<int> source = sourceLoop(region, one);
    if (!source) return result;
    const std::vector<int> below = statementsOf(region, one);
    for (Reduction reduction : state.facts().loops[*source].reductions) {
      const Relaxation step{Relaxation::Kind::Reduced, reduction.array, *source};
      const auto& all = state.relaxations();
      if (std::count(all.begin(), all.end(), step) == 0) continue;
      std::erase_if(reduction.statements,
                    [&](int s) { return std::count(below.begin(), below.end(), s) == 0; });
      if (!reduction.statements.empty()) result.push_back(std::move(reduction));
    }
    return result;
  }

  /// True when iterations of the loop called `name` combine values, as a step has allowed.
  bool combines(const std::string& name) const {
    return !taken(loop(name)).empty() && !state.isParallelUnreduced(name).value_or(false);
  }

  /// The statements of the source loop `source` that its scan is about: those that tell how it goes, and all
  /// that touch what it finds.
  std::vector<int> scanned(int source, const Scan& scan) const {
    std::vector<int> found;
    for (int s = 0; s < static_cast<int>(region.statements.size()); ++s) {
      const Statement& statement = region.statements[s];
      if (statement.kind == Statement::Kind::Kill || !warploom::inside(statement, source)) continue;
      if (std::count(scan.slice.begin(), scan.slice.end(), s) > 0 ||
          std::any_of(statement.accesses.begin(), statement.accesses.end(),
                      [&](const Access& one) { return isScanned(state, one.array, source); }))
        found.push_back(s);
    }
    return found;
  }

  /// The loops that run as scans: all of what such a loop hands on goes through one loop, in the order of the
  /// source.
  std::optional<Refusal> readScans() {
    std::set<int> sources;
    for (const Relaxation& one : state.relaxations())
      if (one.kind == Relaxation::Kind::Scanned) sources.insert(one.loop);
    const std::vector<int> below = statementsOf(region, root);
    for (int source : sources) {
      const LoopVerdict& verdict = state.facts().loops[source];
      const Scan scan = scanOf(region, state.facts().dependences, source, verdict.privateArrays).value();
      const std::vector<int> parts = scanned(source, scan);
      if (std::none_of(parts.begin(), parts.end(),
                       [&](int s) { return std::count(below.begin(), below.end(), s) > 0; }))
        continue;
      const LoopTree* found = nullptr;
      for (const std::string& name : inside)
        if (!found && sourceLoopInOrder(region, loop(name)) == source) found = &loop(name);
      const bool hasPlace = found && (isOn(*found, Place::Kind::Grid) || isOn(*found, Place::Kind::Lane));
      if (!hasPlace || found->tile || !std::all_of(parts.begin(), parts.end(), [&](int s) {
            return isl::union_set(region.statements[s].domain).is_subset(instances(*found));
          }))
        return Refusal{
            fmt::format("`{}` is to run as a scan: that takes a loop on the grid, or on the lanes of a "
                        "warp, with all its iterations in their order",
                        state.sourceName(source))};
      nest.scans.emplace(found->name, scan);
    }
    return std::nullopt;
  }

  /// The loops that run by levels: all that meets goes through loops on the grid, in the order of the source.
  std::optional<Refusal> readLevels() {
    std::map<int, std::set<int>> sources; // the arrays in which iterations of a source loop meet
    for (const Relaxation& one : state.relaxations())
      if (one.kind == Relaxation::Kind::Leveled) sources[one.loop].insert(one.array);
    for (const auto& [source, arrays] : sources) {
      bool meets = false, isAll = true;
      const LoopTree* found = nullptr;
      for (const std::string& name : nest.mapped)
        if (sourceLoopInOrder(region, loop(name)) == source) found = &loop(name);
      for (const Statement& statement : region.statements) {
        if (!warploom::inside(statement, source) || !touches(statement, arrays)) continue;
        const isl::union_set runs = isl::union_set(statement.domain);
        meets = meets || !runs.intersect(instances(root)).is_empty();
        isAll = isAll && found && runs.is_subset(instances(*found));
      }
      if (!meets) continue;
      if (!found || found->tile || !isAll)
        return Refusal{
            fmt::format("`{}` is to run by levels: that takes a loop on the grid with all its iterations in "
                        "their order",
                        state.sourceName(source))};
      leveled.insert(found->name);
      meeting.insert(arrays.begin(), arrays.end());
    }
    if (leveled.empty()) return std::nullopt;
    const int innermost = *sourceLoopInOrder(region, loop(nest.mapped.back()));
    nest.levels = irregularOf(region, state.facts().dependences, innermost,
                              state.facts().loops[innermost].privateArrays);
    return std::nullopt;
  }

  static bool touches(const Statement& statement, const std::set<int>& arrays) {
    return std::any_of(statement.accesses.begin(), statement.accesses.end(), [&](const Access& access) {
      return access.kind != Access::Kind::Kill && arrays.count(access.array) > 0;
    });
  }

  /// Levels are all that a kernel is about: of one loop, or of loops counted together that meet in the same
  /// arrays. What tells where does not depend on loops of the host, which come later.
  std::optional<Refusal> checkLevels() {
    if (leveled.empty()) return std::nullopt;
    const Refusal refused{fmt::format("`{}` runs by levels: no other loop of its kernel is mapped, and loops "
                                      "counted together with it meet in the same way",
                                      *leveled.begin())};
    if (!nest.levels || leveled.size() != nest.mapped.size() || (leveled.size() > 1 && !nest.collapsed) ||
        nest.inBlocks || !nest.lanes.empty() || !nest.sharedCode.empty() || !nest.reductions.empty() ||
        !nest.scans.empty())
      return refused;
    if (nest.levels->arrays != meeting) return refused;
    const std::vector<int> tells = nest.levels->telling();
    const int outermost = *sourceLoopInOrder(region, loop(nest.mapped.front()));
    for (int around = region.loops[outermost].parent; around >= 0; around = region.loops[around].parent)
      if (isChosenBy(region, *nest.levels, around) ||
          std::any_of(tells.begin(), tells.end(), [&](int s) { return bounds(around, s); }))
        return Refusal{fmt::format("where iterations of `{}` meet depends on `{}`, which is around them",
                                   *leveled.begin(), region.loops[around].index)};
    return std::nullopt;
  }

  /// True when for which indices of the loops inside `around` the statement `s` runs depends on that loop's.
  bool bounds(int around, int s) const {
    const isl::set& domain = region.statements[s].domain;
    const auto depth = static_cast<unsigned>(region.statements[s].loops.size()),
               upTo = static_cast<unsigned>(region.loops[around].depth);
    const isl::set outer = own(isl_set_eliminate(domain.copy(), isl_dim_set, upTo, depth - upTo)),
                   inner = own(isl_set_eliminate(domain.copy(), isl_dim_set, 0, upTo));
    return !outer.intersect(inner).is_subset(domain);
  }

  /// True when both loops find the same states in the same way, so that they can be counted together.
  static bool areAlike(const Scan& a, const Scan& b) {
    return a.slice == b.slice &&
           std::equal(a.states.begin(), a.states.end(), b.states.begin(), b.states.end(),
                      [](const Recurrence& one, const Recurrence& other) {
                        return one.array == other.array && one.kind == other.kind;
                      });
  }

  /// A scan on the grid is all that its kernel does, of one loop or of all that are counted together; one of
  /// a warp begins with what its lanes have.
  std::optional<Refusal> checkScans() {
    for (const auto& [name, scan] : nest.scans) {
      if (isOn(loop(name), Place::Kind::Grid)) {
        const bool isWhole =
            std::all_of(nest.mapped.begin(), nest.mapped.end(), [&](const std::string& other) {
              return nest.scans.count(other) && areAlike(nest.scans.at(other), scan);
            });
        if (!isWhole || (nest.mapped.size() > 1 && !nest.collapsed) || nest.inBlocks || !nest.lanes.empty() ||
            !nest.sharedCode.empty() || !nest.reductions.empty())
          return Refusal{fmt::format("`{}` runs as a scan: no other loop of its kernel is mapped", name)};
        continue;
      }
      for (const Recurrence& one : scan.states)
        if (!isPrivate(state, one.array))
          return Refusal{fmt::format("`{}` is not private to an iteration that a warp takes",
                                     region.arrays[one.array].name)};
    }
    return std::nullopt;
  }

  std::optional<Refusal> readLanes() {
    for (const std::string& name : nest.lanes) {
      if (!keepsToItself(state, loop(name)))
        return Refusal{fmt::format("lanes that share `{}` would not see each other's private values", name)};
      if (!combines(name)) continue;
      std::vector<Reduction> found = taken(loop(name));
      if (found.empty() || !hasOnePart(state, loop(name), found))
        return Refusal{
            fmt::format("lanes cannot combine what `{}` does: the loops inside choose the elements", name)};
      // Loops that were one before it was split combine the same.
      for (const Reduction& one : found)
        if (std::none_of(nest.reductions.begin(), nest.reductions.end(), [&](const Reduction& other) {
              return other.array == one.array && other.statements == one.statements;
            }))
          nest.reductions.push_back(one);
    }
    return std::nullopt;
  }

  std::optional<Refusal> readGroups() {
    if (nest.sharedCode.empty()) return std::nullopt;
    if (nest.inBlocks || !nest.lanes.empty())
      return Refusal{"groups of threads share code in nests on the grid alone, without lanes"};
    auto found = groupReductions(state, loop(nest.mapped.back()).children.front());
    if (const Refusal* refused = std::get_if<Refusal>(&found)) return *refused;
    nest.reductions = std::get<std::vector<Reduction>>(found);
    for (const Reduction& reduction : nest.reductions)
      if (nest.sharedCode.count(reduction.statements.front()) == 0)
        return Refusal{"groups of threads share the code of all statements that are loops, or of none"};
    return std::nullopt;
  }

  /// What loops on the grid and on blocks combine.
  std::optional<Refusal> readReductions() {
    const bool isShared = !nest.lanes.empty() || !nest.sharedCode.empty();
    for (const std::string& name : inside) {
      if (!isOn(loop(name), Place::Kind::Grid) && !isOn(loop(name), Place::Kind::Block)) continue;
      if (!combines(name)) continue;
      if (isShared)
        return Refusal{
            fmt::format("iterations of `{}` combine values, and so do the threads that share one", name)};
      for (const Reduction& reduction : taken(loop(name)))
        add(reduction);
    }
    if (isShared || nest.reductions.empty()) return std::nullopt;
    for (const Reduction& reduction : nest.reductions) {
      const Array& array = region.arrays[reduction.array];
      if (!isCombined(array.element))
        return Refusal{fmt::format("there is no atomic update of `{}`", array.name)};
      if (nest.inBlocks && isPrivate(state, reduction.array))
        return Refusal{fmt::format("`{}` is private to an iteration, and threads of a block would combine it",
                                   array.name)};
      if (array.isScalar()) continue;
      for (int s : reduction.statements)
        if (!updateOf(region.statements[s]))
          return Refusal{fmt::format("line {} combines values into `{}` in a way that has no atomic update",
                                     region.statements[s].range.line, array.name)};
    }
    findPartLevel();
    return std::nullopt;
  }

  void add(const Reduction& reduction) {
    for (Reduction& known : nest.reductions)
      if (known.array == reduction.array && known.op == reduction.op) {
        for (int s : reduction.statements)
          if (std::count(known.statements.begin(), known.statements.end(), s) == 0)
            known.statements.push_back(s);
        return;
      }
    nest.reductions.push_back(reduction);
  }

  /// The innermost of several mapped loops alone combines into elements that the others choose: a thread has
  /// its part of an element for as long as those stay.
  void findPartLevel() {
    if (nest.inBlocks || nest.collapsed || nest.mapped.size() < 2) return;
    const LoopTree& last = loop(nest.mapped.back());
    for (std::size_t k = 0; k + 1 < nest.mapped.size(); ++k)
      if (combines(nest.mapped[k])) return;
    if (!hasOnePart(state, last, nest.reductions) || last.children.front().kind != LoopTree::Kind::Leaf)
      return;
    for (const Reduction& reduction : nest.reductions)
      if (region.arrays[reduction.array].isScalar() || isPrivate(state, reduction.array)) return;
    nest.partLevel = nest.mapped.size() - 1;
  }

  /// Loops that are counted together are shared out among blocks, or else among single threads of the grid.
  std::optional<Refusal> checkCollapsed() {
    if (!nest.collapsed || nest.inBlocks) return std::nullopt;
    if (std::set<int>(nest.axes.begin(), nest.axes.end()).size() > 1)
      return Refusal{"loops that are counted together and others on the grid are for nests with loops on the "
                     "block: map_to_block"};
    if (nest.lanes.empty() && nest.sharedCode.empty()) return std::nullopt;
    return Refusal{
        fmt::format("`{}` and the loops counted together with it are for blocks or threads of the grid, not "
                    "for warps or groups of them",
                    root.name)};
  }

  /// True when `outer`, on the grid, is counted together with a loop further in.
  bool isCountedWithInner(const std::string& outer) const {
    auto at = std::find(nest.mapped.begin(), nest.mapped.end(), outer);
    if (at == nest.mapped.end()) return false;
    const auto axis = nest.axes.begin() + (at - nest.mapped.begin());
    return std::count(axis + 1, nest.axes.end(), *axis) > 0;
  }

  /// Tiles of symbolic size are shared out among blocks, whose threads take their points; others every thread
  /// runs by itself.
  std::optional<Refusal> checkTiles() {
    for (const std::string& name : inside)
      if (const auto& tile = loop(name).tile;
          tile && state.isTaken(constantName(tile->size)) && constantName(tile->size) != tile->size)
        return Refusal{fmt::format("the size `{}` would be called `{}`, and that is in use", tile->size,
                                   constantName(tile->size))};
    if (nest.inBlocks) return std::nullopt;
    for (const std::string& name : inside) {
      if (!loop(name).tile) continue;
      if (loop(name).place)
        return Refusal{fmt::format(
            "`{}` runs over tiles of symbolic size, but no loop inside it is on the block", name)};
      if (!nest.scans.empty() || !leveled.empty() || !nest.sharedCode.empty())
        return Refusal{
            fmt::format("`{}` runs over tiles of symbolic size in an iteration that is a part of a "
                        "scan or of a level, or that a group of threads shares: tile by a number",
                        name)};
    }
    return std::nullopt;
  }

  /// A statement that uses what `staging` keeps both inside its loop and outside it, as after a split; null
  /// when there is none.
  const Statement* alsoOutside(const Staging& staging) const {
    const isl::union_set kept = instances(loop(staging.loop)), all = instances(root);
    for (int s : statementsOf(region, loop(staging.loop))) {
      const Statement& statement = region.statements[s];
      const bool uses = std::any_of(statement.accesses.begin(), statement.accesses.end(),
                                    [&](const Access& access) { return access.array == staging.array; });
      if (uses && !all.intersect(statement.domain).is_subset(kept)) return &statement;
    }
    return nullptr;
  }

  /// Copies close to the threads are for threads of blocks.
  std::optional<Refusal> checkStaging() {
    for (const Staging& staging : state.staging()) {
      const bool isShared = staging.kind == Staging::Kind::Shared;
      if ((!isShared && staging.kind != Staging::Kind::Registers) || !findLoop(root, staging.loop)) continue;
      const std::string step =
          fmt::format("{}(\"{}\", \"{}\")", isShared ? "copy_to_shared" : "copy_to_registers", staging.loop,
                      region.arrays[staging.array].name);
      if (!nest.inBlocks) return Refusal{step + " needs loops on a block: map_to_block"};
      if (const Statement* other = alsoOutside(staging))
        return Refusal{fmt::format("{}: line {} runs outside `{}` in the kernel, too", step,
                                   other->range.line, staging.loop)};
      if (isCountedWithInner(staging.loop))
        return Refusal{fmt::format("{}: `{}` is counted together with a loop inside it", step, staging.loop)};
      for (const Reduction& reduction : nest.reductions)
        if (reduction.array == staging.array) return Refusal{step + ": threads combine values in it"};
    }
    return std::nullopt;
  }

  const ScheduleState& state;
  const Region& region;
  const LoopTree& root;
  const std::vector<std::string> inside; ///< the names of all its loops
  MappedNest nest;
  std::set<std::string> leveled; ///< loops that run by levels
  std::set<int> meeting;         ///< arrays in which their iterations meet
};

} // namespace

std::variant<MappedNest, Refusal> mappedNest(const ScheduleState& state, const LoopTree& root) {
  return Reader(state, root).read();
}

bool isOn(const LoopTree& loop, Place::Kind kind) {
  return loop.place && loop.place->kind == kind;
}

bool isCombined(const Type& type) {
  return (type.isInteger() && type.bits <= 64) ||
         (type.isFloating() && (type.bits == 32 || type.bits == 64)) ||
         (type.kind == Type::Kind::Complex && (type.bits == 64 || type.bits == 128));
}

/// True when a step said `kind` of `array`, for some loop.
static bool isRelaxed(const ScheduleState& state, int array, Relaxation::Kind kind) {
  const auto& all = state.relaxations();
  return std::any_of(all.begin(), all.end(),
                     [&](const Relaxation& one) { return one.array == array && one.kind == kind; });
}

bool isPrivate(const ScheduleState& state, int array) {
  return isRelaxed(state, array, Relaxation::Kind::Private);
}

bool isOfBlock(const ScheduleState& state, const LoopTree& root, int array) {
  const auto& all = state.staging();
  return isPrivate(state, array) && std::any_of(all.begin(), all.end(), [&](const Staging& one) {
           return one.kind == Staging::Kind::Shared && one.array == array && findLoop(root, one.loop);
         });
}

bool isScanned(const ScheduleState& state, int array, int loop) {
  const auto& all = state.relaxations();
  return std::count(all.begin(), all.end(), Relaxation{Relaxation::Kind::Scanned, array, loop}) > 0;
}

bool keepsToItself(const ScheduleState& state, const LoopTree& loop) {
  const Region& region = state.region();
  std::optional<int> source = sourceLoop(region, loop);
  if (!source) source = sourceLoopInOrder(region, loop);
  std::vector<int> inside = statementsOf(region, loop);
  for (int s : inside)
    for (const Access& access : region.statements[s].accesses) {
      if (!access.writes() || !isPrivate(state, access.array)) continue;
      if (!source) return false;
      if (isScanned(state, access.array, *source)) continue;
      const LoopVerdict& verdict = state.facts().loops[*source];
      bool accumulates = std::any_of(verdict.reductions.begin(), verdict.reductions.end(),
                                     [&](const Reduction& one) { return one.array == access.array; });
      if (accumulates) continue;
      const auto& own = verdict.privateArrays;
      int declaredIn = region.arrays[access.array].declaredIn;
      bool isOwn = std::count(own.begin(), own.end(), access.array) > 0 ||
                   (declaredIn >= 0 && encloses(region, *source, declaredIn));
      if (!isOwn) return false;
      for (std::size_t other = 0; other < region.statements.size(); ++other)
        if (std::count(inside.begin(), inside.end(), static_cast<int>(other)) == 0)
          for (const Access& use : region.statements[other].accesses)
            if (use.array == access.array && use.kind != Access::Kind::Kill) return false;
    }
  return true;
}

bool hasOnePart(const ScheduleState& state, const LoopTree& loop, const std::vector<Reduction>& reductions) {
  const Region& region = state.region();
  const std::vector<const LoopTree*> parts = partsOf(loop.children.front());
  const bool hasLoops = std::any_of(parts.begin(), parts.end(),
                                    [](const LoopTree* part) { return part->kind != LoopTree::Kind::Leaf; });
  for (const Reduction& reduction : reductions)
    for (int s : reduction.statements) {
      const Statement& statement = region.statements[s];
      const Accumulation into = accumulation(region, s).value();
      if (hasLoops && (!region.arrays[reduction.array].isScalar() ||
                       isRelaxed(state, reduction.array, Relaxation::Kind::Expanded)))
        return false;
      for (std::size_t a = 0; a < statement.accesses.size(); ++a) {
        const Access& access = statement.accesses[a];
        if (!into.owns({s, static_cast<int>(a)})) continue;
        if (region.arrays[access.array].isScalar()) continue;
        if (!access.exact ||
            movement(region, state.facts(), loop, {s, static_cast<int>(a)}) != Movement::None)
          return false;
        // The element is written outside the loop, where its index means nothing.
        if (!statement.body ||
            mentions(region, statement, *statement.body->operands[0], *sourceLoop(region, loop)))
          return false;
      }
    }
  // Each accumulator belongs to one statement: its part has one element.
  for (const Reduction& reduction : reductions)
    if (!region.arrays[reduction.array].isScalar() && reduction.statements.size() != 1) return false;
  return true;
}

std::variant<std::vector<Reduction>, Refusal> groupReductions(const ScheduleState& state,
                                                              const LoopTree& body) {
  const Region& region = state.region();
  std::vector<Reduction> found;
  std::set<int> read, written; // in device memory
  for (const LoopTree* part : partsOf(body)) {
    if (part->kind != LoopTree::Kind::Leaf)
      return Refusal{
          fmt::format("groups of threads share loops that only data end, and `{}` is another", part->name)};
    for (int s : statementsOf(region, *part)) {
      for (const Reduction& reduction : codeReductions(region, s, state.strictFp())) {
        if (!isPrivate(state, reduction.array))
          return Refusal{
              fmt::format("`{}` is not private to an iteration", region.arrays[reduction.array].name)};
        found.push_back(reduction);
      }
      for (const Access& access : region.statements[s].accesses) {
        if (isPrivate(state, access.array)) continue;
        if (access.reads()) read.insert(memoryOf(region, access.array));
        if (access.writes()) written.insert(memoryOf(region, access.array));
      }
    }
  }
  if (found.empty())
    return Refusal{"there is no loop that only data end and that does nothing but combine values"};
  // One thread of a group writes; the others do not wait for it.
  for (int array : written)
    if (read.count(array))
      return Refusal{fmt::format("`{}` is read and written: threads of a group do not wait for each other",
                                 region.arrays[array].name)};
  return found;
}

} // namespace warploom
