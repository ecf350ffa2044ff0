#include "strategy/Blocking.h"

#include "strategy/Strategies.h"
#include "support/Budget.h"
#include "support/Isl.h"
#include "support/IslC.h"
#include "transform/Levels.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <isl/union_map.h>
#include <set>
#include <vector>

namespace warploom {

namespace {

/// How many iterations a block has: as many as a warp has lanes, and so few that a block of an array, as many
/// rows of as many elements, fits into shared memory beside another one.
constexpr long blockSize = 32;

/// More parts of a body than a factorisation has take long to look at.
constexpr std::size_t mostParts = 24;

/// What blocking a loop may cost, in isl operations: some seconds. The order as it is must still be mapped
/// then.
constexpr unsigned long mostOperations = 10'000'000;

/// Where a loop's values lie, for all iterations of a loop around it: nowhere below that one's value, or
/// minus that where it is a descending loop; nowhere above it; or nowhere at it.
struct Side {
  enum class Kind { Above, Below, Beside } kind;
  bool descending = false;
};

/// Blocks one loop; see blockLoops.
class Blocker {
public:
  Blocker(const ScheduleState& before, const std::string& loop) : state(before), loop(loop) {}

  /// The state after it; nothing where it is not for the loop.
  std::optional<ScheduleState> block() {
    if (!mayPay()) return std::nullopt;
    blocks = freshName(loop + "_blocks");
    if (!take(Strip{loop, blockSize, blocks})) return std::nullopt;
    distributeParallel();
    splitAtBlocks();
    distributeParallel();
    if (!separate() || !shapePieces()) return std::nullopt;
    return state;
  }

private:
  bool take(const Step& step) { return !state.take(step); }
  std::string freshName(const std::string& wanted) const {
    return uniqueName(wanted, [&](const std::string& name) { return state.isTaken(name); });
  }
  const LoopTree& find(const std::string& name) const { return *findLoop(state.tree(), name); }
  bool isParallelLoop(const std::string& name) const { return state.isParallel(name).value_or(false); }
  /// The loops in the loop called `name`.
  std::vector<std::string> inside(const std::string& name) const {
    std::vector<std::string> names = loopNames(find(name));
    names.erase(names.begin());
    return names;
  }

  /// On which side of the loop's values those of the loop `inner`, inside it, are; nothing where on all.
  std::optional<Side> sideOf(const std::string& inner) const {
    return limited([&] { return sideIn(find(inner)); }).value_or(std::nullopt);
  }
  std::optional<Side> sideIn(const LoopTree& below) const {
    const isl::union_map outer = own(isl_union_map_from_union_pw_aff(find(loop).value.copy()));
    const isl::union_map pairs = outer.intersect_domain(instances(below))
                                     .reverse()
                                     .apply_range(own(isl_union_map_from_union_pw_aff(below.value.copy())));
    const bool descending = outer.range().is_subset(isl::set(islContext(), "{ [k] : k <= 0 }"));
    const std::string k = descending ? "-k" : "k";
    auto isWhere = [&](const char* relation) {
      return pairs.is_subset(isl::map(islContext(), fmt::format("{{ [k] -> [v] : v {} {} }}", relation, k)));
    };
    if (isWhere(">=")) return Side{Side::Kind::Above, descending};
    if (isWhere("<=")) return Side{Side::Kind::Below, descending};
    if (isWhere("!=")) return Side{Side::Kind::Beside, descending};
    return std::nullopt;
  }

  /// True when somewhere in the loop are two parallel loops inside each other whose values lie on one side of
  /// its own: what they run may be a product.
  bool mayPay() const {
    if (state.isParallel(loop).value_or(true)) return false;
    const std::vector<std::string> all = inside(loop);
    const std::set<std::string> names(all.begin(), all.end());
    return std::any_of(all.begin(), all.end(), [&](const std::string& name) {
      const std::vector<const LoopTree*> path = pathTo(state.tree(), name);
      return std::count_if(path.begin(), path.end(), [&](const LoopTree* one) {
               return names.count(one->name) > 0 && isParallelLoop(one->name) && sideOf(one->name);
             }) >= 2;
    });
  }

  /// Gives parts of the parallel loops inside loops of their own, where that is possible.
  void distributeParallel() {
    std::set<std::string> asked;
    for (bool any = true; any;) {
      any = false;
      for (const std::string& name : inside(loop)) {
        if (find(name).children.front().kind != LoopTree::Kind::Sequence || !isParallelLoop(name) ||
            !asked.insert(name).second)
          continue;
        if (!take(Distribute{name}) && !distributeExpanded(name)) continue;
        any = true;
        break;
      }
    }
  }

