// C text to a plan: what tests of mapping look at.
#pragma once

#include "analysis/Facts.h"
#include "frontend/Reading.h"
#include "strategy/Decide.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

namespace warploom {

/// The plan of the only region of `source`. The region stays here, since the plan speaks of it by index.
struct Planned {
  explicit Planned(const std::string& source, bool strictFp = false, const std::vector<Step>& recipe = {})
      : region(regionOf(source)), facts(analyse(region)),
        plan(planRegion(region, facts, {.strictFloatingPoint = strictFp, .recipe = recipe})) {}
  Planned(const Planned&) = delete;

  const KernelPlan& kernel(std::size_t k = 0) const { return plan.kernels.at(k); }

  /// The names of the mapped loops of kernel `k`, outermost first.
  const std::vector<std::string>& mapped(std::size_t k = 0) const { return kernel(k).mapped; }

  std::vector<std::string> hostLoops(std::size_t k = 0) const {
    std::vector<std::string> names;
    for (const ScheduledLoop& loop : kernel(k).hostLoops)
      names.push_back(loop.name);
    return names;
  }

  Placement placement(const std::string& array, std::size_t k = 0) const {
    return kernel(k).placement.at(index(array));
  }

  std::size_t index(const std::string& array) const {
    return static_cast<std::size_t>(&arrayNamed(region, array) - region.arrays.data());
  }

  std::string nameOf(int array) const { return region.arrays.at(static_cast<std::size_t>(array)).name; }

  /// Per tile in shared memory of kernel 0 "array[extent][extent]".
  std::vector<std::string> sharedTiles() const {
    std::vector<std::string> texts;
    for (const SharedTile& tile : kernel().body.shared) {
      std::string text = nameOf(tile.array);
      for (std::size_t d = 0; d < tile.box.low.size(); ++d) {
        // isl writes `[T] -> { [(2 + T)] }`.
        std::string extent = printed(tile.box.extent(d));
        std::size_t open = extent.find("[(") + 2;
        text += "[" + extent.substr(open, extent.find(")]") - open) + "]";
      }
      texts.push_back(text);
    }
    return texts;
  }

  const Region region;
  const Facts facts;
  const RegionPlan plan;
};

/// What a kernel is, in one word.
enum class Shape { Single, Flat, Rows, Groups, Columns, Tiled };
inline Shape shapeOf(const KernelPlan& kernel) {
  if (kernel.inBlocks) return Shape::Tiled;
  if (kernel.isSingle()) return Shape::Single;
  if (!kernel.lanes.empty()) return Shape::Rows;
  if (!kernel.sharedCode.empty()) return Shape::Groups;
  return kernel.partLevel > 0 ? Shape::Columns : Shape::Flat;
}

} // namespace warploom
