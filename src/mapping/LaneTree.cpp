// The mapped tree of what lanes of a warp, or threads of a group, run together.
#include "mapping/TreeSource.h"
#include "transform/Levels.h"

#include <algorithm>

namespace warploom {

namespace {

class LaneBuilder {
public:
  explicit LaneBuilder(const TreeSource& source)
      : source(source), region(source.region), kernel(source.kernel) {}

  MappedNodes byLanes(const LoopTree& tree, const Position& at) {
    MappedNodes nodes;
    if (tree.kind == LoopTree::Kind::Sequence) {
      for (const LoopTree& child : tree.children)
        append(nodes, byLanes(child, at));
      return nodes;
    }
    if (tree.kind == LoopTree::Kind::Leaf) {
      for (int s : statementsOf(region, tree))
        append(nodes, byOneLane(tree, s, at));
      return nodes;
    }
    if (isOn(tree, Place::Kind::Lane)) return laneLoop(tree, at);
    // An iteration follows the one before.
    unsettled = true;
    const Position here{at.runs.intersect(instances(tree)), at.context};
    LoopNode loop = source.loopOf(tree, here);
    loop.body = byLanes(tree.children.front(), source.inIteration(tree, here, loop));
    unsettled = true;
    return {{std::move(loop)}};
  }

private:
  /// Makes lanes see what others wrote. Threads of a group have nothing to see.
  void synchronise(MappedNodes& nodes) {
    if (!unsettled || !kernel.sharedCode.empty()) return;
    nodes.push_back({BarrierNode{Threads::Warp}});
    unsettled = false;
    beingRead.clear();
  }

  /// All lanes run `statement`, or share it out.
  void noteReads(int statement) {
    for (const Access& access : region.statements[statement].accesses)
      if (access.reads() && kernel.placement[access.array] == Placement::Device)
        beingRead.insert(access.array);
  }

  /// Before one lane writes to `array`, all are done with reading it.
  void awaitReads(int array, MappedNodes& nodes) {
    if (beingRead.count(array) == 0) return;
    unsettled = true;
    synchronise(nodes);
  }

  /// The instances of `statement` in `leaf`: one lane runs what others can see.
  MappedNodes byOneLane(const LoopTree& leaf, int statement, const Position& at) {
    MappedNodes nodes;
    LoopTree only = leaf;
    only.domain = leaf.domain.intersect(region.statements[statement].domain);
    if (at.runs.intersect(only.domain).is_empty()) return nodes;
    synchronise(nodes);
    const bool byAll = kernel.writesPrivate(region.statements[statement]);
    if (byAll)
      noteReads(statement);
    else
      for (const Access& access : region.statements[statement].accesses)
        if (access.writes()) awaitReads(access.array, nodes);
    std::vector<Reduction> parts;
    if (kernel.sharedCode.count(statement)) parts = reductionsOf({statement});
    if (!parts.empty()) nodes.push_back({PartsNode{parts}});
    nodes.push_back({CodeNode{only, at, {}, {0}}});
    for (const Reduction& part : parts)
      nodes.push_back({CombineNode{part, Threads::Group, at}});
    unsettled |= !byAll;
    return nodes;
  }

  std::vector<Reduction> reductionsOf(const std::vector<int>& statements) const {
    std::vector<Reduction> found;
    for (const Reduction& reduction : kernel.reductions)
      if (std::count(statements.begin(), statements.end(), reduction.statements.front()) > 0 &&
          std::none_of(found.begin(), found.end(),
                       [&](const Reduction& one) { return one.array == reduction.array; }))
        found.push_back(reduction);
    return found;
  }

  /// A loop whose iterations the lanes share: each has its part of the accumulators.
  MappedNodes laneLoop(const LoopTree& tree, const Position& at) {
    MappedNodes nodes;
    const std::vector<int> inside = statementsOf(region, tree);
    const Position here{at.runs.intersect(instances(tree)), at.context};
    if (here.runs.is_empty()) return nodes;
    synchronise(nodes);
    const std::vector<Reduction> parts = reductionsOf(inside);
    auto isPart = [&](int array) {
      return std::any_of(parts.begin(), parts.end(),
                         [&](const Reduction& part) { return part.array == array; });
    };
    // A lane that writes must not overtake others that still read what it overwrites.
    for (int s : inside)
      for (const Access& access : region.statements[s].accesses)
        if (access.writes() && !isPart(access.array)) awaitReads(access.array, nodes);
    if (!parts.empty()) nodes.push_back({PartsNode{parts}});
    LoopNode loop = source.loopOf(tree, here);
    const CodeNode body{tree.children.front(), source.inIteration(tree, here, loop), {}, {}};
    if (auto scan = kernel.scans.find(tree.name); scan != kernel.scans.end()) {
      loop = source.scanOf(std::move(loop), scan->second, body);
    } else {
      loop.share = OnLanes{};
      loop.body.push_back({body});
    }
    nodes.push_back({std::move(loop)});
    for (int s : inside)
      noteReads(s);
    // Accumulators are read where they are combined, by the one lane that does it.
    for (const Reduction& part : parts)
      if (std::none_of(inside.begin(), inside.end(), [&](int s) {
            const auto& accesses = region.statements[s].accesses;
            return std::count(part.statements.begin(), part.statements.end(), s) == 0 &&
                   std::any_of(accesses.begin(), accesses.end(), [&](const Access& access) {
                     return access.array == part.array && access.reads();
                   });
          }))
        beingRead.erase(part.array);
    for (const Reduction& part : parts) {
      const bool isPrivate = kernel.placement[part.array] == Placement::Private;
      if (!isPrivate) awaitReads(part.array, nodes);
      nodes.push_back({CombineNode{part, Threads::Warp, at}});
      unsettled |= !isPrivate;
    }
    for (int s : inside)
      for (const Access& access : region.statements[s].accesses) {
        unsettled |=
            access.writes() && !isPart(access.array) && kernel.placement[access.array] != Placement::Private;
      }
    return nodes;
  }

  const TreeSource& source;
  const Region& region;
  const KernelPlan& kernel;

  // Where the building stands.
  bool unsettled = false;  ///< lanes may not see yet what others wrote
  std::set<int> beingRead; ///< arrays that lanes may not be done reading when another one goes on
};

} // namespace

MappedNodes laneNodes(const TreeSource& source, const LoopTree& tree, const Position& at) {
  return LaneBuilder(source).byLanes(tree, at);
}

} // namespace warploom
