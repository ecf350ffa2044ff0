#include "mapping/Plan.h"

#include "analysis/Order.h"
#include "mapping/Contraction.h"
#include "mapping/Dropped.h"
#include "mapping/EarlyStart.h"
#include "mapping/Inspection.h"
#include "mapping/LastValues.h"
#include "mapping/Launches.h"
#include "mapping/MapTree.h"
#include "mapping/Movement.h"
#include "mapping/Nests.h"
#include "mapping/Tiles.h"
#include "support/Identifiers.h"
#include "support/IslC.h"
#include "transform/Elements.h"
#include "transform/Legality.h"
#include "transform/Trace.h"

#include <algorithm>
#include <fmt/format.h>
#include <isl/aff.h>
#include <isl/map.h>
#include <isl/union_map.h>

namespace warploom {

const Expansion* RegionPlan::expansionOf(int array) const {
  for (const Expansion& expansion : expansions)
    if (expansion.array == array) return &expansion;
  return nullptr;
}

std::vector<ScheduledLoop> KernelPlan::launchedLoops() const {
  std::vector<ScheduledLoop> result;
  for (const std::string& loop : mapped)
    result.push_back(scheduled(*findLoop(tree, loop)));
  return result;
}

bool KernelPlan::writesPrivate(const Statement& statement) const {
  return std::none_of(statement.accesses.begin(), statement.accesses.end(), [&](const Access& access) {
    return access.writes() && placement[access.array] != Placement::Private;
  });
}

std::optional<NoPlan> whyOnHost(const Region& region) {
  for (const Statement& statement : region.statements)
    if (!statement.hostOnly.empty()) return NoPlan{statement.range, statement.hostOnly};
  for (const Loop& loop : region.loops) {
    if (!loop.mustStaySequential.empty()) return NoPlan{loop.header, loop.mustStaySequential};
    if (!loop.inexactBounds.empty()) return NoPlan{loop.header, loop.inexactBounds};
  }
  for (const Condition& condition : region.conditions)
    if (condition.kind == Condition::Kind::NoOverlap && condition.arrays[0] == condition.arrays[1] &&
        region.arrays[condition.arrays[0]].tables.empty())
      return NoPlan{region.range,
                    "`" + region.arrays[condition.arrays[0]].name + "` is an array of pointers"};
  return std::nullopt;
}

namespace {

/// Elementary isl operations that the trees of one region's kernels may take.
constexpr unsigned long treeLimit = 40'000'000;

class Planner {
public:
  Planner(const ScheduleState& state, const DecidedOrder& order, const MappingOptions& options,
          const std::set<std::string>& taken)
      : state(state), region(state.region()), facts(state.facts()), order(order), options(options),
        taken(taken) {}

  RegionPlan plan() {
    try {
      result.orderSteps = order.steps;
      if (auto refused = state.finalCheck()) throw NoPlan{region.range, refused->reason};
      result.assumed = state.conditions().intersect(state.assumed());
      result.renamed = state.renamed();
      result.sizes = state.sizes();
      result.steps = state.history();
      for (const Step& step : state.history())
        result.recipe.push_back(print(step));
      if (options.traceSteps) {
        const ScheduleState original = state.original();
        const auto first = static_cast<std::ptrdiff_t>(original.history().size());
        result.explanations.push_back(
            trace(original, {state.history().begin() + first, state.history().end()}));
      }
      result.explanations.push_back(fmt::format("{}:{}: region {} runs in {}", region.file, region.range.line,
                                                region.name(), order.reason));
      noteExpansions();
      result.host = planTree(state.tree(), {}, {});
      Identifiers symbols;
      for (const Staging& staging : state.staging()) {
        if (staging.kind == Staging::Kind::ReadOnly) result.readOnly.insert(staging.array);
        if (staging.kind == Staging::Kind::Constant)
          result.constants[staging.array] = symbols.fresh(
              fmt::format("{}_{}", result.kernels.front().name, region.arrays[staging.array].name));
        if (staging.kind == Staging::Kind::Constant && !staging.loop.empty())
          result.slices.emplace(
              staging.array, std::pair{staging.loop, std::get<ConstantSlice>(
                                                         constantSlice(state, staging.loop, staging.array))});
      }
      if (auto refused = dropped(state, result)) throw NoPlan(*refused);
      // A nest whose parallel loops run for no sizes at all has no parallelism.
      bool anyMapped =
          std::any_of(result.kernels.begin(), result.kernels.end(), [&](const KernelPlan& kernel) {
            return !kernel.isSingle() && !instances(kernel.tree).intersect_params(result.assumed).is_empty();
          });
      if (!anyMapped) throw NoPlan{region.range, "no loop of it can run in parallel"};
      // A launch of a whole loop has no host between its iterations that could bring slices.
      if (result.slices.empty()) arrangeLaunches(facts, result);
      // Kernels of one launch have blocks of one size.
      for (KernelPlan& kernel : result.kernels) {
        kernel.ownTunables = options.tunablesPerKernel && !kernel.inOneLaunch;
        const auto variants = options.variants.find(kernel.name);
        if (kernel.ownTunables && variants != options.variants.end()) kernel.variants = variants->second;
      }
      mapTrees();
      explainLaunches();
      planTransfers();
      explainTransfers();
    } catch (const NoPlan& refusal) {
      result = refusedPlan(refusal);
    }
    return std::move(result);
  }

private:
  /// Finds out what the threads of each kernel do.
  void mapTrees() {
    auto mapping = [&] {
      for (KernelPlan& kernel : result.kernels) {
        beginEarly(region, facts, result, kernel);
        kernel.body = mapTree(region, facts, result, kernel);
        kernel.fewTiles = kernel.inOneLaunch || keepsMuch(kernel.body);
      }
      return true;
    };
    if (!limited(mapping, treeLimit))
      throw NoPlan{region.range, "mapping its kernels took more isl operations than allowed"};
    if (!options.traceSteps) return;
    for (const KernelPlan& kernel : result.kernels)
      result.explanations.push_back(fmt::format("kernel {}:\n{}", kernel.name, printed(kernel.body, region)));
  }

