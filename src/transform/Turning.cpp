#include "transform/Turning.h"

#include "support/IslC.h"
#include "transform/LoopTree.h"

#include <algorithm>
#include <fmt/format.h>
#include <isl/aff.h>
#include <isl/id.h>
#include <isl/map.h>
#include <iterator>
#include <set>

namespace warploom {

isl::id idOf(const std::string& name) {
  return own(isl_id_alloc(islContext().get(), name.c_str(), nullptr));
}

isl::map toArray(const isl::map& map, const std::string& array) {
  return own(isl_map_set_tuple_id(map.copy(), isl_dim_out, idOf(array).release()));
}

Region withRoom(Region region) {
  std::vector<std::set<int>> taken; // positions at each level
  for (const Statement& statement : region.statements)
    for (std::size_t d = 0; d < statement.position.size(); ++d) {
      taken.resize(std::max(taken.size(), d + 1));
      taken[d].insert(statement.position[d]);
    }
  for (Statement& statement : region.statements)
    for (std::size_t d = 0; d < statement.position.size(); ++d) {
      int& position = statement.position[d];
      const auto number = std::distance(taken[d].begin(), taken[d].find(position));
      position = static_cast<int>(number) * room + room / 2;
    }
  return region;
}

std::string freshName(const Region& region, const std::string& wanted) {
  return uniqueName(wanted, [&](const std::string& name) {
    auto isCalled = [&](const auto& thing) { return thing.name == name; };
    auto isIndex = [&](const Loop& one) { return one.index == name; };
    return std::any_of(region.arrays.begin(), region.arrays.end(), isCalled) ||
           std::any_of(region.statements.begin(), region.statements.end(), isCalled) ||
           std::any_of(region.parameters.begin(), region.parameters.end(), isCalled) ||
           std::any_of(region.loops.begin(), region.loops.end(), isIndex);
  });
}

void changeAccess(Statement& statement, int access, const std::function<void(Expr&)>& change) {
  auto changed = [&](const ExprPtr& expr, const auto& self) -> ExprPtr {
    auto copy = std::make_shared<Expr>(*expr);
    for (ExprPtr& operand : copy->operands)
      operand = self(operand, self);
    if (copy->kind == Expr::Kind::Access && copy->access == access) change(*copy);
    return copy;
  };
  if (statement.body) statement.body = changed(statement.body, changed);
  for (ExprPtr& guard : statement.guards)
    guard = changed(guard, changed);
}

ExprPtr onStatement(const ExprPtr& expr, const std::string& name) {
  auto copy = std::make_shared<Expr>(*expr);
  for (ExprPtr& operand : copy->operands)
    operand = onStatement(operand, name);
  if (copy->value)
    copy->value = own(isl_pw_aff_set_tuple_id(copy->value->copy(), isl_dim_in, idOf(name).release()));
  return copy;
}

std::variant<ArrayInLoop, Refusal> arrayInLoop(const Region& region, const std::string& array,
                                               const std::string& loop) {
  auto found = std::find_if(region.arrays.begin(), region.arrays.end(),
                            [&](const Array& one) { return one.name == array; });
  if (found == region.arrays.end()) return Refusal{fmt::format("there is no array `{}`", array)};
  const std::vector<std::string> loops = originalNames(region);
  auto around = std::find(loops.begin(), loops.end(), loop);
  if (loop.empty() || around == loops.end())
    return Refusal{fmt::format("there is no loop `{}` in the source", loop)};
  return ArrayInLoop{static_cast<int>(found - region.arrays.begin()),
                     static_cast<int>(around - loops.begin())};
}

std::vector<int> sameReads(const Statement& statement, int access) {
  std::vector<int> result;
  for (int k = 0; k < static_cast<int>(statement.accesses.size()); ++k) {
    const Access &one = statement.accesses[k], &other = statement.accesses[access];
    if (one.reads() && one.array == other.array && one.exact &&
        (k == access || own(isl_map_plain_is_equal(one.map.get(), other.map.get()))))
      result.push_back(k);
  }
  return result;
}

} // namespace warploom
