#include "strategy/generator/Mapped.h"

#include "transform/Tunables.h"

#include <algorithm>
#include <set>
#include <sstream>

namespace warploom::strategies {

namespace {

/// What the size called `name` is where nothing is said, or the value of an expression of them.
long usualOf(const std::string& name) {
  std::istringstream words(name);
  std::string word;
  std::vector<std::string> all;
  while (words >> word)
    all.push_back(word);
  if (all.size() > 1) {
    long value = usualOf(all.front());
    for (std::size_t k = 2; k < all.size(); k += 2)
      value = all[k - 1] == "*" ? value * usualOf(all[k]) : value / usualOf(all[k]);
    return value;
  }
  if (name.find_first_not_of("0123456789") == std::string::npos) return std::stol(name);
  for (const DerivedSize& size : knownSizes().derived)
    if (size.name == name) return usualOf(size.expression);
  return knownSizes().tunable(name).usual;
}

/// Reads a partition off steps.
class Reader {
public:
  explicit Reader(const Nest& nest) : nest(nest) {
    made.choice.kept.assign(nest.arrays.size(), Keep::Global);
  }

  std::optional<NestPartition> read(const std::vector<Step>& steps) {
    for (const Step& step : steps)
      if (!std::visit([&](const auto& one) { return note(one); }, step)) return std::nullopt;
    Partition& partition = made.partition;
    if (partition.axes.empty()) return std::nullopt;
    std::set<std::size_t> onGrid;
    for (const Axis& axis : partition.axes)
      onGrid.insert(axis.loop);
    if (partition.third) onGrid.insert(*partition.third);
    for (std::size_t k = 0; k < nest.loops.size(); ++k) {
      partition.order.loops.push_back(nest.loops[k].name);
      if (onGrid.count(k) == 0) partition.inside.push_back(k);
    }
    partition.order.parallel = onGrid.size();
    for (const auto& [control, tile] : tiles)
      if (onGrid.count(tile.first) == 0) {
        if (partition.slab) return std::nullopt;
        partition.slab = tile.first;
        partition.sizes["TK"] = usualOf(tile.second);
      }
    for (std::size_t a = 0; a < nest.arrays.size(); ++a)
      partition.placements.push_back({a, {made.choice.kept[a]}, {}});
    return std::move(made);
  }

private:
  bool note(const Tile& step) {
    for (std::size_t k = 0; k < step.loops.size(); ++k) {
      const std::optional<std::size_t> loop = find(step.loops[k]);
      const std::string* size = std::get_if<std::string>(&step.sizes[k]);
      if (!loop) return false;
      tiles[step.names[k].control] = {*loop, size ? *size : std::to_string(std::get<long>(step.sizes[k]))};
    }
    return true;
  }

  bool note(const MapToGrid& step) {
    static constexpr const char* const threads[] = {sizeName::blockX, sizeName::blockY};
    for (std::size_t axis = 0; axis < step.loops.size(); ++axis) {
      const auto tile = tiles.find(step.loops[axis]);
      const std::optional<std::size_t> loop =
          tile == tiles.end() ? find(step.loops[axis]) : std::optional(tile->second.first);
      if (!loop) return false;
      if (axis == 2) {
        made.partition.third = loop;
        continue;
      }
      const std::string size = tile != tiles.end()      ? tile->second.second
                               : step.loops.size() == 1 ? sizeName::block
                                                        : threads[axis];
      const TileShare share = knownSizes().shareOf(size);
      made.partition.axes.push_back({*loop, size, share.threads});
      for (const std::string& name : {size, share.threads})
        made.partition.sizes[name] = usualOf(name);
    }
    return true;
  }

  bool note(const StageShared& step) {
    made.choice.copies = std::max(made.choice.copies, step.copies);
    return keep(step.array, Keep::Shared);
  }
  bool note(const StageRegisters& step) { return keep(step.array, Keep::Registers); }
  bool note(const StageConstant& step) { return step.loop.empty() && keep(step.array, Keep::Constant); }
  bool note(const MapToBlock&) { return true; }
  bool note(const Permute&) { return true; }
  bool note(const Unroll&) { return true; }
  bool note(const LaunchBounds&) { return true; }
  template <typename Other> bool note(const Other&) { return false; }

  bool keep(const std::string& array, Keep where) {
    for (std::size_t a = 0; a < nest.arrays.size(); ++a)
      if (std::count(nest.arrays[a].names.begin(), nest.arrays[a].names.end(), array))
        made.choice.kept[a] = where;
    return true;
  }

  std::optional<std::size_t> find(const std::string& loop) const {
    for (std::size_t k = 0; k < nest.loops.size(); ++k)
      if (nest.loops[k].name == loop) return k;
    return std::nullopt;
  }

  const Nest& nest;
  std::map<std::string, std::pair<std::size_t, std::string>> tiles; ///< by control: the loop, and their size
  NestPartition made;
};

/// What loops are taken to have, of which `parallel` are on the grid, whose bounds are not numbers: so many
/// that it pays to think about the kernel.
long assumedExtent(std::size_t parallel) {
  return parallel == 1 ? 1 << 16 : parallel == 2 ? 1 << 12 : 1 << 9;
}

} // namespace

std::optional<NestPartition> mappedBy(const std::vector<Step>& steps, const Nest& nest) {
  return Reader(nest).read(steps);
}

std::optional<Cost> costOfMapped(const ScheduleState& before, const std::string& outermost,
                                 const ScheduleState& after, const DeviceLimits& device) {
  const std::vector<Step> steps(after.history().begin() + static_cast<long>(before.history().size()),
                                after.history().end());
  std::size_t parallel = 1;
  for (const Step& step : steps)
    if (const auto* grid = std::get_if<MapToGrid>(&step)) parallel = grid->loops.size();
  const Nest nest = nestOf(before, outermost, assumedExtent(parallel));
  if (!nest.isPerfect) return std::nullopt;
  const std::optional<NestPartition> mapped = mappedBy(steps, nest);
  if (!mapped) return std::nullopt;
  return costOf(useOf(nest, mapped->partition, mapped->choice, device), device);
}

} // namespace warploom::strategies