  /// Distributes the loop called `name` once scalars that its iterations have for themselves have copies.
  bool distributeExpanded(const std::string& name) {
    ScheduleState trial = state;
    const Region& region = state.region();
    for (int s : statementsOf(region, find(name)))
      for (const Access& access : region.statements[s].accesses)
        if (access.writes() && region.arrays[access.array].isScalar() && !expandScalar(trial, access.array))
          return false;
    if (trial.take(Distribute{name})) return false;
    state = std::move(trial);
    return true;
  }

  /// Cuts the parallel loops inside where a block of the loop ends, or begins.
  void splitAtBlocks() {
    std::set<std::string> asked;
    for (bool any = true; any;) {
      any = false;
      for (const std::string& name : inside(loop)) {
        if (!asked.insert(name).second || !isParallelLoop(name)) continue;
        const std::optional<Side> side = sideOf(name);
        if (!side) continue;
        // The least value that is in a block, and the least beyond it.
        const std::string begin = side->descending
                                      ? fmt::format("-{}*{} - {}", blockSize, blocks, blockSize - 1)
                                      : fmt::format("{}*{}", blockSize, blocks),
                          end = side->descending ? fmt::format("-{}*{} + 1", blockSize, blocks)
                                                 : fmt::format("{0}*{1} + {0}", blockSize, blocks);
        auto cut = [&](const std::string& at, const std::string& rest) {
          if (!take(Split{name, at, rest})) return;
          asked.insert(rest);
          any = true;
        };
        if (side->kind != Side::Kind::Below) cut(end, freshName(name + "_beyond"));
        if (side->kind != Side::Kind::Above) cut(begin, freshName(name + "_block"));
        if (any) break;
      }
    }
  }

  /// What a part of a body is called.
  std::string nameOf(const LoopTree& part) const {
    return part.kind == LoopTree::Kind::Loop ? part.name : firstIn(state.region(), part);
  }

  /// [a][b]: whether part b must come after part a, or after one that must, in a block of iterations.
  std::vector<std::vector<bool>> followers(const std::vector<const LoopTree*>& parts) const {
    const std::size_t n = parts.size();
    const isl::union_map values = valuesOf(pathTo(state.tree(), blocks));
    const isl::union_map together = values.apply_range(values.reverse());
    std::vector<std::vector<bool>> after(n, std::vector<bool>(n, false));
    for (const Constraint& constraint : state.constraints()) {
      const isl::union_map pairs = isl::union_map(constraint.relation).intersect(together);
      for (std::size_t a = 0; a < n; ++a) {
        const isl::union_map from = pairs.intersect_domain(instances(*parts[a]));
        if (from.is_empty()) continue;
        for (std::size_t b = 0; b < n; ++b)
          if (a != b && !after[a][b]) after[a][b] = !from.intersect_range(instances(*parts[b])).is_empty();
      }
    }
    for (std::size_t over = 0; over < n; ++over)
      for (std::size_t a = 0; a < n; ++a)
        for (std::size_t b = 0; b < n; ++b)
          if (after[a][over] && after[over][b]) after[a][b] = true;
    return after;
  }

  /// Gives the parts of the loop's body that need each other in a block of its iterations a loop each, in an
  /// order in which each comes after those it needs; false when that is one loop for all of them.
  bool separate() {
    const std::vector<const LoopTree*> parts = partsOf(find(loop).children.front());
    const std::size_t n = parts.size();
    if (n < 2 || n > mostParts) return false;
    const auto found = limited([&] { return followers(parts); });
    if (!found) return false;
    const std::vector<std::vector<bool>>& needs = *found;
    std::vector<std::string> order, first;
    std::vector<bool> placed(n, false);
    while (order.size() < n) {
      // The first part that needs none but those which need it, too.
      std::size_t next = 0;
      auto waits = [&](std::size_t b) {
        for (std::size_t a = 0; a < n; ++a)
          if (!placed[a] && needs[a][b] && !needs[b][a]) return true;
        return false;
      };
      while (placed[next] || waits(next))
        ++next;
      first.push_back(nameOf(*parts[next]));
      for (std::size_t b = 0; b < n; ++b)
        if (b == next || (needs[next][b] && needs[b][next])) {
          order.push_back(nameOf(*parts[b]));
          placed[b] = true;
        }
    }
    if (first.size() < 2) return false;
    first.erase(first.begin());
    return take(Reorder{loop, order}) && take(Distribute{loop, first});
  }

