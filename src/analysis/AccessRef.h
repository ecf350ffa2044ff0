// References to the accesses of a region, as every result of the analysis uses them.
#pragma once

#include "model/Region.h"

#include <compare>
#include <vector>

namespace warploom {

/// One access of one statement.
struct AccessRef {
  int statement = -1; ///< index into Region::statements
  int access = -1;    ///< index into Statement::accesses

  bool operator==(const AccessRef&) const = default;
  auto operator<=>(const AccessRef&) const = default;
  const Statement& statementIn(const Region& region) const { return region.statements[statement]; }
  const Access& in(const Region& region) const { return region.statements[statement].accesses[access]; }
};

/// Instances of the statement of `access`.
struct Instances {
  AccessRef access;
  isl::set set;
};

} // namespace warploom
