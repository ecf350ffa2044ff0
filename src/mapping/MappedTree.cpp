#include "mapping/MappedTree.h"

#include "support/Failure.h"
#include "transform/Levels.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace warploom {

namespace {

const char* axisLetter(int axis) {
  return axis == 0 ? "x" : axis == 1 ? "y" : "z";
}

const char* nameOf(Threads threads) {
  switch (threads) {
  case Threads::Group:
    return "group";
  case Threads::Warp:
    return "warp";
  case Threads::Block:
    return "block";
  case Threads::Grid:
    return "grid";
  }
  return "";
}

class Printer {
public:
  Printer(const MappedTree& tree, const Region& region) : tree(tree), region(region) {}

  std::string print() {
    lines(tree.nodes, 0);
    return out;
  }

private:
  void line(int depth, const std::string& text) {
    out += std::string(static_cast<std::size_t>(2 * depth), ' ') + text + "\n";
  }
  void lines(const MappedNodes& nodes, int depth) {
    for (const MappedNode& node : nodes)
      std::visit([&](const auto& one) { print(one, depth); }, node.is);
  }
  const std::string& array(int index) const { return region.arrays[index].name; }

  static std::string shareOf(const LoopNode& loop) {
    if (const auto* grid = std::get_if<OnGrid>(&loop.share))
      return fmt::format(" over {} along {}", grid->threads.empty() ? "blocks" : "the grid",
                         axisLetter(grid->axis));
    if (const auto* points = std::get_if<OnTile>(&loop.share))
      return fmt::format(" over the threads of a tile of {} along {}", points->tile.size,
                         axisLetter(points->tile.axis));
    if (const auto* block = std::get_if<OnBlock>(&loop.share))
      return fmt::format(" over threads along {}", axisLetter(block->axis));
    if (const auto* scan = std::get_if<OnScan>(&loop.share))
      return fmt::format(" by a scan of the {}", nameOf(scan->across));
    return std::holds_alternative<OnLanes>(loop.share) ? " over lanes" : "";
  }
  void print(const LoopNode& loop, int depth) {
    line(depth, fmt::format("for {}{}{}", fmt::join(loop.loops, ", "),
                            loop.tile ? " in tiles of " + loop.tile->size : "", shareOf(loop)));
    if (!loop.prefetch.empty()) {
      line(depth + 1, "for the next iteration");
      lines(loop.prefetch, depth + 2);
    }
    if (!loop.changes.empty()) {
      line(depth + 1, std::holds_alternative<OnScan>(loop.share) ? "to find what it begins with"
                                                                 : "to find which elements it uses");
      lines(loop.changes, depth + 2);
    }
    lines(loop.body, depth + 1);
  }
  void print(const CodeNode& code, int depth) {
    std::vector<std::string> names;
    for (int s : statementsOf(region, code.tree))
      names.push_back(region.statements[s].name);
    std::string who;
    for (int axis : code.firstAlong)
      who += fmt::format("{} {}", who.empty() ? ", the first thread along" : ",", axisLetter(axis));
    line(depth, fmt::format("run {}{}", fmt::join(names, ", "), who));
  }
  void print(const CopyNode& copy, int depth) {
    const SharedTile& tile = tree.shared[copy.tile];
    line(depth, fmt::format("copy {} {}", array(tile.array),
                            copy.direction == CopyNode::Direction::In ? "to shared memory" : "back"));
  }
  void print(const RegistersNode& moved, int depth) {
    std::vector<std::string> names;
    for (const RegisterTile& tile : tree.registers)
      if (tile.loop == moved.loop) names.push_back(array(tile.array));
    const bool load = moved.direction == RegistersNode::Direction::Load;
    line(depth, fmt::format("{} {} {} registers", load ? "load" : "store", fmt::join(names, ", "),
                            load ? "to" : "from"));
  }
  void print(const BarrierNode& barrier, int depth) {
    line(depth, fmt::format("barrier of the {}", nameOf(barrier.scope)));
  }
  void print(const TensorNode& tensor, int depth) {
    line(depth, fmt::format("on tensor cores: loop {}, loop {}, loop {}", tensor.product.depth,
                            tensor.product.rows, tensor.product.columns));
  }
  void print(const PartsNode& parts, int depth) {
    for (const Reduction& reduction : parts.reductions)
      line(depth, fmt::format("a part of {} for each thread", array(reduction.array)));
  }
  void print(const CombineNode& combine, int depth) {
    line(depth, fmt::format("combine {} by {}{}", array(combine.of.array), combine.of.op,
                            combine.across ? fmt::format(" across the {}", nameOf(*combine.across)) : ""));
  }
  void print(const ChoiceNode& choice, int depth) {
    line(depth, "where the tile is whole");
    lines(choice.whole, depth + 1);
    line(depth, "else");
    lines(choice.edge, depth + 1);
  }
  void print(const GuardNode& guard, int depth) {
    line(depth, "if it is a point of the domain");
    lines(guard.body, depth + 1);
  }
  void print(const PrivateNode& own, int depth) { lines(own.body, depth); }
  void print(const BinsNode& bins, int depth) {
    for (const auto& [number, op] : bins.arrays)
      line(depth, fmt::format("a copy of {} for each block, combined by {}", array(number), op));
    lines(bins.body, depth);
  }