  /// Shapes and maps what runs in a block of iterations, piece by piece; false where that does not pay or is
  /// refused.
  bool shapePieces() {
    std::vector<std::string> pieces;
    for (const LoopTree* part : partsOf(find(blocks).children.front()))
      pieces.push_back(part->name);
    std::size_t products = 0;
    for (const std::string& piece : pieces) {
      const std::vector<std::string> hoisted = hoist(piece);
      if (hoisted.size() >= 2) {
        ++products;
        mapRest(hoisted);
        continue;
      }
      // What remains in a thread is a part of the block.
      for (const std::string& name : inside(hoisted.empty() ? piece : hoisted.front()))
        if (greatestExtent(pathTo(state.tree(), name)).value_or(blockSize + 1) > blockSize) return false;
      if (!(hoisted.empty() ? mapDiagonal(piece) : mapPanel(hoisted.front()))) return false;
    }
    return products > 0;
  }

  /// The parallel loops of the perfect nest of `part` that reach beyond a block.
  std::vector<std::string> longLoops(const ScheduleState& of, const LoopTree& part) const {
    std::vector<std::string> names;
    if (part.kind != LoopTree::Kind::Loop) return names;
    for (const LoopTree* one : nestFrom(part))
      if (of.isParallel(one->name).value_or(false) &&
          greatestExtent(pathTo(of.tree(), one->name)).value_or(blockSize + 1) > blockSize)
        names.push_back(one->name);
    return names;
  }

  /// The state in which the loop called `name` is the outermost of the nest of `root`, which it is in.
  static std::optional<ScheduleState> withOutermost(const ScheduleState& before, const std::string& root,
                                                    const std::string& name) {
    std::vector<std::string> order = namesOf(nestFrom(*findLoop(before.tree(), root)));
    const auto at = std::find(order.begin(), order.end(), name);
    if (at == order.begin()) return before;
    std::rotate(order.begin(), at, at + 1);
    ScheduleState after = before;
    if (after.take(Permute{order})) return std::nullopt;
    return after;
  }

  /// `before` with one loop for all parts of the body of `piece`: a parallel one of each of them, brought
  /// outside the others, that reaches beyond the block; nothing where there are none that fit.
  std::optional<ScheduleState> fused(const ScheduleState& before, const std::string& piece) const {
    const LoopTree& body = findLoop(before.tree(), piece)->children.front();
    if (body.kind != LoopTree::Kind::Sequence) return before;
    const std::string first = nameOf(body.children[0]), second = nameOf(body.children[1]);
    for (const std::string& one : longLoops(before, body.children[0]))
      for (const std::string& other : longLoops(before, body.children[1])) {
        auto trial = withOutermost(before, first, one);
        if (trial) trial = withOutermost(*trial, second, other);
        if (!trial || trial->take(Fuse{one, other}) || !trial->isParallel(one).value_or(false)) continue;
        if (auto all = fused(*trial, piece)) return all;
      }
    return std::nullopt;
  }

  /// Moves the parallel loops of `piece` that may be outside it there, once those of its parts are one; what
  /// they are called.
  std::vector<std::string> hoist(const std::string& piece) {
    std::optional<ScheduleState> one = fused(state, piece);
    if (!one) return {};
    std::vector<std::string> nest = namesOf(nestFrom(*findLoop(one->tree(), piece))), hoisted;
    nest.erase(nest.begin());
    // Mostly it is all of them.
    if (nest.size() > 1) {
      ScheduleState trial = *one;
      const std::vector<std::string> all = longLoops(*one, *findLoop(one->tree(), piece));
      std::vector<std::string> order = all;
      order.push_back(piece);
      for (const std::string& other : nest)
        if (std::count(all.begin(), all.end(), other) == 0) order.push_back(other);
      if (all.size() > 1 && !trial.take(Permute{order}) &&
          std::all_of(all.begin(), all.end(),
                      [&](const auto& name) { return trial.isParallel(name).value_or(false); })) {
        state = std::move(trial);
        return all;
      }
    }
    for (const std::string& name : longLoops(*one, *findLoop(one->tree(), piece))) {
      ScheduleState trial = *one;
      std::vector<std::string> order = hoisted;
      order.insert(order.end(), {name, piece});
      for (const std::string& other : nest)
        if (other != name && std::count(hoisted.begin(), hoisted.end(), other) == 0) order.push_back(other);
      if (trial.take(Permute{order}) || !trial.isParallel(name).value_or(false)) continue;
      *one = std::move(trial);
      hoisted.push_back(name);
    }
    if (!hoisted.empty()) state = std::move(*one);
    return hoisted;
  }

