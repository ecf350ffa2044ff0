#include "strategy/generator/Cost.h"

#include "strategy/generator/Waves.h"
#include "transform/Tunables.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>

namespace warploom::strategies {

namespace {

constexpr double warp = 32, sector = 32;
/// What shared memory delivers in a cycle.
constexpr double bankBytes = 128;
/// Cycles until device memory answers, and until a block's threads have met.
constexpr double latency = 600, meeting = 40;
/// Warps, times independent operations, that hide the latency of arithmetic and of memory.
constexpr double hidesArithmetic = 16, hidesMemory = 48;
/// Loads that a thread has under way at a time.
constexpr double underWay = 6;
/// Instructions that a loop takes in each iteration, and those of a thread's beginning and end.
constexpr double loopInstructions = 3, ownInstructions = 20;
/// What an access through the caches takes at least, of the unit's cycles and in instructions; one of shared
/// memory takes one of each, its address being a number.
constexpr double cachedCycles = 2, cachedInstructions = 3;
/// What a read of constant memory takes of these cycles where its address is no number.
constexpr double constantCycles = 10;
/// The most iterations of a loop that the text of a kernel has written out where no recipe says so.
constexpr long mostWritten = 128;
/// Iterations of the loop over terms that are written out in Warploom's own tiles.
constexpr long tileUnroll = 4;
/// Registers that every thread needs, for addresses and counters.
constexpr int ownRegisters = 24;

} // namespace

Cost costOf(const KernelUse& use, const DeviceLimits& device) {
  const DeviceLimits::Rates& rates = device.rates;
  Cost cost;
  cost.held = activeBlocks(use.threads, {use.registers, static_cast<long>(use.sharedBytes)}, device);
  cost.launch = (use.launches + use.uploads) * rates.launch;
  const int held = cost.held.all();
  if (held == 0) return cost;
  const double perLaunch = use.blocks / use.launches;
  const double warps = std::ceil(use.threads / warp);
  cost.occupancy = held * warps / device.warpsPerSm;
  cost.efficiency = waveEfficiency(perLaunch, rates.multiprocessors, held);
  // Where there are few blocks, multiprocessors hold fewer than they could, and some none.
  const double perUnit = perLaunch / rates.multiprocessors, busy = std::min(1.0, perUnit);
  const double balance = perUnit > held ? cost.efficiency : perUnit / std::ceil(perUnit);
  const double resident = std::clamp(perUnit, 1.0, double(held)) * warps;
  const double chains = std::min(use.independent, 8.0);
  const double computing = std::min(1.0, resident * chains / hidesArithmetic);
  const double loading = std::min(1.0, resident * std::max(chains, underWay) / hidesMemory) * busy;
  const double cycles = rates.multiprocessors * rates.clock * balance; // of all multiprocessors in a second
  cost.arithmetic = use.arithmetic / ((use.isDouble ? rates.doubles : rates.singles) * cycles) / computing;
  cost.issue = (use.arithmetic + use.others) / (std::max(rates.singles, warp) * cycles) / computing;
  cost.access = use.accessCycles / cycles;
  cost.cache = use.cacheBytes / rates.cache / loading;
  cost.memory = use.memoryBytes / rates.memory / loading;
  // Threads wait for memory, if others do not keep the device busy.
  const double rounds = std::ceil(perLaunch / (rates.multiprocessors * held)) * use.launches;
  cost.latency = rounds * use.loads * latency / underWay / rates.clock;
  // They wait for what fills shared memory, unless other blocks work, or it was sent for before.
  const double others = std::clamp(perUnit, 1.0, double(held));
  const double wait = use.copies > 1 ? meeting : 2 * meeting + latency / others;
  cost.waiting = rounds * (use.fills * wait + use.handed * latency / others) / rates.clock;
  const double most =
      std::max({cost.arithmetic, cost.issue, cost.access, cost.cache, cost.memory, cost.latency});
  const double all = cost.arithmetic + cost.issue + cost.access + cost.cache + cost.memory + cost.latency;
  cost.seconds = most + 0.1 * (all - most) + cost.waiting + cost.launch;
  return cost;
}

double sectorsOfWarp(int across, long stride, int bytes, bool sameRows) {
  const double lanes = std::min(across, 32), rows = sameRows ? 1 : warp / lanes;
  const double apart = std::min(static_cast<double>(std::labs(stride)) * bytes, sector);
  return rows * std::max(1.0, std::ceil(lanes * apart / sector));
}

namespace {

/// True when the points of a thread along `axis` are neighbours, not as far apart as there are threads.
bool isAdjacent(const Axis& axis) {
  return knownSizes().shareOf(axis.tile).points == Points::Adjacent;
}

double product(const std::vector<long>& factors) {
  double result = 1;
  for (long factor : factors)
    result *= static_cast<double>(factor);
  return result;
}

/// Adds up what the accesses of a choice do.
class Counter {
public:
  Counter(const Nest& nest, const Partition& partition, const Choice& choice, const DeviceLimits& device)
      : nest(nest), partition(partition), choice(choice), device(device) {}