  /// True when what a thread keeps of a large tile would not fit its registers: more than a word for each
  /// point. Tiles for tensor cores are made for two.
  bool keepsMuch(const MappedTree& body) const {
    bool onTensor = false;
    forEachNode(body.nodes, [&](const MappedNode& node) {
      onTensor = onTensor || std::holds_alternative<TensorNode>(node.is);
    });
    unsigned bits = 0;
    for (const RegisterTile& tile : body.registers)
      bits += static_cast<unsigned>(region.arrays[tile.array].element.bits);
    return !onTensor && bits > 32;
  }

  void noteExpansions() {
    std::set<int> expanded;
    for (const Relaxation& one : state.relaxations())
      if (one.kind == Relaxation::Kind::Expanded) expanded.insert(one.array);
    for (int array : expanded)
      if (!livesInRegisters(array)) result.expansions.push_back({array, expandedAlong(state, array)});
  }

  /// True when all that touches the scalar `array` has it in registers, in which it lives and dies: it needs
  /// no memory.
  bool livesInRegisters(int array) const {
    if (!region.arrays[array].isScalar()) return false;
    std::set<int> inRegisters;
    for (const Staging& staging : state.staging()) {
      if (staging.kind != Staging::Kind::Registers || staging.array != array) continue;
      auto kept = registerSet(state, staging.loop, staging.array);
      const auto* set = std::get_if<RegisterSet>(&kept);
      if (!set || set->load || set->store) continue;
      for (int s : statementsOf(region, *findLoop(state.tree(), staging.loop)))
        inRegisters.insert(s);
    }
    for (int s : statementsOf(region, state.tree()))
      for (const Access& access : region.statements[s].accesses)
        if (access.array == array && inRegisters.count(s) == 0) return false;
    return true;
  }

  void planTransfers() {
    isl::set checked = result.assumed;
    for (const Condition& condition : region.conditions)
      if (condition.holds) checked = checked.intersect(*condition.holds);
    for (int array = 0; array < static_cast<int>(region.arrays.size()); ++array) {
      Transfer transfer = transferOf(region, facts, array, checked);
      // Of an expanded array one copy moves. All that is read in it was written.
      if (result.expansionOf(array)) {
        if (transfer.out) transfer.in = transfer.out;
        if (lastWritesAll(region, facts, array, checked)) transfer.in.reset();
      }
      result.transfers.push_back(transfer);
    }
  }

  void explainLaunches() {
    for (const HostNode& node : result.host)
      if (node.oneLaunch)
        result.explanations.push_back(
            fmt::format("{}:{}: loop '{}' of the host can be run by one launch, with barriers of the grid",
                        region.file, region.range.line, node.loop->name));
  }

