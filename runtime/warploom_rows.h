// Arrays whose rows lie behind pointers, as `double **`: kernels see a matrix. Where the rows lie at equal
// distances in memory that may be copied as a whole, or that the device sees, it is they themselves; else
// they are gathered into one, and what kernels wrote goes back to them.
#pragma once

#include "warploom_region.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <new>
#include <vector>

namespace warploom {

/// An end that loops do not tell: the heap may know how long the block is.
constexpr long allThere = -1;

/// The elements of a row that a region may use: [first, end), none where they are equal.
struct RowPart {
  long first = 0, end = 0;
};

/// What one subscript below `end` does on the way to rows: it leads from an address to another one, `at +
/// subscript * apart` bytes further, and on to where the pointer there points, if it `follows` it. Without
/// more words, a table of pointers.
struct Table {
  Table(long end, long apart = sizeof(void*), long at = 0, bool follows = true)
      : end(end), apart(apart), at(at), follows(follows) {}

  const char* place(const void* first, long subscript) const {
    return static_cast<const char*>(first) + at + subscript * apart;
  }
  const void* next(const void* first, long subscript) const {
    const char* there = place(first, subscript);
    return follows ? *reinterpret_cast<void* const*>(there) : there;
  }
  /// How many bytes from `first` on have all that subscripts below `count` lead to.
  long bytes(long count) const {
    return count <= 0 ? 0 : at + (count - 1) * apart + (follows ? static_cast<long>(sizeof(void*)) : 1);
  }

