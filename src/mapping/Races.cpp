#include "mapping/Races.h"

#include "support/Failure.h"
#include "transform/Levels.h"

#include <algorithm>
#include <fmt/format.h>

namespace warploom {

namespace {

/// What threads of a block may have done since all of them last waited for each other.
struct Since {
  std::set<int> statements;      ///< that have run
  std::set<int> stored;          ///< arrays to whose memory they have copied tiles back
  std::set<std::size_t> filled;  ///< tiles that they have copied to shared memory
  std::set<std::size_t> used;    ///< tiles that they have read
  std::set<std::size_t> changed; ///< tiles in which statements have written
  std::set<std::size_t> saved;   ///< tiles that they have copied back

  void add(const Since& other) {
    statements.insert(other.statements.begin(), other.statements.end());
    stored.insert(other.stored.begin(), other.stored.end());
    filled.insert(other.filled.begin(), other.filled.end());
    used.insert(other.used.begin(), other.used.end());
    changed.insert(other.changed.begin(), other.changed.end());
    saved.insert(other.saved.begin(), other.saved.end());
  }
};

class Walk {
public:
  Walk(const Region& region, const Facts& facts, const KernelPlan& kernel, const MappedTree& tree)
      : region(region), facts(facts), kernel(kernel), tree(tree) {}

  void all() {
    Since since;
    nodes(tree.nodes, since);
  }

private:
  /// Goes through what all threads of a block do together.
  void nodes(const MappedNodes& list, Since& since) {
    for (const MappedNode& node : list)
      std::visit([&](const auto& one) { visit(one, since); }, node.is);
  }

  void visit(const LoopNode& loop, Since& since) {
    const auto* grid = std::get_if<OnGrid>(&loop.share);
    if (!std::holds_alternative<Serial>(loop.share) && !grid) return run(loop.body, since);
    const std::set<std::string> kept = keeping;
    keeping.insert(loop.loops.begin(), loop.loops.end());
    round(loop, since);
    for (std::size_t k = 0; k < tree.shared.size(); ++k)
      if (tree.shared[k].own && tree.shared[k].loop == loop.loops.back() &&
          (since.used.count(k) || since.changed.count(k)))
        fail("is begun anew while threads may use it", tree.shared[k].array);
    // Iterations on the grid are independent; in memory that the block reuses they are not.
    if (grid) since.statements.clear(), since.stored.clear();
    round(loop, since);
    keeping = kept;
  }

  void round(const LoopNode& loop, Since& since) {
    if (!loop.prefetch.empty()) {
      Since ahead = since; // other copies of the tiles than those that are worked on
      ahead.filled.clear(), ahead.used.clear(), ahead.changed.clear();
      forEachNode(loop.prefetch, [&](const MappedNode& node) {
        if (const auto* copy = std::get_if<CopyNode>(&node.is); copy && tree.shared[copy->tile].copies < 2)
          fail("is copied while threads may read it", tree.shared[copy->tile].array);
      });
      nodes(loop.prefetch, ahead);
    }
    nodes(loop.body, since);
    if (!loop.prefetch.empty()) since = {}; // an iteration ends with a barrier
  }

  void visit(const ChoiceNode& choice, Since& since) {
    Since other = since;
    nodes(choice.whole, since);
    nodes(choice.edge, other);
    since.add(other);
  }

  void visit(const BarrierNode& barrier, Since& since) {
    if (barrier.scope == Threads::Block || barrier.scope == Threads::Grid) since = {};
  }

  void visit(const CopyNode& copy, Since& since) {
    const SharedTile& tile = tree.shared[copy.tile];
    const int memory = memoryOf(region, tile.array);
    if (copy.direction == CopyNode::Direction::In) {
      if (since.used.count(copy.tile) || since.changed.count(copy.tile))
        fail("is copied while threads may read it", tile.array);
      if (since.stored.count(memory) || anyWrites(since.statements, copy.tile))
        fail("is copied while threads may write it", tile.array);
      since.filled.insert(copy.tile);
      return;
    }
    if (since.changed.count(copy.tile) || since.filled.count(copy.tile))
      fail("is copied back while threads may write it", tile.array);
    since.used.insert(copy.tile);
    since.saved.insert(copy.tile);
    since.stored.insert(memory);
  }