  void explainTransfers() {
    std::set<int> moved;
    for (const KernelPlan& kernel : result.kernels)
      for (int s : kernel.statements)
        for (const Access& access : region.statements[s].accesses)
          if (kernel.placement[access.array] != Placement::Private) moved.insert(access.array);
    for (int array : moved) {
      const Array& object = region.arrays[array];
      if (!isOnHost(object) || object.isScalar()) continue;
      if (const auto& touched = result.transfers[array].touched; touched && touched->isAll())
        result.explanations.push_back(
            result.transfers[array].inspected
                ? fmt::format(
                      "{}:{}: how much of `{}` is used, the host finds out by going through what chooses",
                      region.file, region.range.line, object.name)
                : fmt::format(
                      "{}:{}: how much of `{}` is used is not known: the whole heap block that begins "
                      "there is",
                      region.file, region.range.line, object.name));
      if (result.transfers[array].in) continue;
      result.explanations.push_back(
          fmt::format("{}:{}: `{}` is not copied to the device: all of it is written before it is read",
                      region.file, region.range.line, object.name));
    }
  }

  /// The host's part for `tree`, inside `around`, which run `runs`.
  std::vector<HostNode> planTree(const LoopTree& tree, const std::vector<ScheduledLoop>& around,
                                 const std::vector<isl::union_set>& runs) {
    std::vector<HostNode> nodes;
    std::vector<LoopTree> single; // adjacent parts that one thread runs
    auto flush = [&] {
      if (!single.empty()) nodes.push_back(launch(sequence(single), around, runs, std::nullopt));
      single.clear();
    };
    for (const LoopTree* part : partsOf(tree)) {
      // Of a loop that never runs, nothing is left.
      if (statementsOf(region, *part).empty()) continue;
      if (part->place) {
        flush();
        auto nest = mappedNest(state, *findLoop(state.tree(), part->name));
        if (const Refusal* refused = std::get_if<Refusal>(&nest)) throw NoPlan{region.range, refused->reason};
        nodes.push_back(launch(*part, around, runs, std::get<MappedNest>(nest)));
      } else if (hasPlaces(*part)) {
        flush();
        if (part->tile)
          throw NoPlan{
              region.range,
              fmt::format(
                  "`{}` runs over tiles of the symbolic size {}, but the host runs it: tile by a number",
                  part->name, part->tile->size)};
        HostNode node;
        node.loop = ScheduledLoop{part->name, part->value};
        node.runs = instances(*part);
        std::vector<ScheduledLoop> inside = around;
        inside.push_back(*node.loop);
        explain(*part, "stays on the host");
        std::vector<isl::union_set> insideRuns = runs;
        insideRuns.push_back(node.runs);
        node.children = planTree(part->children.front(), inside, insideRuns);
        if (part->library != LibraryUse::Never) findLibrary(node, *part, around.size());
        nodes.push_back(std::move(node));
      } else {
        if (part->kind == LoopTree::Kind::Loop) explain(*part, "runs in one thread");
        single.push_back(*part);
      }
    }
    flush();
    return nodes;
  }

  /// The launch of a kernel for `tree`, which is mapped as `nest` says, or run by one thread.
  HostNode launch(const LoopTree& tree, const std::vector<ScheduledLoop>& around,
                  const std::vector<isl::union_set>& runs, const std::optional<MappedNest>& nest) {
    KernelPlan kernel;
    kernel.hostLoops = around;
    kernel.hostRuns = runs;
    kernel.tree = tree;
    kernel.statements = statementsOf(region, tree);
    const Statement& first = region.statements[kernel.statements.front()];
    kernel.line = first.range.line;
    if (nest) {
      static_cast<MappedNest&>(kernel) = *nest;
      if (kernel.inBlocks) {
        auto tiles = tilesOf(state, *findLoop(state.tree(), tree.name));
        if (const Refusal* refused = std::get_if<Refusal>(&tiles)) throw NoPlan{first.range, refused->reason};
        kernel.body = std::get<MappedTree>(std::move(tiles));
      }
      if (first.loops.size() > around.size())
        kernel.line = region.loops[first.loops[around.size()]].range.line;
    }
    auto isTaken = [&](const std::string& name) {
      return taken.count(name) || std::any_of(result.kernels.begin(), result.kernels.end(),
                                              [&](const KernelPlan& other) { return other.name == name; });
    };
    const std::string given = givenName(tree);
    if (!given.empty() && isTaken(given))
      throw NoPlan{first.range, fmt::format("something else is called `{}` already", given)};
    kernel.name =
        given.empty() ? uniqueName(fmt::format("{}_{}", region.function, kernel.line), isTaken) : given;
    kernel.residents = givenResidents(tree);
    if (nest) findLibrary(kernel, tree);
    checkReductions(kernel);
    place(kernel);
    if (!kernel.library && kernel.isFlat() && kernel.reductions.empty() && kernel.scans.empty() &&
        !kernel.levels)
      for (int array : contractible(region, facts, kernel))
        if (kernel.placement[array] == Placement::Device && !result.expansionOf(array))
          kernel.contracted.insert(array);
    explainKernel(kernel);
    HostNode node;
    node.kernel = static_cast<int>(result.kernels.size());
    node.runs = instances(tree);
    result.kernels.push_back(std::move(kernel));
    return node;
  }