  KernelUse count() {
    use.threads = static_cast<int>(partition.threads());
    use.isDouble = nest.isDouble;
    use.copies = choice.copies;
    blocks();
    unrolled();
    warps = use.blocks * std::ceil(use.threads / warp);
    const double threads = use.blocks * use.threads;
    iterations = product(partition.ofThread(nest, false)); // of a thread
    use.arithmetic = threads * iterations * nest.operations;
    use.others = threads * (ownInstructions + iterations / inRow * loopInstructions);
    use.registers = ownRegisters;
    use.independent = 1;
    for (const Placement& placement : partition.placements)
      add(placement);
    use.registers = std::min(use.registers + static_cast<int>(inRow > 1 ? 8 : 0), 1000);
    if (choice.isStaged())
      use.fills = partition.slab ? std::ceil(double(partition.ofBlock(nest, false)[*partition.slab]) /
                                             double(partition.ofBlock(nest, true)[*partition.slab]))
                                 : 1;
    return use;
  }

private:
  void blocks() {
    use.blocks = 1;
    for (const Axis& axis : partition.axes) {
      const bool isPart = partition.onHost == axis.loop;
      const long extent = isPart ? std::min(nest.loops[axis.loop].extent, partition.size("TH"))
                                 : nest.loops[axis.loop].extent;
      use.blocks *= std::ceil(double(extent) / double(partition.size(axis.tile)));
    }
    if (partition.third) use.blocks *= double(nest.loops[*partition.third].extent);
    use.launches = 1;
    for (std::size_t k = 0; k < partition.order.host; ++k)
      use.launches *= double(nest.loops[nest.at(partition.order.loops[k])].extent);
    if (partition.onHost)
      use.launches *= std::ceil(double(nest.loops[*partition.onHost].extent) / double(partition.size("TH")));
    use.blocks *= use.launches;
  }

  /// True when a thread does all of a point before the next: in tiles of Warploom's own, but those of
  /// products.
  bool isPointByPoint() const {
    return partition.shape != Partition::Shape::Tiles &&
           std::any_of(partition.axes.begin(), partition.axes.end(),
                       [](const Axis& axis) { return knownSizes().shareOf(axis.tile).items != "1"; });
  }

  /// Which loops of the nest are written out: the innermost of a thread, points of a tile first or last, as
  /// far as the recipe says and, where they are short, the text of a kernel in blocks does anyway.
  void unrolled() {
    std::vector<std::pair<std::size_t, long>> loops; // innermost first
    for (auto axis = partition.axes.rbegin(); axis != partition.axes.rend(); ++axis)
      if (partition.points(*axis) > 1) loops.emplace_back(axis->loop, partition.points(*axis));
    const bool isTiles = partition.shape == Partition::Shape::Tiles;
    const std::vector<long> ofThread = partition.ofThread(nest, choice.isStaged());
    for (auto k = partition.inside.rbegin(); k != partition.inside.rend(); ++k) {
      const bool isNumber = nest.loops[*k].isNumber || (choice.isStaged() && partition.slab == *k);
      loops.emplace_back(*k, isTiles && partition.slab == *k ? tileUnroll : isNumber ? ofThread[*k] : 0);
    }
    if (isPointByPoint())
      std::rotate(loops.begin(), loops.end() - static_cast<long>(partition.inside.size()), loops.end());
    inRow = 1;
    row.assign(nest.loops.size(), 1);
    for (std::size_t k = 0; k < loops.size(); ++k) {
      const long most = k < static_cast<std::size_t>(choice.unroll) ? 1024 : mostWritten;
      if (loops[k].second == 0 || loops[k].second > most) break;
      row[loops[k].first] = loops[k].second;
      inRow *= double(loops[k].second);
    }
  }

  /// How often a thread makes an access of those to `arrays`, where compilers make one for all iterations in
  /// a row that it does not move in, and for all accesses of a row to one element.
  double times(const NestArrays& arrays, const NestAccess& access) const {
    auto inRowOf = [&](const NestAccess& one) {
      double reused = 1;
      for (std::size_t l = 0; l < row.size(); ++l)
        if (!one.moves(l)) reused *= double(row[l]);
      return inRow / reused;
    };
    double asked = 0;
    for (const NestAccess& one : arrays.accesses)
      asked += inRowOf(one);
    // Points of a thread that are as far apart as there are threads have nothing in common.
    std::vector<long> near = row;
    double apart = 1;
    for (const Axis& axis : partition.axes)
      if (!axis.threads.empty() && !isAdjacent(axis)) {
        if (arrays.moves(axis.loop)) apart *= double(row[axis.loop]);
        near[axis.loop] = 1;
      }
    const double distinct = arrays.isAffine ? std::min(asked, apart * arrays.reached(near)) : asked;
    return iterations / inRow * inRowOf(access) * distinct / asked;
  }

