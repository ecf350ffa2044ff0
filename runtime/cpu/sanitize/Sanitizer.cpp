#include "Sanitizer.h"

#include "../Hooks.h"
#include "../OfThread.h"
#include "Arrays.h"
#include "DebugInfo.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <link.h>
#include <set>
#include <tuple>
#include <unordered_map>

namespace warploom::cpu::sanitize {

namespace {

/// Anything in the program's code: addresses are kept as 32-bit distances from here.
std::int32_t packed(const void* pc) {
  return static_cast<std::int32_t>(reinterpret_cast<std::intptr_t>(pc) -
                                   reinterpret_cast<std::intptr_t>(&access));
}
const void* unpacked(std::int32_t pc) {
  return reinterpret_cast<const char*>(&access) + pc;
}

/// The release of an earlier fence by an atomic access: what the block did up to `interval` is visible to
/// whoever sees the atomic's result. This is how the last block of a grid finds the results of all others.
struct Release {
  std::uint32_t block, interval;
  std::uint16_t thread;
};
using ReleaseLog = std::vector<Release>;

/// Of the launch that runs. Only one OS thread runs kernel code at a time.
struct LaunchState {
  std::uint32_t latestInterval = 0;
  std::uint32_t phase = 0;     ///< the first interval after the launch began or the latest grid barrier
  std::uint32_t nextPhase = 0; ///< where the phase begins that follows the grid barrier blocks now wait at
  bool anyFence = false;
  std::unordered_map<std::uintptr_t, ReleaseLog> releases; ///< by the address of the atomic
};
__attribute__((init_priority(101))) LaunchState thisLaunch;

/// Of the block that runs on an OS thread.
struct BlockState {
  struct Acquire {
    const ReleaseLog* log;
    std::size_t seen; ///< how much of the log
    int thread;
    std::uint32_t interval;
  };
  Arrays arrays;
  std::uint32_t number = 0; ///< of the block in its grid
  std::uint32_t firstInterval = 0, interval = 0;
  LaneClocks lanes;
  std::vector<std::uint32_t> fencedIn; ///< per thread, the interval of its latest fence; 0: none
  std::vector<Acquire> acquires;
  // The barrier that some threads wait at.
  Place barrierPlace{nullptr, 0};
  int barrierThread = -1;
  // A thread that has ended, and where.
  int endedThread = -1;
  const void* endedPlace = nullptr;
  const void* leftAt = nullptr; ///< where the running thread left a function
  unsigned endedLanes[32] = {};
};
BlockState& state() {
  return ofThread<BlockState>();
}

std::string triple(uint3 v) {
  return "(" + std::to_string(v.x) + "," + std::to_string(v.y) + "," + std::to_string(v.z) + ")";
}

std::string who(int thread, std::uint32_t block) {
  const Grid& grid = currentBlock->currentGrid();
  uint3 index{block % grid.grid.x, block / grid.grid.x % grid.grid.y, block / grid.grid.x / grid.grid.y};
  return "thread " + triple(currentBlock->threadIndex(thread)) + " of block " + triple(index);
}

std::string kernelName() {
  return functionAt(currentBlock->currentGrid().kernel);
}

const char* verb(AccessKind kind) {
  return kind == AccessKind::Read ? "read" : kind == AccessKind::Write ? "write" : "atomic access";
}

std::string key(const char* kind, const void* a, const void* b) {
  return std::string(kind) + lineOf(a) + "|" + (b ? lineOf(b) : "");
}

/// Whether this kind of finding was not made before at these two places of the code.
bool isNew(char kind, const void* a, const void* b) {
  static auto& made =
      *new std::set<std::tuple<char, const void*, const void*>>; // stays: handlers of `atexit` run kernels
  return made.emplace(kind, a, b).second;
}

/// Whether block `b`, by fences and atomics, knows what `record`, of another block, did.
bool acquired(const BlockState& b, const Record& record, int thread) {
  for (const auto& acquire : b.acquires) {
    if (acquire.thread != thread && acquire.interval == b.interval) continue;
    for (std::size_t i = 0; i < acquire.seen; ++i) {
      const Release& release = (*acquire.log)[i];
      if (release.block == record.block &&
          (record.interval < release.interval ||
           (record.interval == release.interval && record.thread == release.thread)))
        return true;
    }
  }
  return false;
}

/// Whether what `record` tells of comes before what `thread` does now.
bool ordered(const BlockState& b, KnownArray::Space space, const Record& record, int thread) {
  if (record.interval < thisLaunch.phase)
    return true; // empty, or before this launch or the latest grid barrier
  if (record.block != b.number) return space == KnownArray::Space::Shared || acquired(b, record, thread);
  if (record.interval != b.interval || record.thread == thread) return true;
  return record.thread / 32 == thread / 32 && b.lanes.ordered(thread, record.thread, record.clock);
}

/// Of two records keeps `fresh` and the one that says more beside it.
void remember(const BlockState& b, KnownArray::Space space, Record (&records)[2], const Record& fresh) {
  for (Record& record : records)
    if ((record.block == fresh.block && record.thread == fresh.thread) ||
        ordered(b, space, record, fresh.thread)) {
      record = fresh;
      return;
    }
  // Both are of other threads. Keep one of another block, else of another warp.
  bool firstIsFarther = records[0].block != fresh.block ||
                        (records[1].block == fresh.block && records[0].thread / 32 != fresh.thread / 32);
  records[firstIsFarther ? 1 : 0] = fresh;
}

void reportRace(const KnownArray& array, std::uintptr_t address, const BlockState& b, const Record& earlier,
                AccessKind earlierKind, AccessKind kind, const void* pc) {
  const void* earlierPc = unpacked(earlier.pc);
  if (!isNew('r', earlierPc, pc)) return;
  int thread = currentBlock->runningThread();
  report(key("race", earlierPc, pc),
         "race on " + array.element(address) +
             (array.space == KnownArray::Space::Shared ? " in shared memory" : " in global memory") +
             ", kernel " + kernelName(),
         std::string("  ") + verb(earlierKind) + " by " + who(earlier.thread, earlier.block) + " at " +
             lineOf(earlierPc) + "\n  " + verb(kind) + " by " + who(thread, b.number) + " at " + lineOf(pc) +
             ", with no barrier between them\n");
}

void checkCell(BlockState& b, KnownArray& array, std::uintptr_t address, AccessKind kind, const void* pc) {
  Cell& cell = array.cell((address - array.begin) / array.atomBytes);
  int thread = currentBlock->runningThread();
  auto conflict = [&](const Record& record, AccessKind earlierKind) {
    if (ordered(b, array.space, record, thread)) return false;
    reportRace(array, address, b, record, earlierKind, kind, pc);
    return true;
  };

  if (array.space == KnownArray::Space::Shared) {
    if (kind != AccessKind::Write && cell.initialised < b.firstInterval && isNew('u', pc, nullptr))
      report(key("uninitialised", pc, nullptr),
             "uninitialised shared memory: " + array.element(address) + ", kernel " + kernelName(),
             std::string("  ") + verb(kind) + " by " + who(thread, b.number) + " at " + lineOf(pc) +
                 " before any thread of the block wrote it\n  declared at " + array.declaredAt + "\n");
    if (cell.initialised < b.firstInterval) cell.initialised = b.interval;
  }

  bool found = conflict(cell.write, AccessKind::Write);
  if (kind != AccessKind::Atomic)
    for (const Record& record : cell.atomics)
      found = found || conflict(record, AccessKind::Atomic);
  if (kind != AccessKind::Read)
    for (const Record& record : cell.reads)
      found = found || conflict(record, AccessKind::Read);

  Record fresh{packed(pc), b.number, b.interval, static_cast<std::uint16_t>(thread), b.lanes.now(thread)};
  if (kind == AccessKind::Write)
    cell.write = fresh;
  else
    remember(b, array.space, kind == AccessKind::Read ? cell.reads : cell.atomics, fresh);
}

/// An access to no known memory, or over the edge of an array. The access itself cannot be stopped, so the
/// program is.
[[noreturn]] void reportOutside(const BlockState& b, std::uintptr_t address, AccessKind kind,
                                const void* pc) {
  const KnownArray* array = state().arrays.nearest(address);
  std::string line = lineOf(pc);
  std::string access = std::string("  ") + verb(kind) + " by " +
                       who(currentBlock->runningThread(), b.number) + " at " + line + "\n";
  if (array)
    report(key("outside", pc, nullptr),
           "out of bounds: " + array->element(address) + ", kernel " + kernelName(),
           access + "  the nearest array is " + array->declaration() + ", " +
               (array->space == KnownArray::Space::Shared ? "declared" : "allocated") + " at " +
               array->declaredAt + "\n");
  else
    report(key("outside", pc, nullptr),
           "out of bounds: memory that is no device array, kernel " + kernelName(), access);
  std::fflush(nullptr);
  std::_Exit(66);
}

/// True for what nobody can write: from there compilers copy the values that a kernel's own small arrays
/// begin with.
bool isConstant(std::uintptr_t address, std::size_t bytes) {
  using Segment = std::pair<std::uintptr_t, std::uintptr_t>;
  static const auto& segments = *new std::vector<Segment>([] {
    std::vector<Segment> found;
    dl_iterate_phdr(
        [](dl_phdr_info* object, std::size_t, void* all) {
          for (int k = 0; k < object->dlpi_phnum; ++k) {
            const auto& one = object->dlpi_phdr[k];
            const std::uintptr_t begin = object->dlpi_addr + one.p_vaddr;
            if (one.p_type == PT_LOAD && (one.p_flags & PF_W) == 0)
              static_cast<std::vector<Segment>*>(all)->emplace_back(begin, begin + one.p_memsz);
          }
          return 0;
        },
        &found);
    return found;
  }()); // stays, too
  return std::any_of(segments.begin(), segments.end(), [&](const Segment& one) {
    return one.first <= address && bytes <= one.second - one.first && address <= one.second - bytes;
  });
}

/// Fences make atomics carry what was done before them.
void synchroniseByAtomic(BlockState& b, std::uintptr_t address) {
  if (!thisLaunch.anyFence) return;
  int thread = currentBlock->runningThread();
  ReleaseLog& log = thisLaunch.releases[address];
  if (!log.empty()) b.acquires.push_back({&log, log.size(), thread, b.interval});
  if (std::uint32_t fenced = b.fencedIn[static_cast<std::size_t>(thread)])
    log.push_back({b.number, fenced, static_cast<std::uint16_t>(thread)});
}

} // namespace

void access(const void* pointer, std::size_t bytes, AccessKind kind, const void* pc) {
  Block* block = currentBlock;
  if (!block || bytes == 0 || block->stack().contains(pointer)) return;
  auto address = reinterpret_cast<std::uintptr_t>(pointer);
  const Grid& grid = block->currentGrid();
  if (address - reinterpret_cast<std::uintptr_t>(grid.arguments) < grid.argumentBytes) return;

  BlockState& b = state();
  KnownArray* array = b.arrays.find(address);
  if (!array && kind == AccessKind::Read && isConstant(address, bytes)) return;
  if (!array || array->space == KnownArray::Space::RedZone) reportOutside(b, address, kind, pc);
  if (array->space == KnownArray::Space::Ignored) return;
  std::uintptr_t end = address + bytes;
  if (end > array->begin + array->bytes) reportOutside(b, end - 1, kind, pc);
  std::uintptr_t atom = array->begin + (address - array->begin) / array->atomBytes * array->atomBytes;
  for (; atom < end; atom += array->atomBytes)
    checkCell(b, *array, atom, kind, pc);
  if (kind == AccessKind::Atomic && array->space == KnownArray::Space::Global)
    synchroniseByAtomic(b, address);
}

void functionLeft(const void* pc) {
  if (currentBlock) state().leftAt = pc;
}

void subscriptOutside(const std::string& array, int inward, long long index, const std::string& line) {
  if (!currentBlock) return;
  const StaticVariable* declaration = nullptr;
  auto consider = [&](const StaticVariable& variable, bool isOwn) {
    if (variable.name == array && static_cast<int>(variable.extents.size()) >= inward)
      if (!declaration || isOwn) declaration = &variable;
  };
  // Another kernel may have an array of the same name.
  for (const StaticVariable& variable : variablesOf(currentBlock->currentGrid().kernel).threadLocal)
    consider(variable, variable.function == kernelName());
  for (const StaticVariable& member : state().arrays.dynamicMembers())
    consider(member, true);
  int rank = declaration ? static_cast<int>(declaration->extents.size()) : inward;
  std::string declared =
      declaration ? "  " + array + " is declared at " + declaration->declaredAt + "\n" : "";
  std::string element = array;
  for (int d = 0; d < rank; ++d)
    element += d == rank - inward ? "[" + std::to_string(index) + "]" : "[..]";
  report("subscript" + line + array, "out of bounds: " + element + ", kernel " + kernelName(),
         "  by " + who(currentBlock->runningThread(), state().number) + " at " + line + "\n" + declared);
}

} // namespace warploom::cpu::sanitize

