#include "model/Definitions.h"

#include "support/IslC.h"

#include <algorithm>
#include <isl/map.h>
#include <isl/set.h>

namespace warploom {

const Statement* definitionOf(const Region& region, int scalar) {
  const Array& array = region.arrays[scalar];
  if (!array.isScalar() || array.within >= 0 || array.storage != Array::Storage::Local ||
      array.declaredIn < 0)
    return nullptr;
  const Statement* definition = nullptr;
  for (const Statement& statement : region.statements)
    for (const Access& access : statement.accesses) {
      if (access.array != scalar || !access.writes()) continue;
      if (definition) return nullptr;
      definition = &statement;
    }
  if (!definition || definition->kind != Statement::Kind::Assign || !definition->guards.empty() ||
      !definition->hostOnly.empty() || definition->body->text != "=" ||
      definition->body->operands[0]->kind != Expr::Kind::Access || definition->loops.empty() ||
      definition->loops.back() != array.declaredIn)
    return nullptr;
  const bool readsItself =
      std::any_of(definition->accesses.begin(), definition->accesses.end(),
                  [&](const Access& access) { return access.array == scalar && access.reads(); });
  return readsItself ? nullptr : definition;
}

isl::map definingInstance(const Statement& use, const Statement& definition) {
  isl_map* map = isl_map_from_domain_and_range(isl_set_universe(isl_set_get_space(use.domain.get())),
                                               isl_set_universe(isl_set_get_space(definition.domain.get())));
  for (int k = 0; k < static_cast<int>(definition.loops.size()); ++k)
    map = isl_map_equate(map, isl_dim_in, k, isl_dim_out, k);
  return own(map);
}

bool isDefinedBy(const Statement& use, const Statement& definition) {
  return definition.loops.size() <= use.loops.size() &&
         std::equal(definition.loops.begin(), definition.loops.end(), use.loops.begin()) &&
         std::lexicographical_compare(definition.position.begin(), definition.position.end(),
                                      use.position.begin(), use.position.end()) &&
         use.domain.apply(definingInstance(use, definition)).is_subset(definition.domain);
}

bool isNeverWritten(const Region& region, int array) {
  const int memory = memoryOf(region, array);
  return std::none_of(region.statements.begin(), region.statements.end(), [&](const Statement& statement) {
    return std::any_of(statement.accesses.begin(), statement.accesses.end(), [&](const Access& access) {
      return access.writes() && memoryOf(region, access.array) == memory;
    });
  });
}

} // namespace warploom