  const MappedTree& tree;
  const Region& region;
  std::string out;
};

/// Asks whether barriers stand where all of their threads come by.
class Checker {
public:
  explicit Checker(const Region& region) : region(region) {}

  /// `block`, `warp`: all threads of a block, or lanes of a warp, come by together.
  void visit(const MappedNodes& nodes, bool block, bool warp, bool outermost) {
    for (const MappedNode& node : nodes) {
      if (const auto* barrier = std::get_if<BarrierNode>(&node.is)) {
        if (barrier->scope == Threads::Warp ? !warp : !block)
          throw Failure(region.name(), "a barrier that not all of its threads reach");
      } else if (const auto* loop = std::get_if<LoopNode>(&node.is)) {
        visitLoop(*loop, block, warp, outermost);
      } else if (const auto* choice = std::get_if<ChoiceNode>(&node.is)) {
        visit(choice->whole, block, warp, false);
        visit(choice->edge, block, warp, false);
      } else if (const auto* guard = std::get_if<GuardNode>(&node.is)) {
        visit(guard->body, false, false, false);
      } else if (const auto* own = std::get_if<PrivateNode>(&node.is)) {
        visit(own->body, block, warp, outermost);
      } else if (const auto* bins = std::get_if<BinsNode>(&node.is)) {
        if (!block) throw Failure(region.name(), "copies for a block that not all of its threads reach");
        visit(bins->body, block, warp, outermost);
      }
    }
  }

private:
  void visitLoop(const LoopNode& loop, bool block, bool warp, bool outermost) {
    const auto* grid = std::get_if<OnGrid>(&loop.share);
    const auto* scan = std::get_if<OnScan>(&loop.share);
    if ((grid || (scan && scan->across == Threads::Grid)) && !outermost)
      throw Failure(region.name(), "a loop on the grid inside others");
    if (scan && scan->across == Threads::Warp && !warp)
      throw Failure(region.name(), "a scan that not all lanes of its warp reach");
    const bool together = std::holds_alternative<Serial>(loop.share) || (grid && grid->threads.empty());
    // A warp takes an iteration of a loop on the grid as one where its threads are along another axis.
    const bool byWarps = grid && grid->threadAxis == 1 && grid->axis == 0;
    visit(loop.prefetch, block && together, warp && together, false);
    visit(loop.body, block && together, warp && (together || byWarps), outermost && grid);
  }

  const Region& region;
};

} // namespace

std::vector<std::size_t> SharedTile::sides() const {
  std::vector<std::size_t> result;
  for (std::size_t d = 0; d < box.low.size(); ++d)
    if (box.stride[d] != 0) result.push_back(d);
  if (transposed) std::reverse(result.begin(), result.end());
  return result;
}

const TiledLoop* MappedTree::onAxis(int axis) const {
  for (const TiledLoop& tile : tiles)
    if (tile.axis == axis) return &tile;
  return nullptr;
}

std::string printed(const MappedTree& tree, const Region& region) {
  return Printer(tree, region).print();
}

void check(const MappedTree& tree, const Region& region) {
  Checker(region).visit(tree.nodes, true, true, true);
}

} // namespace warploom