  /// What a step calls the kernel of `tree`; empty where none does.
  static std::string givenName(const LoopTree& tree) {
    std::string name = tree.kernel;
    for (const LoopTree& child : tree.children)
      if (name.empty()) name = givenName(child);
    return name;
  }

  /// How many blocks of the kernel of `tree` a multiprocessor is to hold; 0 where no step says it.
  static int givenResidents(const LoopTree& tree) {
    int most = tree.residents;
    for (const LoopTree& child : tree.children)
      most = std::max(most, givenResidents(child));
    return most;
  }

  /// Finds what a library may do in place of the kernel of `tree`, where a step lets it.
  void findLibrary(KernelPlan& kernel, const LoopTree& tree) {
    if (tree.library == LibraryUse::Never && !options.tellLibraries) return;
    auto call = libraryCall(state, tree.name);
    const Refusal* refused = std::get_if<Refusal>(&call);
    std::string what;
    if (refused)
      what = "no library does what kernel {} does: " + refused->reason;
    else if (tree.library != LibraryUse::Never)
      what = "kernel {} may be a library's " + std::get<LibraryCall>(call).operation;
    if (options.tellLibraries && !what.empty())
      result.explanations.push_back(
          fmt::format("{}:{}: {}", region.file, kernel.line, fmt::format(fmt::runtime(what), kernel.name)));
    if (tree.library == LibraryUse::Never) return;
    if (refused) throw NoPlan{region.statements[kernel.statements.front()].range, refused->reason};
    kernel.library = std::get<LibraryCall>(std::move(call));
    kernel.library->use = tree.library;
  }

  /// The same for a loop of the host, inside so many others.
  void findLibrary(HostNode& node, const LoopTree& tree, std::size_t around) {
    const std::vector<int> statements = statementsOf(region, tree);
    if (statements.empty()) return; // nothing runs there
    auto call = libraryCall(state, tree.name);
    const Statement& first = region.statements[statements.front()];
    if (const Refusal* refused = std::get_if<Refusal>(&call)) throw NoPlan{first.range, refused->reason};
    node.library = std::get<LibraryCall>(std::move(call));
    node.library->use = tree.library;
    if (!options.tellLibraries) return;
    const SourceRange& at =
        first.loops.size() > around ? region.loops[first.loops[around]].range : first.range;
    result.explanations.push_back(
        fmt::format("{}:{}: loop '{}' of the host, with its kernels, may be a library's {}", region.file,
                    at.line, tree.name, node.library->operation));
  }

  /// Refuses a kernel whose threads would combine values without knowing it.
  void checkReductions(const KernelPlan& kernel) const {
    bool any = std::any_of(state.relaxations().begin(), state.relaxations().end(),
                           [](const Relaxation& one) { return one.kind == Relaxation::Kind::Reduced; });
    if (!any) return;
    auto isCombined = [&](const Constraint& constraint) {
      return std::any_of(kernel.reductions.begin(), kernel.reductions.end(), [&](const Reduction& reduction) {
        const std::vector<int>& all = reduction.statements;
        return reduction.array == constraint.array &&
               std::count(all.begin(), all.end(), constraint.source.statement) > 0 &&
               std::count(all.begin(), all.end(), constraint.sink.statement) > 0;
      });
    };
    std::vector<Constraint> open = state.unreducedConstraints();
    std::erase_if(open, isCombined);
    for (const std::string& name : loopNames(kernel.tree)) {
      if (!findLoop(kernel.tree, name)->place) continue;
      auto carried = limited([&] { return carries(state.tree(), name, open); });
      if (!carried || *carried)
        throw NoPlan{region.range, fmt::format("iterations of `{}` combine values in a way that kernels do "
                                               "not handle",
                                               name)};
    }
  }

