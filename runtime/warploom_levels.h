// Irregular loops, `q[a[i]] = q[b[i]]`: which iterations use the same elements is known only when the program
// runs. An inspector gives every iteration a level, one more than the highest of those before it that it has
// to wait for; then the levels run one after the other, the iterations of a level at the same time. Where no
// two iterations meet, as with a permutation, there is one level, and no list of iterations is needed.
//
// The inspector works in rounds, one for each level: all iterations that have no level yet note themselves on
// the elements they use; those that are first on all of theirs have this one.
#pragma once

#include "warploom_region.h"

#include <cstring>
#include <initializer_list>
#include <mutex>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace warploom {

/// The iterations of a level, by their numbers in the order of the program: those in the list, or all.
struct Level {
  const unsigned* list;
  long count;
  __device__ long operator[](long place) const { return list ? static_cast<long>(list[place]) : place; }
};

/// What iterations note on elements, of all arrays together: the first that writes it, and the first that
/// uses it at all. What a later round notes is less than what an earlier one did.
struct Notes {
  using Word = unsigned long long;
  Word *writers, *users;
  Word round; ///< in the high half: counts down
  int* outside;

  __device__ Word of(unsigned iteration) const { return round | iteration; }
};

/// Notes an iteration on the elements it uses. `first` and `size`: where the elements of an array begin among
/// all, and how many they are.
struct Noting {
  const Notes& notes;
  unsigned iteration;

  __device__ void read(long first, long size, long element) const {
    if (isInside(size, element)) atomicMin(notes.users + first + element, notes.of(iteration));
  }
  __device__ void write(long first, long size, long element) const {
    if (!isInside(size, element)) return;
    atomicMin(notes.writers + first + element, notes.of(iteration));
    atomicMin(notes.users + first + element, notes.of(iteration));
  }

private:
  __device__ bool isInside(long size, long element) const {
    if (element >= 0 && element < size) return true;
    atomicExch(notes.outside, 1);
    return false;
  }
};

/// Finds out whether an iteration is the first on all of its elements.
struct Looking {
  const Notes& notes;
  unsigned iteration;
  bool isFirst;

  /// No iteration before it is still to write the element.
  __device__ void read(long first, long, long element) {
    isFirst = isFirst && notes.writers[first + element] >= notes.of(iteration);
  }
  /// No iteration before it is still to use the element.
  __device__ void write(long first, long, long element) {
    isFirst = isFirst && notes.users[first + element] >= notes.of(iteration);
  }
};

/// The iterations in `open` note themselves.
template <typename Uses> __global__ void noteUses(Uses uses, Notes notes, Level open) {
  for (long k = threadNumber<long>(); k < open.count; k += threadCount<long>()) {
    Noting noting{notes, static_cast<unsigned>(open[k])};
    uses(open[k], noting);
  }
}

/// Adds `value` of each thread with `isMine` to `list`, which has `count` members. All lanes of a warp call
/// it together.
__device__ inline void addTo(unsigned* list, unsigned* count, bool isMine, unsigned value) {
  const unsigned all = __ballot_sync(0xffffffffu, isMine), lane = threadIdx.x % 32;
  unsigned first = 0;
  if (lane == 0 && all != 0) first = atomicAdd(count, static_cast<unsigned>(__popc(all)));
  first = __shfl_sync(0xffffffffu, first, 0);
  if (isMine) list[first + static_cast<unsigned>(__popc(all & ((1u << lane) - 1)))] = value;
}

/// The iterations in `open` that are first on their elements go to `level`, the others to `left`. Blocks are
/// made of whole warps.
template <typename Uses>
__global__ void findFirst(Uses uses, Notes notes, Level open, unsigned* level, unsigned* left,
                          unsigned* counts) {
  for (long begin = blockIdx.x * static_cast<long>(blockDim.x); begin < open.count;
       begin += gridDim.x * static_cast<long>(blockDim.x)) {
    const long k = begin + threadIdx.x;
    const bool isThere = k < open.count;
    const unsigned iteration = isThere ? static_cast<unsigned>(open[k]) : 0;
    Looking looking{notes, iteration, true};
    if (isThere) uses(static_cast<long>(iteration), looking);
    addTo(level, counts, isThere && looking.isFirst, iteration);
    addTo(left, counts + 1, isThere && !looking.isFirst, iteration);
  }
}

