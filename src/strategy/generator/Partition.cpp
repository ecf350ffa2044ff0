#include "strategy/generator/Partition.h"

#include "transform/LoopTree.h"
#include "transform/Tunables.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <numeric>
#include <set>

namespace warploom::strategies {

const char* nameOf(Keep keep) {
  switch (keep) {
  case Keep::Global:
    return "global";
  case Keep::Registers:
    return "registers";
  case Keep::Shared:
    return "shared";
  case Keep::SharedReadOnly:
    return "texture";
  case Keep::Constant:
    return "constant";
  }
  return "";
}

bool Choice::isStaged() const {
  return std::any_of(kept.begin(), kept.end(), isShared);
}

bool Line::isFor(const Choice& choice) const {
  if (ifStaged && !choice.isStaged()) return false;
  if (placement && std::count(keeps.begin(), keeps.end(), choice.kept[*placement]) == 0) return false;
  return (copies == 0 || copies == choice.copies) && (unroll == 0 || unroll == choice.unroll);
}

long Partition::threads() const {
  long all = 1;
  for (const Axis& axis : axes)
    all *= size(axis.threads);
  return all;
}

std::vector<long> Partition::ofBlock(const Nest& nest, bool inSlab) const {
  std::vector<long> result(nest.loops.size(), 1);
  for (std::size_t loop : inside)
    result[loop] = nest.loops[loop].extent;
  if (inSlab && slab) result[*slab] = std::min(size("TK"), nest.loops[*slab].extent);
  if (onHost) result[*onHost] = std::min(result[*onHost], size("TH"));
  for (const Axis& axis : axes)
    result[axis.loop] = std::min(size(axis.tile), nest.loops[axis.loop].extent);
  return result;
}

std::vector<long> Partition::ofThread(const Nest& nest, bool inSlab) const {
  std::vector<long> result = ofBlock(nest, inSlab);
  for (const Axis& axis : axes)
    result[axis.loop] = points(axis);
  return result;
}

namespace {

/// Bytes of constant memory.
constexpr long constantBytes = 65536;
/// The most elements of an array that a thread keeps.
constexpr double mostElements = 64;

Size sized(const std::string& name) {
  return "$" + name;
}

/// Read only, read again by other blocks, and one element at a time by the threads of a warp.
bool isConstant(const Partition& partition, const NestArrays& arrays) {
  if (arrays.isWritten || !arrays.isAffine || arrays.moves(partition.axes.front().loop)) return false;
  // Fields of structs have no array of their own there.
  return arrays.names.front().find('.') == std::string::npos;
}
/// All of it, as it is declared.
bool fitsConstant(const NestArrays& arrays) {
  const long bytes = arrays.wholeBytes * static_cast<long>(arrays.names.size());
  return bytes > 0 && bytes <= constantBytes;
}

/// Makes one partition of an order.
class Maker {
public:
  Maker(const ScheduleState& state, const Nest& nest, const LoopOrder& order, Partition::Shape shape,
        std::optional<std::size_t> onHost)
      : nest(nest), names(order.loops) {
    made.shape = shape;
    made.order = order;
    made.onHost = onHost;
    static const char* const called[] = {"line", "points", "columns", "cyclic", "rows", "split", "tiles"};
    made.name = called[static_cast<int>(shape)];
    if (onHost) made.name += "-host";
    isTaken = [&](const std::string& name) { return state.isTaken(name) || fresh.count(name) > 0; };
  }

  Partition make() {
    divide();
    place();
    write();
    return std::move(made);
  }

private:
  std::string loop(std::size_t k) const { return nest.loops[k].name; }
  std::string newName(const std::string& wanted) {
    const std::string name = uniqueName(wanted, isTaken);
    fresh.insert(name);
    return name;
  }