  void place(KernelPlan& kernel) {
    std::vector<bool> written(region.arrays.size());
    for (const Statement& statement : region.statements)
      for (const Access& access : statement.accesses)
        if (access.writes()) written[access.array] = true;
    kernel.placement.assign(region.arrays.size(), Placement::Device);
    for (std::size_t a = 0; a < region.arrays.size(); ++a)
      if (region.arrays[a].isScalar() && !written[a]) kernel.placement[a] = Placement::Value;
    for (const Staging& staging : state.staging())
      if (staging.kind == Staging::Kind::Constant) kernel.placement[staging.array] = Placement::Constant;
    for (const Relaxation& one : state.relaxations())
      if (one.kind == Relaxation::Kind::Private && isOfBlock(state, kernel.tree, one.array)) {
        kernel.placement[one.array] = Placement::Shared;
      } else if (one.kind == Relaxation::Kind::Private && differsInside(kernel, one.loop)) {
        if (isHandedOver(kernel, one.array)) continue;
        if (!fitsThread(region.arrays[one.array]))
          throw NoPlan{region.arrays[one.array].declaration,
                       "`" + region.arrays[one.array].name +
                           "` is private to a thread, but too large for one"};
        if (const Access* last = uncertainLast(region, facts, kernel, one.array))
          throw NoPlan{last->range, fmt::format("it depends on data which iteration leaves `{}`",
                                                region.arrays[one.array].name)};
        kernel.placement[one.array] = Placement::Private;
      }
    placeStructs(kernel);
    if (const Scan* scan = kernel.scan())
      for (const Recurrence& one : scan->states) {
        if (result.expansionOf(one.array))
          throw NoPlan{region.arrays[one.array].declaration,
                       fmt::format("iterations of a loop around have copies of `{}`, which a scan finds",
                                   region.arrays[one.array].name)};
        kernel.placement[one.array] = Placement::Private;
      }
    for (const Reduction& reduction : kernel.reductions) {
      bool scalar = region.arrays[reduction.array].isScalar();
      if (kernel.hasLanes()) continue; // the loop that reduces has its own part
      if (scalar || kernel.partLevel > 0)
        kernel.placement[reduction.array] = Placement::Partial;
      else
        kernel.atomicStatements.insert(kernel.atomicStatements.end(), reduction.statements.begin(),
                                       reduction.statements.end());
    }
  }

  /// True when `kernel` uses what was in `array`, of which iterations of a loop have copies, before it: what
  /// an earlier kernel or the host left. Refuses one whose threads would all write that.
  bool isHandedOver(const KernelPlan& kernel, int array) const {
    auto isInside = [&](const AccessRef& access) {
      return std::count(kernel.statements.begin(), kernel.statements.end(), access.statement) > 0;
    };
    const auto& all = facts.dependences.all;
    const auto& exposed = facts.dependences.exposed;
    const bool enters = std::any_of(all.begin(), all.end(),
                                    [&](const Dependence& one) {
                                      return one.kind == Dependence::Kind::Flow && one.array == array &&
                                             isInside(one.sink) && !isInside(one.source);
                                    }) ||
                        std::any_of(exposed.begin(), exposed.end(), [&](const Instances& one) {
                          return isInside(one.access) && one.access.in(region).array == array;
                        });
    if (!enters || kernel.isSingle()) return enters;
    for (int s : kernel.statements)
      for (const Access& access : region.statements[s].accesses)
        if (access.array == array && access.writes())
          throw NoPlan{
              access.range,
              fmt::format("iterations have copies of `{}`, whose value comes from outside the kernel",
                          region.arrays[array].name)};
    return true;
  }

  /// Gives structs one place for all their fields.
  void placeStructs(KernelPlan& kernel) const {
    std::map<int, std::set<Placement>> places; // by the array of structs
    std::vector<bool> isUsed(region.arrays.size());
    for (int s : kernel.statements)
      for (const Access& access : region.statements[s].accesses)
        if (access.kind != Access::Kind::Kill) isUsed[access.array] = true;
    for (int array = 0; array < static_cast<int>(region.arrays.size()); ++array) {
      int memory = memoryOf(region, array);
      if (isUsed[array] && region.arrays[memory].element.kind == Type::Kind::Struct)
        places[memory].insert(kernel.placement[array]);
    }
    for (const auto& [memory, found] : places) {
      const bool isPrivate = found.count(Placement::Private) > 0;
      if (isPrivate && found.size() > 1)
        throw NoPlan{region.arrays[memory].declaration,
                     "only parts of `" + region.arrays[memory].name + "` are private to a thread"};
      for (int array = 0; array < static_cast<int>(region.arrays.size()); ++array)
        if (memoryOf(region, array) == memory)
          kernel.placement[array] = isPrivate ? Placement::Private : Placement::Device;
    }
  }

