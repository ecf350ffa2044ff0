#include "mapping/Shaping.h"

#include "analysis/DistanceVectors.h"
#include "analysis/Order.h"
#include "mapping/Movement.h"
#include "mapping/SharedCode.h"
#include "mapping/Tiling.h"
#include "support/IslC.h"

#include <algorithm>
#include <fmt/format.h>
#include <isl/aff.h>
#include <isl/set.h>
#include <isl/union_map.h>
#include <isl/val.h>
#include <limits>

namespace warploom {

std::optional<Update> updateOf(const Statement& statement) {
  if (!statement.body || statement.body->kind != Expr::Kind::Assign) return std::nullopt;
  return updateOf(*statement.body);
}

bool isCombined(const Type& type) {
  return (type.isInteger() && type.bits <= 64) || (type.isFloating() && (type.bits == 32 || type.bits == 64));
}

std::optional<Update> updateOf(const Expr& assign) {
  static const std::set<std::string> operations = {"+", "-", "*", "&", "|", "^"};
  const Expr &target = *assign.operands[0], &value = *assign.operands[1];
  std::string op = assign.text.substr(0, assign.text.size() - 1);
  const Expr* combined = &value;
  if (op.empty()) {
    if (value.kind != Expr::Kind::Binary) return std::nullopt;
    op = value.text;
    if (sameExpr(*value.operands[0], target))
      combined = value.operands[1].get();
    else if (op != "-" && sameExpr(*value.operands[1], target))
      combined = value.operands[0].get();
    else
      return std::nullopt;
  }
  if (operations.count(op) == 0) return std::nullopt;
  // Rounded at every step, the result depends on the order.
  if (target.type.isInteger() && combined->type.isFloating()) return std::nullopt;
  return Update{op == "-" ? "+" : op, combined, op == "-"};
}

namespace {

constexpr std::size_t mostMapped = 3;

std::vector<std::string> namesOf(const std::vector<const LoopTree*>& loops) {
  std::vector<std::string> names;
  for (const LoopTree* loop : loops)
    names.push_back(loop->name);
  return names;
}

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

class Shaper {
public:
  Shaper(ScheduleState& state, const MappingOptions& options)
      : state(state), region(state.region()), facts(state.facts()), mayTile(options.sharedMemory),
        exact(options.strictFloatingPoint), tileCopies(options.tileCopies) {}

  std::map<std::string, NestShape> shape() {
    // A step may change the tree anywhere: begin anew until every nest has its shape.
    while (shapeNext(state.tree())) {
    }
    return std::move(shapes);
  }

private:
  /// A reduction that another nest took may let a loop look parallel whose iterations combine values.
  bool isParallel(const std::string& loop) const { return state.isParallelUnreduced(loop).value_or(false); }

  /// Shapes the first nest of `tree` that has none; false when there is no such nest.
  bool shapeNext(const LoopTree& tree) {
    if (tree.kind == LoopTree::Kind::Loop) {
      if (shapes.count(tree.name)) return false;
      if (tree.place) {
        shapes[tree.name] = mappedShape(tree);
        return true;
      }
      const std::string name = tree.name;
      if (!settled.count(name) && shapeNest(name)) return true;
      settled.insert(name);
    }
    for (const LoopTree& child : tree.children)
      if (shapeNext(child)) return true;
    return false;
  }

  /// The shape of a nest whose loops steps have mapped.
  static NestShape mappedShape(const LoopTree& root) {
    NestShape shape;
    for (const LoopTree* loop : nestFrom(root))
      if (loop->place && loop->place->kind == Place::Kind::Grid) {
        shape.collapsed = shape.collapsed || (!shape.mapped.empty() && loop->place == root.place);
        shape.mapped.push_back(loop->name);
      }
    std::vector<std::string> inside = loopNames(root);
    bool inBlocks = std::any_of(inside.begin(), inside.end(), [&](const std::string& name) {
      const LoopTree& loop = *findLoop(root, name);
      return loop.place && loop.place->kind == Place::Kind::Block;
    });
    if (inBlocks) {
      shape.shape = KernelPlan::Shape::Tiled;
      shape.mapped.clear();
    }
    return shape;
  }

  /// Gives the nest that begins with `root` its shape, or changes it for the better; false when its outermost
  /// loop can neither be mapped nor be made one that can.
  bool shapeNest(const std::string& root) {
    if (hoistParallel(root)) return true;
    const LoopTree& loop = *findLoop(state.tree(), root);
    if (isParallel(root)) return shapeParallel(loop);
    return shapeReduction(loop);
  }