  long end, apart, at;
  bool follows;
};
/// One that chooses among tables, or structs with one inside.
inline Table apart(long end, long bytes, long at) {
  return Table(end, bytes, at, false);
}

/// Pieces of memory, in order of where they begin.
struct Piece {
  std::uintptr_t begin, end;
};
using Pieces = std::vector<Piece>;

template <typename T> class Rows {
public:
  /// A row, or the part of it that the region may use.
  struct Row {
    T* data;
    long count;
  };

  /// From `table` on `steps` lead to rows, with subscripts below their ends, or all that memory has. `part`
  /// takes these subscripts, and tells what is used of their row. `mayBeShorter`: only data tell whether it
  /// is. Rows are matrices themselves, whose rows have `unit` elements.
  template <typename Part>
  Rows(const void* table, std::initializer_list<Table> steps, Part part, bool mayBeShorter = false,
       long unit = 1)
      : steps(steps), found(steps.size()), mayBeShorter(mayBeShorter), unit(unit) {
    for (const Table& step : steps)
      ends.push_back(step.end);
    areGuessed = std::find(ends.begin(), ends.end(), allThere) != ends.end();
    this->mayBeShorter |= areGuessed;
    std::vector<long> at(ends.size());
    collect(table, 0, at, part);
    if (!why) layOut();
    if (why) rows.clear();
  }

  /// Why no matrix can stand for these rows; else null.
  const char* problem() const { return why; }
  /// The first element of the matrix. Its memory has no values before `gather`.
  T* first() const { return base; }
  /// The extent of dimension `d`: not of the first one, nor of those that make a unit.
  long extent(std::size_t d) const { return d < ends.size() ? ends[d] : pitch / unit; }

  /// How many elements the matrix has.
  long elements() const {
    long all = pitch;
    for (long end : ends)
      all *= end;
    return all;
  }

  auto begin() const { return rows.begin(); }
  auto end() const { return rows.end(); }

  /// Brings the values of the rows into the matrix.
  void gather() {
    if (!buffer) return;
    for (std::size_t k = 0; k < rows.size(); ++k)
      std::memcpy(static_cast<void*>(base + places[k]), rows[k].data, bytesOf(rows[k]));
    if (runsAloneStill()) return;
    for (std::size_t k = 0; k < rows.size(); ++k) {
      const char* first = reinterpret_cast<const char*>(base + places[k]);
      gathered.insert(gathered.end(), first, first + bytesOf(rows[k]));
    }
  }
  /// Brings the values of the matrix, which `region` has left there, into the rows. Of memory that may be
  /// another's only what has changed, and beside other threads only what is not what they were.
  void scatter(Region& region, Place place = Place::here()) {
    if (!buffer) return;
    region.wait(place);
    const char* then = gathered.data();
    for (std::size_t k = 0; k < rows.size(); ++k) {
      if (!gathered.empty()) {
        for (long e = 0; e < rows[k].count; ++e, then += sizeof(T))
          if (const T* now = base + places[k] + e; std::memcmp(then, now, sizeof(T)) != 0)
            std::memcpy(static_cast<void*>(rows[k].data + e), now, sizeof(T));
        continue;
      }
      if (!mayBeShorter) {
        std::memcpy(static_cast<void*>(rows[k].data), base + places[k], bytesOf(rows[k]));
        continue;
      }
      for (long e = 0; e < rows[k].count; ++e)
        if (const T* now = base + places[k] + e; std::memcmp(rows[k].data + e, now, sizeof(T)) != 0)
          std::memcpy(static_cast<void*>(rows[k].data + e), now, sizeof(T));
    }
  }

  bool overlap() const { return overlap(pieces()); }
  bool overlap(const void* other, std::size_t bytes) const {
    const auto at = reinterpret_cast<std::uintptr_t>(other);
    return overlap(merged(pieces()), {{at, at + bytes}});
  }
  template <typename U> bool overlap(const Rows<U>& other) const {
    return overlap(merged(pieces()), merged(other.pieces()));
  }

  /// The same for the pointers to the rows.
  bool tablesOverlap(const void* other, std::size_t bytes) const {
    const auto at = reinterpret_cast<std::uintptr_t>(other);
    return overlap(merged(sorted(tables)), {{at, at + bytes}});
  }
  template <typename U> bool tablesOverlap(const Rows<U>& other) const {
    return overlap(merged(sorted(tables)), merged(other.pieces()));
  }

private:
  template <typename U> friend class Rows;

  static std::size_t bytesOf(const Row& row) { return static_cast<std::size_t>(row.count) * sizeof(T); }

  /// Finds the rows behind `table`, which subscripts before `level` lead to.
  template <typename Part>
  void collect(const void* table, std::size_t level, std::vector<long>& at, Part& part) {
    const Table& step = steps[level];
    long end = ends[level];
    if (end == allThere)
      end = lengthAt(table, step.apart);
    else if (mayBeShorter && !reaches(static_cast<const char*>(table), step.bytes(end)))
      why = "a table of rows may be shorter than its loop";
    if (why) return;
    found[level] = larger(found[level], end);
    if (step.follows && end > 0) {
      const auto begin = reinterpret_cast<std::uintptr_t>(step.place(table, 0));
      tables.push_back({begin, begin + static_cast<std::size_t>(step.bytes(end) - step.at)});
    }
    for (at[level] = 0; at[level] < end && !why; ++at[level]) {
      if (level + 1 == ends.size()) {
        if (const RowPart used = partAt(part, at.data()); !isEmpty(used))
          add(const_cast<void*>(step.next(table, at[level])), used, at);
      } else if (leadsToRows(level + 1, at, part)) {
        const void* next = step.next(table, at[level]);
        if (isThere(static_cast<const char*>(next), steps[level + 1].bytes(ends[level + 1])))
          collect(next, level + 1, at, part);
        else if (!areGuessed)
          why = "a pointer to rows is null";
      }
    }
  }

  /// False where there is no memory for `end` elements: if it is not known which rows are used, these are
  /// not, since the program would have failed.
  template <typename U> bool isThere(const U* first, long end) const {
    return first && (!areGuessed || reaches(first, end <= 0 ? 1 : end));
  }

  /// How many times `bytes` the heap block has that begins there.
  long lengthAt(const void* first, long bytes) {
    const long known = knownBytes(first);
    if (known < 0) why = "how much is used of rows is not known";
    return known < 0 ? 0 : known / bytes;
  }

  static bool isEmpty(RowPart part) { return part.end != allThere && part.first >= part.end; }

  /// True when there is a row with the subscripts before `level`.
  template <typename Part> bool leadsToRows(std::size_t level, std::vector<long> at, Part& part) const {
    if (ends[level] == allThere) return true;
    for (at[level] = 0; at[level] < ends[level]; ++at[level])
      if (level + 1 < ends.size() ? leadsToRows(level + 1, at, part) : !isEmpty(partAt(part, at.data())))
        return true;
    return false;
  }

  /// What `part`, which takes as many subscripts as there are tables, says of those from `at` on.
  template <typename Part, typename... At> static RowPart partAt(Part& part, const long* at, At... before) {
    if constexpr (std::is_invocable_v<Part&, At...>)
      return part(before...);
    else
      return partAt(part, at + 1, before..., *at);
  }

  void add(void* row, RowPart used, const std::vector<long>& at) {
    T* const data = static_cast<T*>(row);
    const bool isWhole = used.end == allThere;
    if (!isThere(data, used.end) && (areGuessed || isWhole)) return;
    if (isWhole) used.end = lengthAt(data, sizeof(T));
    if (used.first < 0)
      why = "a row is used below its start";
    else if (!data)
      why = "a row is a null pointer";
    else if (mayBeShorter && !isWhole && !reaches(data, used.end))
      why = "a row may be shorter than its loop";
    if (why || isEmpty(used)) return;
    rows.push_back({data + used.first, used.end - used.first});
    places.push_back(used.first);
    subscripts.insert(subscripts.end(), at.begin(), at.end());
    width = larger(width, used.end);
    usedElements += rows.back().count;
  }

  void layOut() {
    for (std::size_t d = 0; d < ends.size(); ++d)
      if (ends[d] == allThere) ends[d] = found[d];
    if (rows.empty() || unit <= 0) {
      why = "there are no rows";
      return;
    }
    const long least = width;
    width = (width + unit - 1) / unit * unit;
    for (std::size_t k = 0; k < rows.size(); ++k) {
      long number = 0;
      for (std::size_t d = 0; d < ends.size(); ++d)
        number = number * ends[d] + subscripts[k * ends.size() + d];
      numbers.push_back(number);
    }
    std::size_t all = 1;
    for (long end : ends)
      all *= static_cast<std::size_t>(end);
    pitch = width;
    if (!isMatrix(all, least)) {
      // Rows of one length, and not so many that are not used.
      constexpr double spare = 4, little = 1 << 20;
      const double elements = static_cast<double>(all) * static_cast<double>(width);
      if (elements > spare * static_cast<double>(usedElements) + little) {
        why = "rows differ too much in length";
        return;
      }
      buffer.reset(static_cast<T*>(
          ::operator new(all* static_cast<std::size_t>(width) * sizeof(T), alignment, std::nothrow)));
      base = buffer.get();
      if (!base) {
        why = "no room for a matrix";
        return;
      }
    }
    for (std::size_t k = 0; k < rows.size(); ++k)
      places[k] += numbers[k] * pitch;
  }

  /// True when the rows, of which `least` elements are used, lie at equal distances, all of which may be
  /// copied; `base` and `pitch` then say how.
  bool isMatrix(std::size_t all, long least) {
    auto startOf = [&](std::size_t k) {
      return reinterpret_cast<std::intptr_t>(rows[k].data) -
             static_cast<std::intptr_t>(places[k] * sizeof(T));
    };
    constexpr auto size = static_cast<std::intptr_t>(sizeof(T));
    std::intptr_t apart = static_cast<std::intptr_t>(pitch) * size;
    if (rows.size() > 1) apart = (startOf(1) - startOf(0)) / (numbers[1] - numbers[0]);
    if (apart % (size * unit) != 0 || apart < width * size) return false;
    for (std::size_t k = 1; k < rows.size(); ++k)
      if (startOf(k) - startOf(0) != apart * (numbers[k] - numbers[0])) return false;
    const std::intptr_t start = startOf(0) - apart * numbers[0];
    T* const matrix = reinterpret_cast<T*>(start);
    const std::size_t bytes = all * static_cast<std::size_t>(apart);
    const long known = knownBytes(matrix);
    const bool isOne = (all == 1 && places[0] == 0 && width == least) ||
                       (known >= 0 && static_cast<std::size_t>(known) >= bytes);
    if (!isOne && residence(matrix, static_cast<double>(bytes)) < 0) return false;
    base = matrix;
    pitch = apart / size;
    return true;
  }

  /// The memory that is used, or would be copied, in order.
  Pieces pieces() const {
    Pieces all;
    if (!buffer && !rows.empty()) {
      const auto at = reinterpret_cast<std::uintptr_t>(base);
      std::size_t count = static_cast<std::size_t>(pitch);
      for (long end : ends)
        count *= static_cast<std::size_t>(end);
      return {{at, at + count * sizeof(T)}};
    }
    for (const Row& row : rows) {
      const auto at = reinterpret_cast<std::uintptr_t>(row.data);
      all.push_back({at, at + bytesOf(row)});
    }
    return sorted(std::move(all));
  }
  static Pieces sorted(Pieces all) {
    std::sort(all.begin(), all.end(), [](const Piece& a, const Piece& b) { return a.begin < b.begin; });
    return all;
  }
  static bool overlap(const Pieces& own) {
    for (std::size_t k = 1; k < own.size(); ++k)
      if (own[k].begin < own[k - 1].end) return true;
    return false;
  }
  static Pieces merged(const Pieces& all) {
    Pieces result;
    for (const Piece& one : all)
      if (result.empty() || one.begin > result.back().end)
        result.push_back(one);
      else if (one.end > result.back().end)
        result.back().end = one.end;
    return result;
  }
  /// Whether one of `own` overlaps one of `others`; neither overlap among themselves.
  static bool overlap(const Pieces& own, const Pieces& others) {
    for (std::size_t a = 0, b = 0; a < own.size() && b < others.size();) {
      if (own[a].begin < others[b].end && others[b].begin < own[a].end) return true;
      ++(own[a].end <= others[b].begin ? a : b);
    }
    return false;
  }

  static constexpr std::align_val_t alignment{256};
  struct Free {
    void operator()(T* memory) const { ::operator delete(static_cast<void*>(memory), alignment); }
  };

  std::vector<Table> steps;
  std::vector<long> ends;  ///< of the subscripts of `steps`
  std::vector<long> found; ///< the most that a step leads to
  bool areGuessed = false; ///< which rows are used is not known
  bool mayBeShorter;
  long unit; ///< elements of the rows of a row
  const char* why = nullptr;
  std::vector<Row> rows;
  Pieces tables;
  std::vector<long> places;     ///< of the rows: where they begin in the matrix
  std::vector<long> subscripts; ///< of the rows, in their tables
  std::vector<long> numbers;    ///< of the rows, counted over all tables
  T* base = nullptr;
  long pitch = 0, width = 0;
  long usedElements = 0;           ///< of all rows
  std::unique_ptr<T, Free> buffer; ///< of rows that were gathered
  std::vector<char> gathered;      ///< what was in them, where other threads run
};

} // namespace warploom