/// Sets `differs` where a word of one is not that of the other.
template <typename Word>
__global__ void compareWords(const Word* one, const Word* other, long count, int* differs) {
  for (long k = threadNumber<long>(); k < count; k += threadCount<long>())
    if (one[k] != other[k]) atomicExch(differs, 1);
}

/// Memory of the device that an inspection reads.
struct IndexMemory {
  const void* data;
  std::size_t bytes;
};

/// The bytes of all of `values`, one after the other.
template <typename... Values> std::string bytesOf(const Values&... values) {
  std::string all;
  (all.append(reinterpret_cast<const char*>(&values), sizeof(values)), ...);
  return all;
}

/// What was found out about a loop of the program when it was last inspected, for as long as what decides it
/// is the same. Lives as long as the program.
class Inspection {
public:
  Inspection() = default;
  Inspection(const Inspection&) = delete;
  Inspection& operator=(const Inspection&) = delete;

private:
  friend class Levels;
  std::mutex mutex;
  bool known = false;
  std::string sizes;             ///< all else that it depends on
  std::vector<IndexMemory> kept; ///< copies of the index arrays
  unsigned* order = nullptr;     ///< the iterations, level by level; null: there is one level
  std::vector<long> ends;        ///< where levels end in it
  const char* refused = nullptr; ///< why it is not to be used
};

/// The levels of a loop in one passage through its region.
class Levels {
public:
  Levels(Region& region, Inspection& inspection) : region(region), of(inspection), lock(inspection.mutex) {}

  /// Finds the levels of `count` iterations that use `elements` elements, as `uses(number, visit)` tells,
  /// which reads `indices`; `sizes`: all else that it depends on. False where the loop should not, or cannot,
  /// run so: reason() says why.
  template <typename Uses>
  bool find(long count, long elements, const std::string& sizes, std::initializer_list<IndexMemory> indices,
            const Uses& uses) {
    stream = region.stream();
    const std::string all = sizes + bytesOf(count, elements);
    const bool isKept = isSame(all, indices);
    if (!isKept) {
      forget();
      of.refused = inspect(count, elements, uses);
      of.sizes = all;
      keep(indices);
    }
    if (RegionTimes::wanted())
      std::fprintf(stderr, "warploom: levels of region %s: %zu for %ld iterations, %s\n",
                   currentRegion ? currentRegion : "", of.ends.size(), count,
                   of.refused ? of.refused
                   : isKept   ? "as before"
                              : "found");
    return !of.refused;
  }
  const char* reason() const { return of.refused; }

  class Iterator {
  public:
    Iterator(const Inspection& of, std::size_t level) : of(of), level(level) {}
    Level operator*() const {
      const long first = level == 0 ? 0 : of.ends[level - 1];
      return {of.order ? of.order + first : nullptr, of.ends[level] - first};
    }
    Iterator& operator++() {
      ++level;
      return *this;
    }
    bool operator!=(const Iterator& other) const { return level != other.level; }

  private:
    const Inspection& of;
    std::size_t level;
  };
  Iterator begin() const { return {of, 0}; }
  Iterator end() const { return {of, of.ends.size()}; }

private:
  static constexpr unsigned threads = 256;
  static Launch shapeFor(long count) {
    return Launch(dim3(smaller(blocks(0, count, threads), 4096u)), dim3(threads));
  }

  bool isSame(const std::string& sizes, std::initializer_list<IndexMemory> indices) {
    if (!of.known || of.sizes != sizes || of.kept.size() != indices.size()) return false;
    std::size_t k = 0;
    for (const IndexMemory& one : indices)
      if (of.kept[k++].bytes != one.bytes) return false;
    auto differs = region.scratch<int>("differs", {1});
    if (!differs) return false;
    fill(differs, 0, sizeof(int), stream);
    k = 0;
    for (const IndexMemory& one : indices) {
      const bool isAligned = reinterpret_cast<std::uintptr_t>(one.data) % 4 == 0 && one.bytes % 4 == 0;
      isAligned ? compare<unsigned>(one, of.kept[k++], differs)
                : compare<unsigned char>(one, of.kept[k++], differs);
    }
    return read(differs) == 0;
  }
  template <typename Word> void compare(const IndexMemory& one, const IndexMemory& other, int* differs) {
    const long count = static_cast<long>(one.bytes / sizeof(Word));
    region.launch(shapeFor(count), compareWords<Word>, static_cast<const Word*>(one.data),
                  static_cast<const Word*>(other.data), count, differs);
  }