  /// Moves the parallel loops of the perfect nest at `root` outside the others; true when that changed
  /// anything.
  bool hoistParallel(const std::string& root) {
    std::vector<std::string> names = namesOf(nestFrom(*findLoop(state.tree(), root))), order, rest;
    for (const std::string& name : names)
      (isParallel(name) ? order : rest).push_back(name);
    if (order.empty()) return false;
    const std::vector<std::string> parallel = order;
    order.insert(order.end(), rest.begin(), rest.end());
    if (order == names) return false;
    // Outside, a loop may carry what another one carried before.
    ScheduleState trial = state;
    if (trial.take(Permute{order})) return false;
    for (const std::string& name : parallel)
      if (!trial.isParallel(name).value_or(false)) return false;
    state = std::move(trial);
    return true;
  }

  bool shapeParallel(const LoopTree& root) {
    std::vector<const LoopTree*> nest = nestFrom(root);
    std::vector<const LoopTree*> parallel;
    for (const LoopTree* loop : nest) {
      if (!isParallel(loop->name)) break;
      parallel.push_back(loop);
    }
    if (reorder(parallel)) return true;
    if (parallel.size() == 1 && keepOutside(nest)) return true;
    if (parallel.size() > mostMapped) parallel.resize(mostMapped);
    const LoopTree& fastest = *parallel.back();
    const LoopTree& body = fastest.children.front();

    if (mayTile && parallel.size() >= 2 && distributeForTiles(namesOf(parallel))) return true;
    if (mayTile && parallel.size() >= 2 && tileProduct(state, namesOf(parallel), tileCopies)) return true;
    if (mayTile && parallel.size() >= 2 && cutForTiles(namesOf(parallel))) return true;
    if (mayTile && parallel.size() == 2 && tileSweep(state, namesOf(parallel))) return true;

    double along = coalescing(region, facts, fastest);
    const std::string name = root.name;
    const std::vector<std::string> mapped = namesOf(parallel);
    NestShape rows;
    if (parallel.size() <= 2 && asRows(body, along, rows)) {
      rows.mapped = mapped;
      if (keep(name, rows, mapped, rowReductions)) return true;
    }
    if (parallel.size() == 1 && asColumns(root, body, along)) return true;
    NestShape groups;
    if (parallel.size() <= 2 && asGroups(body, groups)) {
      groups.mapped = mapped;
      if (keep(name, groups, mapped, {})) return true;
    }
    // A loop of the host's may run all its kernels in one launch, in which none is tiled.
    if (pathTo(state.tree(), name).size() == 1 && tileStrips(state, mapped)) return true;
    NestShape shape;
    shape.mapped = mapped;
    shape.collapsed = parallel.size() > 1 && spread(fastest) < 16;
    if (shape.collapsed && keep(name, shape, mapped, {})) return true;
    shape.collapsed = false;
    return keep(name, shape, mapped, {});
  }

  /// Gives each part of a nest with several loops inside a nest of its own where that makes one of them a
  /// nest that can be tiled; true when that was done.
  bool distributeForTiles(const std::vector<std::string>& parallel) {
    const LoopTree& body = findLoop(state.tree(), parallel.back())->children.front();
    auto isLoop = [](const LoopTree& part) { return part.kind == LoopTree::Kind::Loop; };
    if (std::count_if(body.children.begin(), body.children.end(), isLoop) < 2) return false;
    ScheduleState trial = state;
    for (std::size_t k = parallel.size(); k-- > 0;)
      if (trial.take(Distribute{parallel[k]})) return false;
    bool any = false;
    forEachNest(trial.tree(), parallel.size(), [&](const std::vector<std::string>& names) {
      ScheduleState further = trial;
      any = any || tileProduct(further, names, tileCopies);
    });
    if (any) state = std::move(trial);
    return any;
  }

  /// Tiles a product without as few as possible of the parts after it, which get a nest of their own: what
  /// they do to the result cannot be done to a tile.
  bool cutForTiles(const std::vector<std::string>& parallel) {
    const LoopTree& body = findLoop(state.tree(), parallel.back())->children.front();
    if (body.kind != LoopTree::Kind::Sequence || !hasProduct(state, parallel)) return false;
    for (std::size_t cut = body.children.size(); cut-- > 1;) {
      if (body.children[cut].kind == LoopTree::Kind::Loop) return false;
      ScheduleState trial = state;
      bool taken = std::all_of(parallel.rbegin(), parallel.rend(), [&](const std::string& loop) {
        return !trial.take(Distribute{loop, {firstIn(body.children[cut])}});
      });
      if (taken && tileProduct(trial, parallel, tileCopies)) {
        state = std::move(trial);
        return true;
      }
    }
    return false;
  }