  /// How often a thread reads and writes an element of `arrays`, which are written: compilers keep one that
  /// no loop of the thread moves in a register, between barriers.
  double timesWritten(const NestArrays& arrays) const {
    std::vector<long> ofThread = partition.ofThread(nest, false);
    double points = 1;
    for (const Axis& axis : partition.axes)
      if (isPointByPoint()) points *= double(std::exchange(ofThread[axis.loop], 1));
    for (std::size_t l = 0; l < ofThread.size(); ++l)
      if ((ofThread[l] > 1 && arrays.moves(l)) || row[l] > mostWritten) return iterations;
    return choice.isStaged() && partition.slab
               ? points * std::ceil(double(ofThread[*partition.slab]) /
                                    double(partition.ofThread(nest, true)[*partition.slab]))
               : points;
  }

  /// True when a thread has written out all iterations of the loops that move `access`: what it reads of
  /// constant memory are operands then.
  bool isOperand(const NestAccess& access) const {
    const std::vector<long> ofThread = partition.ofThread(nest, false);
    for (std::size_t l = 0; l < row.size(); ++l)
      if (access.moves(l) && (row[l] < ofThread[l] || row[l] > mostWritten)) return false;
    return true;
  }

  void add(const Placement& placement) {
    const std::size_t p = static_cast<std::size_t>(&placement - partition.placements.data());
    const NestArrays& arrays = nest.arrays[placement.arrays];
    const double number = double(arrays.names.size());
    const Keep keep = choice.kept[p];
    if (keep == Keep::Registers) {
      const double elements = arrays.footprint(partition.ofThread(nest, false));
      use.registers += static_cast<int>(number * elements * std::max(1, arrays.bytes / 4));
      if (arrays.isWritten) use.independent = std::max(use.independent, elements * number);
      const double moves = (arrays.isRead ? 1 : 0) + (arrays.isWritten ? 1 : 0);
      // Neighbouring elements move in one access.
      const Axis& x = partition.axes.front();
      const double together = isAdjacent(x) && arrays.moves(x.loop) ? double(partition.points(x)) : 1;
      reach(arrays, fromMemory(arrays, arrays.accesses.front(), number * moves * elements, together), true);
      return;
    }
    if (isShared(keep)) return stage(arrays, number);
    if (keep == Keep::Constant) {
      std::vector<long> part = whole();
      if (partition.onHost) part[*partition.onHost] = std::min(part[*partition.onHost], partition.size("TH"));
      const double bytes =
          partition.onHost ? footprintBytes(arrays, part) : double(arrays.wholeBytes) * number;
      use.constantBytes += bytes;
      use.uploads += number * use.launches;
      // Neighbouring elements of an array are read together.
      if (const NestAccess& access = arrays.accesses.front(); !isOperand(access)) {
        const double loads = times(arrays, access) * number;
        use.accessCycles += warps * loads * constantCycles;
        use.others += warps * warp * loads;
      }
      use.memoryBytes += bytes * use.launches;
      return;
    }
    double asked = 0;
    for (const NestAccess& access : arrays.accesses) {
      const double loads = number * (arrays.isWritten ? timesWritten(arrays) : times(arrays, access));
      asked += fromMemory(arrays, access, loads);
      if (access.reads) use.loads += arrays.isWritten ? 0 : loads;
    }
    // What the compiler keeps in a register goes to memory and comes back at each barrier.
    if (arrays.isWritten && choice.isStaged() && timesWritten(arrays) < iterations)
      use.handed += timesWritten(arrays);
    reach(arrays, asked, arrays.isWritten);
  }

  /// Each thread accesses `elements` in device memory, as many `together`; the bytes that are asked for.
  double fromMemory(const NestArrays& arrays, const NestAccess& access, double elements,
                    double together = 1) {
    const Axis& x = partition.axes.front();
    const bool sameRows = partition.axes.size() < 2 || !access.moves(partition.axes[1].loop);
    const long apart = access.strides[x.loop] * (isAdjacent(x) ? partition.points(x) : 1);
    const double loads = elements / together;
    const double sectors = sectorsOfWarp(static_cast<int>(std::min(32L, partition.size(x.threads))), apart,
                                         arrays.bytes, sameRows);
    use.sectors += warps * loads * sectors;
    use.accessCycles += warps * loads * std::max(cachedCycles, sectors / 4);
    use.others += warps * warp * loads * cachedInstructions;
    return warps * loads * sectors * sector;
  }