  /// True when one launch of `kernel` runs several iterations of the source loop `loop` or of those around
  /// it.
  bool differsInside(const KernelPlan& kernel, int loop) const {
    isl::union_set inside = fixed(instances(kernel.tree), kernel.hostLoops);
    unsigned depth = static_cast<unsigned>(region.loops[loop].depth);
    bool differs = false;
    for (int s : kernel.statements) {
      const Statement& statement = region.statements[s];
      if (!warploom::inside(statement, loop)) continue;
      isl::union_set part = inside.intersect(statement.domain);
      if (part.is_empty()) continue;
      isl::set prefix = own(isl_set_from_union_set(part.release()));
      prefix = own(isl_set_project_out(prefix.release(), isl_dim_set, depth,
                                       static_cast<unsigned>(statement.loops.size()) - depth));
      isl::map chosen = own(isl_map_from_range(isl_set_reset_tuple_id(prefix.release())));
      differs |= !chosen.is_single_valued();
    }
    return differs;
  }

  void explain(const LoopTree& loop, const std::string& what) {
    std::vector<int> statements = statementsOf(region, loop);
    if (statements.empty()) return;
    std::optional<int> source = sourceLoop(region, loop);
    const SourceRange& at =
        source ? region.loops[*source].range : region.statements[statements.front()].range;
    std::string why =
        source && !facts.loops[*source].reason.empty() ? ": " + facts.loops[*source].reason : "";
    result.explanations.push_back(
        fmt::format("{}:{}:{}: loop '{}' {}{}", region.file, at.line, at.column, loop.name, what, why));
  }

  void explainKernel(const KernelPlan& kernel) {
    for (const std::string& loop : kernel.mapped)
      explain(*findLoop(kernel.tree, loop), "is spread over the grid of kernel " + kernel.name);
    for (int array : kernel.contracted)
      result.explanations.push_back(
          fmt::format("{}:{}: of `{}` each thread of kernel {} keeps the element it works on", region.file,
                      kernel.line, region.arrays[array].name, kernel.name));
    for (const std::string& lane : kernel.lanes)
      explain(*findLoop(kernel.tree, lane), "is shared by the lanes of a warp in kernel " + kernel.name);
    for (int s : kernel.sharedCode)
      result.explanations.push_back(
          fmt::format("{}:{}:{}: this loop is shared by a group of threads in kernel {}", region.file,
                      region.statements[s].range.line, region.statements[s].range.column, kernel.name));
    for (const TiledLoop& tiled : kernel.body.tiles)
      explain(*findLoop(kernel.tree, tiled.control),
              fmt::format("runs over tiles of {}, one per block of kernel {}", tiled.size, kernel.name));
    for (const SharedTile& tile : kernel.body.shared)
      result.explanations.push_back(fmt::format("{}:{}: `{}` goes through shared memory in kernel {}",
                                                region.file, tile.box.accesses.front().in(region).range.line,
                                                tile.box.accesses.front().in(region).text, kernel.name));
    for (const RegisterTile& tile : kernel.body.registers)
      result.explanations.push_back(fmt::format("{}:{}: `{}` stays in registers in kernel {}", region.file,
                                                tile.elements.access.in(region).range.line,
                                                tile.elements.access.in(region).text, kernel.name));
  }

  const ScheduleState& state;
  const Region& region;
  const Facts& facts;
  const DecidedOrder& order;
  const MappingOptions& options;
  const std::set<std::string>& taken; ///< names that kernels may not have
  RegionPlan result;
};

} // namespace

bool fitsThread(const Array& array) {
  long elements = 1;
  for (const auto& extent : array.extents) {
    if (!extent || !extent->isa_aff() || !extent->as_aff().is_cst()) return false;
    elements *= own(isl_aff_get_constant_val(extent->as_aff().get())).num_si();
  }
  return elements <= 64;
}

RegionPlan refusedPlan(const NoPlan& refusal) {
  RegionPlan plan;
  plan.refused = refusal.reason;
  plan.refusedAt = refusal.at;
  plan.isFault = refusal.isFault;
  return plan;
}

RegionPlan mapSchedule(const ScheduleState& state, const DecidedOrder& order, const MappingOptions& options,
                       const std::set<std::string>& taken) {
  return Planner(state, order, options, taken).plan();
}

} // namespace warploom