  /// The name of the first statement of `tree`; none where there are no instances.
  std::string firstIn(const LoopTree& tree) const {
    std::vector<int> all = statementsOf(region, tree);
    return all.empty() ? "" : region.statements[all.front()].name;
  }

  /// Calls `visit` with the names of the first `depth` loops of every perfect nest of at least that many
  /// loops.
  template <typename Visit> static void forEachNest(const LoopTree& tree, std::size_t depth, Visit visit) {
    if (tree.kind == LoopTree::Kind::Loop) {
      std::vector<std::string> names = namesOf(nestFrom(tree));
      if (names.size() < depth) return;
      names.resize(depth);
      return visit(names);
    }
    for (const LoopTree& child : tree.children)
      forEachNest(child, depth, visit);
  }

  /// One parallel loop around two or more sequential ones gives few threads long work. When the innermost one
  /// combines values, which threads can share, the others go outside, to the host; true when that was done.
  bool keepOutside(const std::vector<const LoopTree*>& nest) {
    if (nest.size() < 3 || reductionsOf(*nest.back()).empty()) return false;
    std::vector<std::string> names = namesOf(nest), order(names.begin() + 1, names.end() - 1);
    std::vector<std::string> outside = order;
    order.push_back(names.front());
    order.push_back(names.back());
    ScheduleState trial = state;
    if (trial.take(Permute{order}) || !trial.isParallel(names.front()).value_or(false)) return false;
    state = std::move(trial);
    settled.insert(outside.begin(), outside.end());
    return true;
  }

  /// What has to be reduced, by source loop, for a shape to be right.
  using LoopReductions = std::vector<std::pair<int, Reduction>>;

  /// Takes `reductions`, gives `mapped`, outermost first, the axes of the grid, the last of them x, or x
  /// together, and keeps `shape` as that of the nest at `root`. False, and nothing is changed, when a step is
  /// refused: loops are no box, or checking costs too much.
  bool keep(const std::string& root, const NestShape& shape, const std::vector<std::string>& mapped,
            const LoopReductions& reductions) {
    ScheduleState trial = state;
    for (const auto& [loop, reduction] : reductions)
      if (trial.take(Reduce{region.arrays[reduction.array].name, state.sourceName(loop)})) return false;
    if (shape.collapsed ? trial.take(CollapseToGrid{mapped})
                        : trial.take(MapToGrid{{mapped.rbegin(), mapped.rend()}}))
      return false;
    state = std::move(trial);
    shapes[root] = shape;
    return true;
  }

  /// Puts the loop whose iterations are best taken by neighbouring threads innermost among `parallel`.
  bool reorder(const std::vector<const LoopTree*>& parallel) {
    if (parallel.size() < 2 || reordered.count(parallel.front()->name)) return false;
    std::size_t best = parallel.size() - 1;
    double most = coalescing(region, facts, *parallel[best]);
    for (std::size_t k = parallel.size() - 1; k-- > 0;)
      if (double score = coalescing(region, facts, *parallel[k]); score > most) {
        most = score;
        best = k;
      }
    std::vector<std::string> order = namesOf(parallel);
    for (const std::string& name : order)
      reordered.insert(name);
    bool tooMany = order.size() > mostMapped;
    if (best + 1 == order.size() && !tooMany) return false;
    std::string fastest = order[best];
    order.erase(order.begin() + static_cast<long>(best));
    order.insert(order.begin() + static_cast<long>(std::min(order.size(), mostMapped - 1)), fastest);
    return !state.take(Permute{order}); // parallel loops stay so in any order
  }

  /// The reductions by which `loop` may be shared out, once they are taken; empty when it may not.
  std::vector<Reduction> reductionsOf(const LoopTree& loop) const {
    std::optional<int> source = sourceLoop(region, loop);
    if (!source) return {};
    // Those of other parts of the source's loop are not its own.
    std::vector<int> below = statementsOf(region, loop);
    std::vector<Reduction> known;
    for (Reduction reduction : facts.loops[*source].reductions) {
      std::erase_if(reduction.statements,
                    [&](int s) { return std::count(below.begin(), below.end(), s) == 0; });
      if (!reduction.statements.empty()) known.push_back(std::move(reduction));
    }
    ScheduleState trial = state;
    for (const Reduction& reduction : known) {
      const Array& array = region.arrays[reduction.array];
      if (!isCombined(array.element)) return {};
      if (trial.take(Reduce{array.name, state.sourceName(*source)})) return {};
    }
    return trial.isParallel(loop.name).value_or(false) ? known : std::vector<Reduction>{};
  }

