// What may be chosen for one kernel: a point has a value for each of its open sizes, and some points cannot
// be.
#pragma once

#include "transform/Tunables.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace warploom {

/// A value for each size of a Space, in its order.
using Point = std::vector<int>;

/// What a block of a kernel needs, as expressions of the kernel's sizes. Empty: none, or not known.
struct KernelNeeds {
  std::string threads, sharedBytes;
};

/// The points of one kernel. There may be more than one can list.
class Space {
public:
  /// `prefix` is what stands before the names of `sizes` in the text.
  Space(OpenSizes sizes, std::string prefix, KernelNeeds needs = {});

  const std::vector<Tunable>& sizes() const { return open.tunables; }
  const KernelNeeds& needs() const { return needed; }
  /// What is compiled where nothing is said.
  Point usual() const;
  /// How many points there are, those that cannot be included; the largest number where they are more.
  std::uint64_t count() const;
  /// The point with this number, from 0 to count(); the last size varies fastest.
  Point at(std::uint64_t number) const;
  /// Refuses what does not keep to these rules, too.
  void add(const std::vector<SizeRule>& rules) {
    open.rules.insert(open.rules.end(), rules.begin(), rules.end());
  }
  /// Leaves to worker `number`, from 0, of so many its part: every point has exactly one that has it.
  void share(unsigned number, unsigned of) { worker = number, workers = of; }
  /// Why `point` cannot be; nothing when it may be compiled.
  std::optional<std::string> refused(const Point& point) const;

  /// What `expression`, of sizes and of what follows from them, is at `point`; nothing when that is not
  /// known.
  std::optional<long> value(const std::string& expression, const Point& point) const;

  /// `BLOCK=128 VECTOR=4`: without the prefix, so that it says the same of the same kernel elsewhere.
  std::string text(const Point& point) const;
  /// What text() says, when it is one of these sizes' and may be.
  std::optional<Point> parse(const std::string& text) const;
  /// What a compiler is told: `-DWARPLOOM_saxpy_8_BLOCK=128` and so on.
  std::vector<std::string> flags(const Point& point) const;

private:
  std::map<std::string, long> valuesAt(const Point& point) const;

  OpenSizes open;
  std::string prefix;
  KernelNeeds needed;
  unsigned worker = 0, workers = 1;
};

} // namespace warploom
