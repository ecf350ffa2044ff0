// Accumulators that threads combine: their parts, and how these come together, as text.
#pragma once

#include "emit/KernelScope.h"

#include <map>
#include <set>
#include <string>

namespace warploom {

class CombineText {
public:
  explicit CombineText(KernelScope& scope) : scope(scope) {}

  /// Writes the declarations of a thread's parts, into which statements combine from now on.
  void declare(const PartsNode& parts, TextWriter& to);
  /// Writes how the parts go into the accumulator, with which statements work again.
  void combine(const CombineNode& node, TextWriter& to);

private:
  void acrossLanes(const CombineNode& node, TextWriter& to);
  void saveCombined(const CombineNode& node, const std::string& value, TextWriter& to);
  void acrossGrid(const CombineNode& node, TextWriter& to);
  void eachByItself(const CombineNode& node, TextWriter& to);
  void update(const Reduction& reduction, const std::string& target, const std::string& guard,
              TextWriter& to);
  bool isPartial(const Reduction& reduction) const {
    return scope.kernel.placement[reduction.array] == Placement::Partial;
  }
  isl::set runs(const CombineNode& node, const std::vector<int>& statements) const;
  std::string existence(const CombineNode& node, const std::string& target);
  AccessRef writeOf(const Reduction& reduction) const;

  KernelScope& scope;
  std::map<int, std::string> partOf; ///< by array: what its latest part is called
  std::set<std::string> partNames;
};

} // namespace warploom