  /// Which loops are on the grid and in a thread, and the default sizes.
  void divide() {
    const bool isPlane = made.shape != Partition::Shape::Line;
    auto at = [&](std::size_t k) { return nest.at(names[made.order.host + k]); };
    if (made.shape == Partition::Shape::Tiles) return divideTiles(at(0), at(1));
    if (isCombined()) return divideCombined(at(0), at(1));
    made.axes.push_back({at(0), "T1", made.shape == Partition::Shape::Cyclic ? "N1" : "T1"});
    if (isPlane)
      made.axes.push_back({at(1), "T2",
                           made.shape == Partition::Shape::Cyclic    ? "N2"
                           : made.shape == Partition::Shape::Columns ? ""
                                                                     : "T2"});
    std::size_t first = made.order.host + made.axes.size();
    if (isPlane && made.order.parallel > 2) made.third = nest.at(names[first++]);
    for (; first < names.size(); ++first)
      made.inside.push_back(nest.at(names[first]));
    switch (made.shape) {
    case Partition::Shape::Line:
      made.sizes = {{"T1", 128}};
      break;
    case Partition::Shape::Points:
      made.sizes = {{"T1", 32}, {"T2", 8}};
      break;
    case Partition::Shape::Columns:
      made.sizes = {{"T1", 64}, {"T2", 16}, {"N1", 16}};
      break;
    case Partition::Shape::Cyclic:
      made.sizes = {{"T1", 64}, {"T2", 64}, {"N1", 16}, {"N2", 16}};
      break;
    default:
      break;
    }
    // Of sequential loops those that only the nest has can be tiled; short ones are staged as a whole.
    constexpr long slabSize = 16;
    if (!made.inside.empty() && nest.isPerfect && isSequential(made.inside.front())) {
      const NestLoop& k = nest.loops[made.inside.front()];
      if (!k.isNumber || k.extent > slabSize) {
        made.slab = made.inside.front();
        made.sizes["TK"] = slabSize;
      }
    }
    if (made.onHost) made.sizes["TH"] = hostSize();
  }

  /// The sizes that Warploom's own tiles have where nothing is said.
  void divideTiles(std::size_t x, std::size_t y) {
    made.axes = {{x, tileX, "THREADS_X"}, {y, tileY, "THREADS_Y"}};
    std::size_t first = made.order.host + 2;
    if (made.order.parallel > 2) made.third = nest.at(names[first++]);
    for (; first < names.size(); ++first)
      made.inside.push_back(nest.at(names[first]));
    made.slab = made.inside.back();
    for (const char* size : {tileX, tileY})
      made.sizes[size] = knownSizes().tunable(size).usual;
    made.sizes["THREADS_X"] = made.sizes[tileX] / knownSizes().tunable("ITEMS_X").usual;
    made.sizes["THREADS_Y"] = made.sizes[tileY] / knownSizes().tunable("ITEMS_Y").usual;
    made.sizes["TK"] = knownSizes().tunable(tileK).usual;
  }

  /// True when threads share the loop that combines values.
  bool isCombined() const {
    return made.shape == Partition::Shape::Rows || made.shape == Partition::Shape::Split;
  }

  /// Loop `x` on the grid, and `k`, which combines values, on lanes or on the grid, too.
  void divideCombined(std::size_t x, std::size_t k) {
    if (made.shape == Partition::Shape::Rows) {
      made.axes = {{k, "ROW", "LANES"}, {x, "ROWS", "ROWS"}};
      made.sizes = {{"ROW", std::max(32L, nest.loops[k].extent)}, {"LANES", 32}, {"ROWS", 4}};
      return;
    }
    made.axes = {{x, "BLOCK_X", "BLOCK_X"}, {k, "PART", "BLOCK_Y"}};
    made.sizes = {{"BLOCK_X", 32}, {"BLOCK_Y", 8}, {"PART", 64}};
  }

  void writeCombined() {
    const std::string x = names[made.order.host], k = names[made.order.host + 1];
    line(Permute{names});
    for (const NestArrays& arrays : nest.arrays)
      for (const std::string& name : arrays.names)
        if (arrays.isWritten) line(Reduce{name, k});
    if (made.shape == Partition::Shape::Rows) {
      line(MapToGrid{{x}});
      line(MapToLanes{{k}});
    } else {
      line(MapToGrid{{x, k}});
    }
  }