  /// True when lanes of a warp better share iterations of loops in `body` than of the loop around it, of
  /// which `along` tells the coalescing. Says which.
  bool asRows(const LoopTree& body, double along, NestShape& shape) {
    shape.shape = KernelPlan::Shape::Rows;
    rowReductions.clear();
    double inside = 0;
    for (const LoopTree* part : partsOf(body)) {
      if (part->kind != LoopTree::Kind::Loop) continue;
      double score = coalescing(region, facts, *part);
      if (score <= std::min(along, 0.0) || isShort(*part) || !keepsToItself(*part)) continue;
      if (!isParallel(part->name)) {
        std::vector<Reduction> found = reductionsOf(*part);
        if (found.empty() || !isSimple(*part, found)) continue;
        for (const Reduction& reduction : found)
          rowReductions.emplace_back(*sourceLoop(region, *part), reduction);
        shape.reductions.insert(shape.reductions.end(), found.begin(), found.end());
      }
      shape.lanes.insert(part->name);
      inside += score;
    }
    return !shape.lanes.empty() && inside > along;
  }

  /// True when groups of threads can share the loops of `body` whose bounds only data tell. Says which.
  bool asGroups(const LoopTree& body, NestShape& shape) const {
    shape.shape = KernelPlan::Shape::Groups;
    std::set<int> read, written; // in device memory
    for (const LoopTree* part : partsOf(body)) {
      if (part->kind != LoopTree::Kind::Leaf) return false;
      for (int s : statementsOf(region, *part)) {
        for (const Reduction& reduction : codeReductions(region, s, exact)) {
          if (!isPrivate(reduction.array)) return false;
          shape.reductions.push_back(reduction);
          shape.sharedCode.insert(s);
        }
        for (const Access& access : region.statements[s].accesses) {
          if (isPrivate(access.array)) continue;
          if (access.reads()) read.insert(memoryOf(region, access.array));
          if (access.writes()) written.insert(memoryOf(region, access.array));
        }
      }
    }
    // One thread of a group writes; the others do not wait for it.
    return !shape.sharedCode.empty() &&
           std::none_of(written.begin(), written.end(), [&](int array) { return read.count(array) > 0; });
  }

  /// How far the last value of `loop` is from the first at most, whatever sizes and loops around are.
  static double spread(const LoopTree& loop) {
    isl::union_set values = instances(loop).apply(own(isl_union_map_from_union_pw_aff(loop.value.copy())));
    if (values.is_empty()) return std::numeric_limits<double>::infinity();
    isl::set all = own(isl_set_from_union_set(values.release()));
    isl::val high = own(isl_set_dim_max_val(all.copy(), 0)), low = own(isl_set_dim_min_val(all.copy(), 0));
    isl::val difference = high.sub(low);
    return difference.is_int() ? static_cast<double>(isl_val_get_num_si(difference.get()))
                               : std::numeric_limits<double>::infinity();
  }

  /// True when `loop` is known to have too few iterations for a warp.
  bool isShort(const LoopTree& loop) const {
    std::optional<int> source = sourceLoop(region, loop);
    if (!source) return true;
    Effort effort;
    std::optional<long> trips = tripCount(region, *source, effort);
    return trips && *trips < 16;
  }