// ---- What the executor tells
// ------------------------------------------------------------------------------------

namespace warploom::cpu {

using namespace sanitize;

void recordAtomic(const void* address, std::size_t bytes, const void* pc) {
  access(address, bytes, AccessKind::Atomic, pc);
}

namespace hooks {

void launchBegins(const Grid&) {
  thisLaunch.phase = thisLaunch.nextPhase = ++thisLaunch.latestInterval;
  thisLaunch.anyFence = false;
  thisLaunch.releases.clear();
}

void launchEnds(const Grid&) {}

void blockBegins(Block& block) {
  BlockState& b = state();
  const Grid& grid = block.currentGrid();
  uint3 index = block.index();
  b.arrays.prepare(block);
  b.number = index.x + grid.grid.x * (index.y + grid.grid.y * index.z);
  b.firstInterval = b.interval = ++thisLaunch.latestInterval;
  b.lanes.reset(block.threadCount());
  b.fencedIn.assign(static_cast<std::size_t>(block.threadCount()), 0);
  b.acquires.clear();
  b.barrierPlace = {nullptr, 0};
  b.barrierThread = b.endedThread = -1;
  for (unsigned& lanes : b.endedLanes)
    lanes = 0;
}

void blockEnds(Block&) {}
void threadBegins(Block&) {
  state().leftAt = nullptr;
}

namespace {

std::string text(Place place) {
  std::string file = place.file;
  return file.substr(file.rfind('/') + 1) + ":" + std::to_string(place.line);
}

/// Threads of one block part ways at a barrier.
void reportDivergence(const BlockState& b, int thread, const std::string& line, int other,
                      const std::string& otherLine, const char* otherDoes) {
  report("divergence" + line + "|" + otherLine, "barrier divergence in kernel " + kernelName(),
         "  " + who(thread, b.number) + " waits at " + line + "\n  " + who(other, b.number) + " " +
             otherDoes + " at " + otherLine + "\n");
}

} // namespace

void threadEnds(Block& block) {
  BlockState& b = state();
  int thread = block.runningThread();
  b.endedThread = thread;
  b.endedPlace = b.leftAt;
  b.endedLanes[thread / 32] |= 1u << (thread % 32);
  if (b.barrierPlace.file)
    reportDivergence(b, b.barrierThread, text(b.barrierPlace), thread, lineOf(b.leftAt), "ended");
}

void barrierReached(Block& block, Place place) {
  BlockState& b = state();
  int thread = block.runningThread();
  if (b.endedThread >= 0)
    reportDivergence(b, thread, text(place), b.endedThread, lineOf(b.endedPlace), "ended");
  if (!b.barrierPlace.file) {
    b.barrierPlace = place;
    b.barrierThread = thread;
  } else if (b.barrierPlace.line != place.line || std::strcmp(b.barrierPlace.file, place.file) != 0) {
    // One barrier of the source may be several in the code, and several one; lines tell.
    reportDivergence(b, b.barrierThread, text(b.barrierPlace), thread, text(place), "waits");
  }
}

void barrierPassed(Block& block) {
  BlockState& b = state();
  b.barrierPlace = {nullptr, 0};
  b.interval = ++thisLaunch.latestInterval;
  b.lanes.reset(block.threadCount());
}

void gridBarrierReached(Block&) {
  thisLaunch.nextPhase = ++thisLaunch.latestInterval;
}

void gridBarrierPassed(Block& block) {
  thisLaunch.phase = thisLaunch.nextPhase;
  barrierPassed(block);
}

void warpOperation(Block& block, unsigned mask, const void* pc) {
  BlockState& b = state();
  int thread = block.runningThread(), warp = thread / 32;
  if (!(mask >> (thread % 32) & 1))
    report(key("lane", pc, nullptr), "warp divergence in kernel " + kernelName(),
           "  " + who(thread, b.number) + " at " + lineOf(pc) +
               " takes part in an operation whose mask leaves it out\n");
  if (unsigned missing = mask & b.endedLanes[warp])
    reportDivergence(b, thread, lineOf(pc), warp * 32 + __builtin_ctz(missing), lineOf(b.endedPlace),
                     "ended");
}

void warpBarrierPassed(Block&, int warp, unsigned lanes) {
  state().lanes.join(warp, lanes);
}

void dynamicSharedUsed(std::size_t elementBytes, const char* type) {
  state().arrays.describeDynamic(elementBytes, type);
}

void fence(Block& block) {
  BlockState& b = state();
  b.fencedIn[static_cast<std::size_t>(block.runningThread())] = b.interval;
  thisLaunch.anyFence = true;
}

void deadlock(const Block& block) {
  int first = -1;
  for (int thread = 0; thread < block.threadCount(); ++thread) {
    const void* place = block.waitsAt(thread);
    if (!place) continue;
    if (first < 0) first = thread;
    if (sameLine(place, block.waitsAt(first))) continue;
    reportDivergence(state(), first, lineOf(block.waitsAt(first)), thread, lineOf(place), "waits");
    return;
  }
}

void allocated(void* memory, std::size_t bytes, const ArrayName& name, Place place) {
  Arrays::add(memory, bytes, name, place);
}

void released(void* memory) {
  Arrays::remove(memory);
}

} // namespace hooks
} // namespace warploom::cpu
