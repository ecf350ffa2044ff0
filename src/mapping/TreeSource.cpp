#include "mapping/TreeSource.h"

#include "support/IslC.h"
#include "transform/Levels.h"

#include <algorithm>
#include <isl/set.h>

namespace warploom {

void append(MappedNodes& nodes, MappedNodes others) {
  std::move(others.begin(), others.end(), std::back_inserter(nodes));
}

isl::union_set TreeSource::allOf(const std::vector<int>& statements) const {
  isl::union_set all = isl::union_set::empty(islContext());
  for (int s : statements)
    all = all.unite(isl::union_set(region.statements[s].domain));
  return all;
}

LoopNode TreeSource::loopOf(const LoopTree& tree, const Position& at) const {
  LoopNode loop;
  loop.loops = {tree.name};
  loop.bounds = {boundsOf(kernel.scheduled(tree), at.runs, at.context)};
  loop.tile = tree.tile;
  return loop;
}

Position TreeSource::inIteration(const LoopTree& tree, const Position& at, const LoopNode& loop) const {
  const LoopBounds& bounds = loop.bounds.front();
  if (!tree.tile) return {fixed(at.runs, {{tree.name, tree.value}}), bounds.context};
  // The bounds speak of a fixed loop: the origin takes its place.
  isl_set* renamed = bounds.context.copy();
  int position = isl_set_find_dim_by_name(renamed, isl_dim_param, fixedName(tree.name).c_str());
  if (position >= 0)
    renamed = isl_set_set_dim_name(renamed, isl_dim_param, static_cast<unsigned>(position),
                                   tree.tile->origin.c_str());
  // Values are `step` apart, but the origins of tiles are not.
  if (bounds.step != 1) renamed = isl_set_remove_divs(renamed);
  isl::set positive = parameter(tree.tile->size).gt_set(constant(0));
  return {insideTile(tree, at.runs), own(renamed).intersect(positive)};
}

LoopNode TreeSource::scanOf(LoopNode loop, const Scan& scan, const CodeNode& code) const {
  loop.share = OnScan{kernel.scan() ? Threads::Grid : Threads::Warp, scan};
  CodeNode changes = code;
  changes.at.runs = changes.at.runs.intersect(allOf(scan.slice));
  loop.changes.push_back({std::move(changes)});
  loop.body.push_back({code});
  return loop;
}

MappedNodes TreeSource::inParts(MappedNodes nodes, std::optional<Threads> across, const Position& at) const {
  PartsNode parts;
  for (const Reduction& reduction : kernel.reductions)
    if (kernel.placement[reduction.array] == Placement::Partial) parts.reductions.push_back(reduction);
  if (parts.reductions.empty()) return nodes;
  nodes.insert(nodes.begin(), {parts});
  for (const Reduction& reduction : parts.reductions)
    nodes.push_back({CombineNode{reduction, across, at}});
  return nodes;
}

} // namespace warploom