  /// Maps `piece`, what a block of iterations does to itself: one block of threads, which share the loops
  /// inside.
  bool mapDiagonal(const std::string& piece) {
    const std::string grid = freshName(piece + "_block");
    if (!take(Strip{piece, blockSize, grid}) || !take(MapToGrid{{grid}})) return false;
    std::vector<std::vector<std::string>> mapped;
    for (const LoopTree* part : partsOf(find(piece).children.front())) {
      std::vector<std::string> threads;
      if (part->kind == LoopTree::Kind::Loop)
        for (const LoopTree* one : nestFrom(*part))
          if (threads.size() < 2 && isParallelLoop(one->name)) threads.insert(threads.begin(), one->name);
      if (!threads.empty()) mapped.push_back(threads);
    }
    for (const std::vector<std::string>& threads : mapped)
      if (!take(MapToBlock{threads})) return false;
    keepClose(grid);
    return true;
  }

  /// Maps the nest that begins with `root`, a parallel loop: a thread for each of its iterations.
  bool mapPanel(const std::string& root) {
    const std::string grid = freshName(root + "_tiles");
    if (!take(Strip{root, blockSize, grid}) || !take(MapToGrid{{grid}}) || !take(MapToBlock{{root}}))
      return false;
    keepClose(grid);
    return true;
  }

  /// Maps the nest whose parallel loops are `rest`, a product: as one where its factors and what they are
  /// added to are different arrays, else by tiles of which each thread has an element. What is refused here
  /// is left to those who map nests.
  void mapRest(const std::vector<std::string>& rest) {
    if (rest.size() > 2 || mapProduct(state, {rest})) return;
    const ScheduleState before = state;
    const std::string rows = freshName(rest[0] + "_tiles"), columns = freshName(rest[1] + "_tiles");
    if (take(Tile{rest, {blockSize, blockSize}, {{rows}, {columns}}}) && take(MapToGrid{{columns, rows}}) &&
        take(MapToBlock{{rest[1], rest[0]}}) && keepClose(columns))
      return;
    state = before;
  }

  /// Keeps in shared memory what an iteration of `grid` uses, where that is possible; true where it is for
  /// all of it. Rows are an odd number of elements apart, since threads may have one each.
  bool keepClose(const std::string& grid) {
    std::set<int> used;
    for (int s : statementsOf(state.region(), find(grid)))
      for (const Access& access : state.region().statements[s].accesses)
        if (!state.region().arrays[access.array].isScalar()) used.insert(access.array);
    bool all = true;
    for (int array : used)
      all = take(StageShared{grid, state.region().arrays[array].name, -2}) && all;
    return all;
  }

  ScheduleState state;
  const std::string loop;
  std::string blocks; ///< the loop over blocks of its iterations
};

/// The outermost sequential loops of `tree`, and those inside them that no parallel one is around.
void collectSequential(const ScheduleState& state, const LoopTree& tree, std::vector<std::string>& loops) {
  if (tree.kind == LoopTree::Kind::Loop) {
    if (tree.place || state.isParallel(tree.name).value_or(true)) return;
    loops.push_back(tree.name);
  }
  for (const LoopTree& child : tree.children)
    collectSequential(state, child, loops);
}

} // namespace

std::optional<std::string> blockLoops(ScheduleState& state) {
  std::vector<std::string> loops, done;
  collectSequential(state, state.tree(), loops);
  for (const std::string& loop : loops) {
    if (!Budget::reason().empty()) break;
    // What is in a blocked loop is no more as it was.
    const std::vector<const LoopTree*> path = pathTo(state.tree(), loop);
    if (path.empty() || hasPlaces(*path.front())) continue;
    auto blocked = limited([&] { return Blocker(state, loop).block(); }, mostOperations);
    if (!blocked || !*blocked) continue;
    state = std::move(**blocked);
    done.push_back(loop);
  }
  if (done.empty()) return std::nullopt;
  return fmt::format("in blocks of {} iterations of '{}'", blockSize, fmt::join(done, "', '"));
}

} // namespace warploom