  /// The lines of Warploom's own tiles.
  void writeTiles() {
    const std::string x = loop(made.axes[0].loop), y = loop(made.axes[1].loop), k = loop(*made.slab);
    const std::string xx = newName(x + x), yy = newName(y + y), kk = newName(k + k);
    std::vector<std::string> order = names;
    const auto parallel = order.begin() + static_cast<long>(made.order.host);
    std::reverse(parallel, parallel + static_cast<long>(made.order.parallel));
    line(Permute{order});
    line(Tile{{y, x}, {std::string(tileY), std::string(tileX)}, {{yy, ""}, {xx, ""}}, {}});
    order.clear();
    for (std::size_t each : made.inside)
      if (each != *made.slab) order.push_back(loop(each));
    order.insert(order.end(), {kk, k, y, x});
    line(Tile{{k}, {std::string(tileK)}, {{kk, ""}}, order});
    std::vector<std::string> grid = {xx, yy};
    if (made.third) grid.push_back(loop(*made.third));
    line(MapToGrid{grid});
    line(MapToBlock{{x, y}});
    for (std::size_t p = 0; p < made.placements.size(); ++p) {
      const std::size_t a = made.placements[p].arrays;
      const auto together = made.together.find(a);
      for (const std::string& name : nest.arrays[a].names)
        for (int copies : {1, 2})
          if (isShared(made.placements[p].ways.front()))
            made.lines.push_back(
                {StageShared{kk, name, 1, copies, together == made.together.end() ? 1 : together->second,
                             together != made.together.end()},
                 false,
                 p,
                 {Keep::Shared},
                 copies});
    }
    for (std::size_t p = 0; p < made.placements.size(); ++p)
      if (made.placements[p].ways.front() == Keep::Registers)
        for (const std::string& name : nest.arrays[made.placements[p].arrays].names)
          line(StageRegisters{xx, name});
    line(Unroll{k, 4});
    // So few registers that other blocks work while one waits. In a loop of the host, launches may become
    // one.
    if (made.order.host == 0) line(LaunchBounds{xx, 4});
  }

  /// True for a loop in a thread that is not one of the parallel ones.
  bool isSequential(std::size_t k) const {
    const auto at = std::find(names.begin(), names.end(), loop(k)) - names.begin();
    return static_cast<std::size_t>(at) >= made.order.host + made.order.parallel;
  }

  /// The most iterations, a multiple of 32, of the loop on the host whose part of every array that only it
  /// moves fits constant memory.
  long hostSize() const {
    long bytes = 0;
    for (const NestArrays& arrays : nest.arrays)
      if (isConstant(made, arrays) && arrays.moves(*made.onHost)) {
        std::vector<long> iterations = whole();
        iterations[*made.onHost] = 1;
        bytes += static_cast<long>(arrays.footprint(iterations)) * arrays.bytes *
                 static_cast<long>(arrays.names.size());
      }
    return bytes ? std::max(1L, constantBytes / bytes / 32 * 32) : nest.loops[*made.onHost].extent;
  }

  std::vector<long> whole() const {
    std::vector<long> iterations;
    for (const NestLoop& each : nest.loops)
      iterations.push_back(each.extent);
    return iterations;
  }

  /// Along which threads of a block `arrays` are used again: a loop that does not move them, or neighbours
  /// that overlap.
  std::string reusedAcross(const NestArrays& arrays) const {
    for (const Axis& axis : made.axes) {
      if (axis.threads.empty()) continue;
      if (!arrays.moves(axis.loop)) return fmt::format("threads along `{}` read the same", loop(axis.loop));
      for (const NestAccess& access : arrays.accesses)
        for (const std::vector<long>& subscript : access.subscripts)
          for (std::size_t k : made.inside)
            if (subscript[axis.loop] && subscript[k])
              return fmt::format("neighbours along `{}` overlap by `{}`", loop(axis.loop), loop(k));
    }
    return "";
  }

