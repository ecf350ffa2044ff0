// How passes add variables to a system.
#pragma once

#include "sync/model/System.h"

#include <fmt/format.h>
#include <unordered_set>

namespace warploom::sync {

/// Local variables with names nothing else has.
class NewLocals {
public:
  explicit NewLocals(System& of) : system(of) {
    for (const Variable& variable : system.variables)
      taken.insert(variable.name);
    for (const Abbreviation& entry : system.abbreviations)
      taken.insert(entry.name);
  }

  /// `wanted`, or nearly so; from now on taken.
  std::string unused(const std::string& wanted) {
    std::string name = wanted;
    for (int number = 1; !taken.insert(name).second; ++number)
      name = fmt::format("{}_{}", wanted, number);
    return name;
  }

  /// The index of a new variable of a name like that.
  int add(const std::string& wanted, Variable::Storage storage, Type type) {
    Variable variable;
    variable.name = unused(wanted);
    variable.storage = storage;
    variable.type = std::move(type);
    system.variables.push_back(std::move(variable));
    return int(system.variables.size()) - 1;
  }
  void release(const std::string& name) { taken.erase(name); }

private:
  System& system;
  std::unordered_set<std::string> taken;
};

} // namespace warploom::sync