  /// True when one of `statements` writes to memory what tile `number` has a copy of, and not to the copy.
  bool anyWrites(const std::set<int>& statements, std::size_t number) const {
    const SharedTile& tile = tree.shared[number];
    const auto& own = tile.box.accesses;
    return std::any_of(facts.dependences.all.begin(), facts.dependences.all.end(),
                       [&](const Dependence& dependence) {
                         return dependence.kind == Dependence::Kind::Flow && dependence.array == tile.array &&
                                statements.count(dependence.source.statement) > 0 &&
                                std::count(own.begin(), own.end(), dependence.source) == 0 &&
                                std::count(own.begin(), own.end(), dependence.sink) > 0;
                       });
  }

  void visit(const CodeNode& code, Since& since) { run(statementsOf(region, code.tree), since); }
  void visit(const TensorNode& tensor, Since& since) { run({tensor.product.statement}, since); }
  void visit(const GuardNode& guard, Since& since) { run(guard.body, since); }
  void visit(const PrivateNode& own, Since& since) { nodes(own.body, since); }
  void visit(const BinsNode& bins, Since& since) { nodes(bins.body, since); }
  // Each thread moves its own elements, and combinations have barriers of their own.
  void visit(const RegistersNode&, Since&) {}
  void visit(const PartsNode&, Since&) {}
  void visit(const CombineNode&, Since&) {}

  /// What each thread runs by itself.
  void run(const MappedNodes& list, Since& since) {
    std::vector<int> statements;
    forEachNode(list, [&](const MappedNode& node) {
      if (const auto* code = std::get_if<CodeNode>(&node.is))
        for (int s : statementsOf(region, code->tree))
          statements.push_back(s);
      if (const auto* tensor = std::get_if<TensorNode>(&node.is))
        statements.push_back(tensor->product.statement);
      if (const auto* copy = std::get_if<CopyNode>(&node.is))
        fail("is copied where not all threads come by", tree.shared[copy->tile].array);
    });
    run(statements, since);
  }

  void run(const std::vector<int>& statements, Since& since) {
    auto isIn = [&](int s) { return std::count(statements.begin(), statements.end(), s) > 0; };
    for (const Dependence& dependence : facts.dependences.all)
      if (since.statements.count(dependence.source.statement) && isIn(dependence.sink.statement) &&
          !isOwn(dependence.array))
        fail("is used by threads that do not wait for each other", dependence.array);
    for (std::size_t k = 0; k < tree.shared.size(); ++k) {
      const SharedTile& tile = tree.shared[k];
      for (const AccessRef& access : tile.box.accesses) {
        if (!isIn(access.statement)) continue;
        if (since.filled.count(k)) fail("is used before all of it is in shared memory", tile.array);
        const bool writes = access.in(region).writes();
        if (writes && since.saved.count(k)) fail("is written while it is copied back", tile.array);
        (writes ? since.changed : since.used).insert(k);
      }
    }
    for (int s : statements)
      for (const Access& access : region.statements[s].accesses)
        if (access.kind != Access::Kind::Kill && since.stored.count(memoryOf(region, access.array)))
          fail("is used while it is copied back", access.array);
    since.statements.insert(statements.begin(), statements.end());
  }

  /// True when each thread has its elements of `array` for itself here.
  bool isOwn(int array) const {
    return kernel.placement[array] == Placement::Private ||
           std::any_of(tree.registers.begin(), tree.registers.end(), [&](const RegisterTile& tile) {
             return tile.array == array && (!tile.elements.box || keeping.count(tile.loop) > 0);
           });
  }

  [[noreturn]] void fail(const char* what, int array) const {
    throw Failure(region.name(),
                  fmt::format("a race in {}: `{}` {}", kernel.name, region.arrays[array].name, what));
  }

  const Region& region;
  const Facts& facts;
  const KernelPlan& kernel;
  const MappedTree& tree;
  std::set<std::string> keeping; ///< the loops around
};

} // namespace

void checkRaces(const Region& region, const Facts& facts, const KernelPlan& kernel, const MappedTree& body) {
  Walk(region, facts, kernel, body).all();
}

} // namespace warploom