  /// The loop in a thread along which `arrays`, which threads do not read contiguously, are contiguous.
  std::string coalescible(const NestArrays& arrays) const {
    const std::size_t x = made.axes.front().loop;
    for (const NestAccess& access : arrays.accesses) {
      if (!access.moves(x) || access.isContiguous(x)) continue;
      for (std::size_t k : made.inside)
        if (access.isContiguous(k)) return fmt::format("it is contiguous along `{}` only", loop(k));
    }
    return "";
  }

  /// The loop in a thread that does not move `arrays`, while none that is sequential does.
  std::string reusedInside(const NestArrays& arrays) const {
    std::string along;
    for (std::size_t k : made.inside) {
      if (arrays.moves(k)) return "";
      if (along.empty()) along = fmt::format("a thread uses it again along `{}`", loop(k));
    }
    return arrays.footprint(made.ofThread(nest, false)) <= mostElements ? along : "";
  }

  /// Phase II: where arrays may be kept.
  void place() {
    for (std::size_t a = 0; a < nest.arrays.size(); ++a) {
      const NestArrays& arrays = nest.arrays[a];
      if (isCombined()) {
        made.placements.push_back(arrays.isWritten
                                      ? Placement{a, {Keep::Registers}, {"threads combine their parts of it"}}
                                      : Placement{a, {Keep::Global}, {}});
        continue;
      }
      Placement placement{a, {Keep::Global}, {}};
      auto add = [&](Keep keep, const std::string& why) {
        placement.ways.push_back(keep);
        placement.reasons.push_back(why);
      };
      std::string why;
      const bool onHost = made.onHost && arrays.moves(*made.onHost);
      if (isConstant(made, arrays) && (onHost || (!made.onHost && fitsConstant(arrays))))
        add(Keep::Constant, "blocks read the same, and threads of a warp one element at a time");
      if (arrays.isAffine && !arrays.isWritten) {
        why = reusedAcross(arrays);
        if (why.empty()) why = coalescible(arrays);
        if (!why.empty()) {
          add(Keep::Shared, why);
          add(Keep::SharedReadOnly, why + "; nothing writes it");
        }
      }
      if (arrays.isAffine && !made.inside.empty() && !(why = reusedInside(arrays)).empty())
        add(Keep::Registers, why);
      // On the host, what it is for is not a choice.
      if (onHost && placement.ways.size() > 1 && placement.ways[1] == Keep::Constant) {
        placement.ways = {Keep::Constant};
        placement.reasons = {};
      }
      if (made.shape == Partition::Shape::Tiles) settle(placement);
      made.placements.push_back(placement);
    }
  }

  /// In Warploom's own tiles all that can be is in shared memory, or in registers.
  void settle(Placement& placement) {
    const NestArrays& arrays = nest.arrays[placement.arrays];
    for (Keep keep : {Keep::Registers, Keep::Shared}) {
      const auto way = std::find(placement.ways.begin(), placement.ways.end(), keep);
      if (way == placement.ways.end()) continue;
      placement.reasons = {placement.reasons[static_cast<std::size_t>(way - placement.ways.begin()) - 1]};
      placement.ways = {keep};
      // A thread reads along the tile 16 bytes at a time, its neighbours in other rows.
      const NestAccess& access = arrays.accesses.front();
      if (keep == Keep::Shared && access.isContiguous(*made.slab))
        made.together[placement.arrays] = std::max(1, 16 / arrays.bytes);
      return;
    }
  }

  void line(const Step& step) { made.lines.push_back({step, false, {}, {}}); }

  /// Padding of the copy of `arrays`: where neighbouring threads read different rows, these must not lie a
  /// multiple of the banks apart.
  int padding(const NestArrays& arrays) const {
    const std::size_t x = made.axes.front().loop;
    for (const NestAccess& access : arrays.accesses)
      for (std::size_t d = 0; d + 1 < access.subscripts.size(); ++d)
        if (access.subscripts[d][x]) return -32;
    return 1;
  }