  /// A block fills shared memory, and its threads read it.
  void stage(const NestArrays& arrays, double number) {
    const std::vector<long> part = partition.ofBlock(nest, true);
    const std::vector<double> box = arrays.box(part);
    double elements = 1;
    for (double side : box)
      elements *= side;
    const double fills = partition.slab && arrays.moves(*partition.slab)
                             ? std::ceil(double(partition.ofBlock(nest, false)[*partition.slab]) /
                                         double(part[*partition.slab]))
                             : 1;
    use.sharedBytes += number * elements * arrays.bytes *
                       (partition.slab && arrays.moves(*partition.slab) ? choice.copies : 1);
    const double rowBytes = (box.empty() ? 1 : box.back()) * arrays.bytes;
    const double loaded = use.blocks * fills * number * elements;
    const double bytes = loaded * arrays.bytes * std::max(1.0, sector / rowBytes);
    use.sectors += bytes / sector;
    use.loads += loaded / (use.blocks * use.threads);
    use.accessCycles += loaded / warp * 2 * std::max(1.0, arrays.bytes / 4.0);
    use.others += loaded * 4;
    reach(arrays, bytes, true);
    use.registers += 4;
    for (const NestAccess& access : arrays.accesses) {
      const auto atOnce = partition.together.find(static_cast<std::size_t>(&arrays - nest.arrays.data()));
      const double loads =
          times(arrays, access) * number / (atOnce == partition.together.end() ? 1 : atOnce->second);
      use.accessCycles += warps * loads * std::max(1.0, ofWarp(access) * arrays.bytes / bankBytes);
      use.others += warps * warp * loads;
      // Elements that a row of operations needs at once.
      double held = 1;
      for (const Axis& axis : partition.axes)
        if (access.moves(axis.loop)) held *= double(row[axis.loop]);
      use.registers += static_cast<int>(held * number * std::max(1, arrays.bytes / 4));
    }
  }

  /// How many different elements the threads of a warp use.
  double ofWarp(const NestAccess& access) const {
    const double across = double(std::min(32L, partition.size(partition.axes.front().threads)));
    const double x = access.moves(partition.axes.front().loop) ? across : 1;
    const bool isMoved = partition.axes.size() > 1 && access.moves(partition.axes[1].loop);
    return x * (isMoved ? warp / across : 1);
  }

  std::vector<long> whole() const {
    std::vector<long> extents;
    for (const NestLoop& loop : nest.loops)
      extents.push_back(loop.extent);
    return extents;
  }

  double footprintBytes(const NestArrays& arrays, const std::vector<long>& part) const {
    if (!arrays.isAffine) return double(product(part)) * arrays.bytes;
    double rows = 1;
    const std::vector<double> box = arrays.box(part);
    for (std::size_t d = 0; d + 1 < box.size(); ++d)
      rows *= box[d];
    const double rowBytes = (box.empty() ? 1 : box.back()) * arrays.bytes;
    return double(arrays.names.size()) * rows * std::ceil(rowBytes / sector) * sector;
  }

  /// Of `asked` bytes those that come from the cache of all and from device memory. What a block asks for
  /// again is in the cache of its multiprocessor, unless it is `through` that; what fits the cache of all
  /// comes once, else each wave of blocks brings what it shares with others again.
  void reach(const NestArrays& arrays, double asked, bool through) {
    const double own = use.blocks * footprintBytes(arrays, partition.ofBlock(nest, false));
    const double delivered = through ? asked : std::min(asked, own);
    use.cacheBytes += delivered;
    const double once = footprintBytes(arrays, whole());
    const double wave = std::max(1.0, double(device.rates.multiprocessors) * 2);
    double sharing = use.launches; // blocks that use an element
    for (const Axis& axis : partition.axes)
      if (!arrays.moves(axis.loop))
        sharing *= std::ceil(double(nest.loops[axis.loop].extent) / double(partition.size(axis.tile)));
    if (partition.third && !arrays.moves(*partition.third))
      sharing *= double(nest.loops[*partition.third].extent);
    const double again =
        once <= device.rates.cacheBytes / 2 ? 1 : std::min(sharing, std::ceil(use.blocks / wave));
    use.memoryBytes += std::min(delivered, once * again);
  }

  const Nest& nest;
  const Partition& partition;
  const Choice& choice;
  const DeviceLimits& device;
  KernelUse use;
  double warps = 0, iterations = 1, inRow = 1;
  std::vector<long> row; ///< per loop how many iterations are written out in a row
};

} // namespace

KernelUse useOf(const Nest& nest, const Partition& partition, const Choice& choice,
                const DeviceLimits& device) {
  return Counter(nest, partition, choice, device).count();
}

} // namespace warploom::strategies
