// What the parts of one launcher's text share: the region, its plan, and which names mean what.
#pragma once

#include "emit/AstText.h"
#include "emit/KernelText.h"
#include "emit/Names.h"
#include "emit/Refused.h"
#include "mapping/Plan.h"

#include <map>
#include <string>
#include <vector>

namespace warploom {

/// A kernel that runs a whole loop of the host.
struct OneLaunch {
  std::string name;
  std::vector<std::string> arguments, block;
  std::vector<std::vector<std::string>> grids; ///< with which the kernels of the loop would be launched
  std::vector<std::string> lines;              ///< such launches, where every kernel takes any block
};

struct LauncherScope {
  const Region& region;
  const Facts& facts;
  const RegionPlan& plan;
  Names names;
  std::vector<KernelCall> calls;                    ///< one per RegionPlan::kernels
  std::map<std::string, std::string> hostVariables; ///< by the names of the host's loops
  std::map<std::string, OneLaunch> oneLaunches;     ///< by the names of the loops that they run

  /// The text of a parameter or of the value of a loop of the host's.
  Rename renaming() {
    return [this](const std::string& name) {
      const std::string loop = fixedName("");
      if (name.rfind(loop, 0) == 0) return hostVariables.at(name.substr(loop.size()));
      return names.ofParameter(name);
    };
  }
  std::string text(const isl::pw_aff& value) { return valueText(value, renaming()); }
  std::string text(const isl::set& condition) { return conditionText(condition, renaming()); }
};

/// The launcher's parameter for the address of Condition::place; that of its size ends with `_bytes`.
inline std::string placeName(LauncherScope& scope, const Condition& condition) {
  return scope.names.of("address of " + condition.place);
}

/// The same for the address of `scalar`, which itself is passed as a value.
inline std::string valuePlaceName(LauncherScope& scope, const Array& scalar) {
  return scope.names.of("place of " + scalar.name);
}

} // namespace warploom