  /// The lines of the recipe.
  void write() {
    if (made.shape == Partition::Shape::Tiles) return writeTiles();
    if (isCombined()) return writeCombined();
    line(Permute{names});
    std::string x = loop(made.axes.front().loop), y = made.axes.size() > 1 ? loop(made.axes[1].loop) : "";
    std::vector<std::string> rest;
    for (std::size_t k : made.inside)
      rest.push_back(loop(k));
    std::string hostTiles;
    if (made.onHost) {
      hostTiles = newName(loop(*made.onHost) + "h");
      std::vector<std::string> order = {hostTiles};
      order.insert(order.end(), names.begin() + static_cast<long>(made.order.host), names.end());
      line(Tile{{loop(*made.onHost)}, {sized("TH")}, {{hostTiles, ""}}, order, Tile::Method::Strided});
    }
    const std::string z = made.third ? loop(*made.third) : "";
    const std::string xx = newName(x + x), yy = y.empty() ? "" : newName(y + y);
    std::vector<std::string> blocks = {xx}, points = {x};
    Tile tile{{x}, {sized("T1")}, {{xx, ""}}, {}};
    if (!y.empty()) {
      tile = {{x, y}, {sized("T1"), sized("T2")}, {{xx, ""}, {yy, ""}}, {}};
      blocks.push_back(yy);
      points.push_back(y);
    }
    if (!z.empty()) blocks.push_back(z);
    tile.order = blocks;
    tile.order.insert(tile.order.end(), points.begin(), points.end());
    line(tile);
    std::string slabTiles;
    if (made.slab) {
      const std::string k = loop(*made.slab);
      slabTiles = newName(k + k);
      std::vector<std::string> order = {slabTiles};
      order.insert(order.end(), points.begin(), points.end());
      order.insert(order.end(), rest.begin(), rest.end());
      made.lines.push_back(
          {Tile{{k}, {sized("TK")}, {{slabTiles, ""}}, order, Tile::Method::Strided}, true, {}, {}});
    }
    const std::vector<std::string> threads = splitThreads(x, y, rest);
    line(MapToGrid{blocks});
    line(MapToBlock{threads});
    // Copies live for an iteration of the innermost loop on the grid, or of the tiles between it and threads.
    const std::string block = blocks.back();
    writeCopies(block, slabTiles, hostTiles);
    for (int depth : {1, 2})
      made.lines.push_back({UnrollToDepth{depth}, false, {}, {}, 0, depth});
  }

  /// The loops on the block, x first, once tiles are shared out.
  std::vector<std::string> splitThreads(const std::string& x, const std::string& y,
                                        const std::vector<std::string>& rest) {
    auto ordered = [&](std::vector<std::string> first, const std::vector<std::string>& last) {
      first.insert(first.end(), rest.begin(), rest.end());
      first.insert(first.end(), last.begin(), last.end());
      return first;
    };
    if (made.shape == Partition::Shape::Columns) {
      const std::string across = newName("t" + x), down = newName("u" + x);
      line(Tile{{x}, {sized("N1")}, {{down, across}}, ordered({across, down}, {y})});
      return {across, down};
    }
    if (made.shape != Partition::Shape::Cyclic) return y.empty() ? std::vector{x} : std::vector{x, y};
    const std::string tx = newName("t" + x), rx = newName("r" + x), ty = newName("t" + y),
                      ry = newName("r" + y);
    line(Tile{{x}, {sized("N1")}, {{rx, tx}}, ordered({tx, y}, {rx})});
    line(Tile{{y}, {sized("N2")}, {{ry, ty}}, ordered({tx, ty}, {rx, ry})});
    return {tx, ty};
  }