  /// True when no private array that `loop` writes, accumulators aside, is used by other iterations or
  /// outside it: a lane does not see what the others have.
  bool keepsToItself(const LoopTree& loop) const {
    std::optional<int> source = sourceLoop(region, loop);
    if (!source) return false;
    const LoopVerdict& verdict = facts.loops[*source];
    std::vector<int> inside = statementsOf(region, loop);
    for (int s : inside)
      for (const Access& access : region.statements[s].accesses) {
        if (!access.writes() || !isPrivate(access.array)) continue;
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

  /// True when the accumulators' elements are chosen outside `loop` alone, so that a lane has one part of
  /// each.
  bool isSimple(const LoopTree& loop, const std::vector<Reduction>& reductions) const {
    for (const LoopTree* part : partsOf(loop.children.front()))
      if (part->kind != LoopTree::Kind::Leaf) return false;
    for (const Reduction& reduction : reductions)
      for (int s : reduction.statements) {
        const Statement& statement = region.statements[s];
        const Accumulation into = accumulation(region, s).value();
        for (std::size_t a = 0; a < statement.accesses.size(); ++a) {
          const Access& access = statement.accesses[a];
          if (!into.owns({s, static_cast<int>(a)})) continue;
          if (region.arrays[access.array].isScalar()) continue;
          if (!access.exact || movement(region, facts, loop, {s, static_cast<int>(a)}) != Movement::None)
            return false;
          // The element is written outside the loop, where its index means nothing.
          if (!statement.body ||
              mentions(region, statement, *statement.body->operands[0], *sourceLoop(region, loop)))
            return false;
        }
      }
    // Each accumulator belongs to one statement: its part has one element.
    for (std::size_t k = 0; k < reductions.size(); ++k)
      if (!region.arrays[reductions[k].array].isScalar() && reductions[k].statements.size() != 1)
        return false;
    return true;
  }

  /// Shapes a nest of one parallel loop around a loop that combines values into elements the parallel loop
  /// chooses, or distributes it so that a part is one; false when it is no such nest.
  bool asColumns(const LoopTree& root, const LoopTree& body, double along) {
    const std::vector<const LoopTree*> parts = partsOf(body);
    const LoopTree* reducing = nullptr;
    for (const LoopTree* part : parts) {
      if (part->kind == LoopTree::Kind::Loop && !isShort(*part) && along > coalescing(region, facts, *part)) {
        std::vector<Reduction> found = reductionsOf(*part);
        bool arrays =
            !found.empty() && isSimple(*part, found) && part->children.front().kind == LoopTree::Kind::Leaf;
        for (const Reduction& reduction : found) {
          arrays = arrays && !region.arrays[reduction.array].isScalar();
          for (int s : reduction.statements)
            arrays = arrays && updateOf(region.statements[s]).has_value() && !isPrivate(reduction.array);
        }
        if (arrays) reducing = part;
      }
    }
    if (!reducing) return false;
    const std::string name = root.name, inner = reducing->name;
    if (body.kind == LoopTree::Kind::Sequence) {
      Distribute cut{name, {firstIn(*reducing)}};
      auto after = std::next(std::find(parts.begin(), parts.end(), reducing));
      if (after != parts.end()) cut.before.push_back(firstIn(**after));
      return !state.take(cut);
    }
    NestShape columns;
    columns.shape = KernelPlan::Shape::Columns;
    columns.mapped = {name, inner};
    columns.reductions = reductionsOf(*reducing);
    LoopReductions taken;
    for (const Reduction& reduction : columns.reductions)
      taken.emplace_back(*sourceLoop(region, *reducing), reduction);
    return keep(name, columns, {inner, name}, taken);
  }

  bool isPrivate(int array) const {
    const auto& all = state.relaxations();
    return std::any_of(all.begin(), all.end(), [&](const Relaxation& one) {
      return one.array == array && one.kind == Relaxation::Kind::Private;
    });
  }

  /// Shapes a nest whose outermost loops reduce.
  bool shapeReduction(const LoopTree& root) {
    std::vector<Reduction> reductions = reductionsOf(root);
    if (reductions.empty()) return false;
    for (const Reduction& reduction : reductions)
      for (int s : reduction.statements)
        if (!region.arrays[reduction.array].isScalar() && !updateOf(region.statements[s])) return false;
    NestShape shape;
    shape.reductions = reductions;
    LoopReductions taken;
    for (const LoopTree* loop : nestFrom(root)) {
      if (shape.mapped.size() == mostMapped) break;
      if (!isParallel(loop->name)) {
        std::vector<Reduction> further = reductionsOf(*loop);
        bool same = further.size() == reductions.size();
        for (std::size_t r = 0; same && r < further.size(); ++r)
          same = further[r].array == reductions[r].array && further[r].op == reductions[r].op;
        if (!same) break;
        for (const Reduction& reduction : further)
          taken.emplace_back(*sourceLoop(region, *loop), reduction);
      }
      shape.mapped.push_back(loop->name);
    }
    const std::string name = root.name;
    return keep(name, shape, shape.mapped, taken);
  }

  ScheduleState& state;
  const Region& region;
  const Facts& facts;
  const bool mayTile, exact;
  const int tileCopies;
  std::map<std::string, NestShape> shapes;
  std::set<std::string> settled;   ///< loops that stay on the host
  std::set<std::string> reordered; ///< loops that were given their place among parallel ones
  LoopReductions rowReductions;    ///< of asRows
};

} // namespace

std::map<std::string, NestShape> shapeNests(ScheduleState& state, const MappingOptions& options) {
  return Shaper(state, options).shape();
}

} // namespace warploom