  int read(const int* from) {
    int value = 0;
    copyToHost(&value, from, sizeof(int), stream);
    synchronize(stream);
    return value;
  }

  void forget() {
    of.known = false;
    if (of.order) release(of.order, stream);
    for (const IndexMemory& one : of.kept)
      release(const_cast<void*>(one.data), stream);
    of.order = nullptr;
    of.kept.clear();
    of.ends.clear();
  }

  /// Remembers what the inspection has read, if there is room for it.
  void keep(std::initializer_list<IndexMemory> indices) {
    for (const IndexMemory& one : indices) {
      void* copy = allocateIfRoom(one.bytes, stream);
      if (!copy) return;
      copyOnDevice(copy, one.data, one.bytes, stream);
      of.kept.push_back({copy, one.bytes});
    }
    of.known = true;
  }

  /// Nothing, or why the loop is not to run by levels.
  template <typename Uses> const char* inspect(long count, long elements, const Uses& uses) {
    if (count <= 0) return nullptr;
    if (count >= 0xffffffffL) return "more iterations than levels are found for";
    const auto iterations = static_cast<std::size_t>(count);
    auto notes = region.scratch<Notes::Word>("notes", {2 * static_cast<std::size_t>(elements)});
    auto open = region.scratch<unsigned>("open", {iterations}),
         next = region.scratch<unsigned>("next", {iterations});
    auto counts = region.scratch<unsigned>("counts", {2});
    auto outside = region.scratch<int>("outside", {1});
    of.order = static_cast<unsigned*>(allocateIfRoom(iterations * sizeof(unsigned), stream));
    if (!notes || !open || !next || !counts || !outside || !of.order) return "no room for levels";
    fill(notes, 0xff, notes.bytes(), stream);
    fill(outside, 0, sizeof(int), stream);
    Level left{nullptr, count};
    unsigned *to = open, *other = next;
    for (unsigned round = 0xfffffffe; left.count > 0; --round) {
      const Notes now{notes, notes + elements, static_cast<Notes::Word>(round) << 32, outside};
      const long done = count - left.count;
      fill(counts, 0, counts.bytes(), stream);
      region.launch(shapeFor(left.count), noteUses<Uses>, uses, now, left);
      if (done == 0 && read(outside)) return "an index is outside its array";
      region.launch(shapeFor(left.count), findFirst<Uses>, uses, now, left, of.order + done, to,
                    static_cast<unsigned*>(counts));
      unsigned found[2] = {0, 0};
      copyToHost(found, counts, sizeof found, stream);
      synchronize(stream);
      of.ends.push_back(done + found[0]);
      left = {to, static_cast<long>(found[1])};
      std::swap(to, other);
      if (left.count > 0 && !isWorthIt(of.ends.size(), of.ends.back()))
        return "too few iterations in a level";
    }
    if (of.ends.size() > 1) return nullptr;
    release(of.order, stream);
    of.order = nullptr;
    return nullptr;
  }

  /// Whether to go on after so many levels with so many iterations: a level takes a few launches, in which
  /// the host runs some hundreds of iterations.
  bool isWorthIt(std::size_t levels, long iterations) const {
    constexpr long each = 2000;
#ifndef __CUDACC__
    if (choiceWish() == ChoiceWish::Any) return true; // the CPU execution is not about speed
#endif
    return region.deviceForced() || levels < 8 || iterations >= each * static_cast<long>(levels);
  }

  Region& region;
  Inspection& of;
  std::lock_guard<std::mutex> lock;
  Stream stream{};
};

} // namespace warploom