  void writeCopies(const std::string& block, const std::string& slabTiles, const std::string& hostTiles) {
    auto forEach = [&](Keep keep, auto&& add) {
      for (std::size_t p = 0; p < made.placements.size(); ++p)
        if (std::count(made.placements[p].ways.begin(), made.placements[p].ways.end(), keep))
          for (const std::string& name : nest.arrays[made.placements[p].arrays].names)
            add(p, nest.arrays[made.placements[p].arrays], name);
    };
    forEach(Keep::Constant, [&](std::size_t p, const NestArrays&, const std::string& name) {
      made.lines.push_back({StageConstant{name, hostTiles}, false, p, {Keep::Constant}});
    });
    forEach(Keep::Shared, [&](std::size_t p, const NestArrays& arrays, const std::string& name) {
      const bool inSlab = made.slab && arrays.moves(*made.slab);
      for (int copies : {1, 2}) {
        if (copies == 2 && !made.slab) continue;
        made.lines.push_back(
            {StageShared{inSlab ? slabTiles : block, name, padding(arrays), inSlab ? copies : 1},
             false,
             p,
             {Keep::Shared, Keep::SharedReadOnly},
             made.slab ? copies : 0});
      }
    });
    forEach(Keep::SharedReadOnly, [&](std::size_t p, const NestArrays&, const std::string& name) {
      made.lines.push_back({StageReadOnly{name}, false, p, {Keep::SharedReadOnly}});
    });
    forEach(Keep::Registers, [&](std::size_t p, const NestArrays&, const std::string& name) {
      made.lines.push_back({StageRegisters{block, name}, false, p, {Keep::Registers}});
    });
  }

  const Nest& nest;
  const std::vector<std::string>& names;
  std::function<bool(const std::string&)> isTaken;
  std::set<std::string> fresh;
  Partition made;
};

/// The data of the nest is of as many dimensions as two parallel loops give it.
bool isPlane(const Nest& nest, const LoopOrder& order) {
  if (order.parallel < 2) return false;
  const std::size_t x = nest.at(order.loops[order.host]), y = nest.at(order.loops[order.host + 1]);
  return std::any_of(nest.arrays.begin(), nest.arrays.end(),
                     [&](const NestArrays& arrays) { return arrays.moves(x) && arrays.moves(y); });
}

} // namespace

std::vector<Partition> partitions(const ScheduleState& state, const Nest& nest, const LoopOrder& order) {
  using Shape = Partition::Shape;
  std::vector<Partition> result;
  const std::vector<Shape> shapes = isPlane(nest, order)
                                        ? std::vector{Shape::Points, Shape::Columns, Shape::Cyclic}
                                        : std::vector{Shape::Line};
  for (Shape shape : shapes)
    result.push_back(Maker(state, nest, order, shape, std::nullopt).make());
  if (shapes.size() > 1 && result.front().slab && order.parallel <= 3)
    result.push_back(Maker(state, nest, order, Shape::Tiles, std::nullopt).make());
  // Where an array is too large for constant memory, the host can launch a kernel for each part of the loop
  // that moves its rows.
  std::set<std::size_t> tiled;
  for (const NestArrays& arrays : nest.arrays) {
    if (order.host > 0) break;
    const Partition& plain = result.front();
    if (!isConstant(plain, arrays) || fitsConstant(arrays)) continue;
    for (std::size_t loop = 0; loop < nest.loops.size(); ++loop)
      if (arrays.accesses.front().subscripts.front()[loop] && tiled.insert(loop).second)
        result.push_back(Maker(state, nest, order, shapes.back(), loop).make());
  }
  // Two loops of which the one inside combines values: threads may share that, too.
  if (order.parallel == 1 && order.loops.size() == order.host + 2 && nest.isPerfect)
    for (Shape shape : {Shape::Rows, Shape::Split})
      result.push_back(Maker(state, nest, order, shape, std::nullopt).make());
  return result;
}

std::vector<Step> stepsOf(const Partition& partition, const Choice& choice) {
  std::vector<Step> steps;
  for (const Line& line : partition.lines)
    if (line.isFor(choice)) steps.push_back(line.step);
  return steps;
}

std::vector<Step> boundSteps(const Partition& partition, const Choice& choice) {
  std::vector<Step> steps = stepsOf(partition, choice);
  for (Step& step : steps)
    if (Tile* tile = std::get_if<Tile>(&step))
      for (Size& size : tile->sizes)
        if (const std::string* name = std::get_if<std::string>(&size); name && name->starts_with('$'))
          size = partition.size(name->substr(1));
  return steps;
}

} // namespace warploom::strategies
