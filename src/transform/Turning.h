// What steps share that change the region: new statements between others, and accesses turned to other
// arrays.
#pragma once

#include "model/Region.h"
#include "transform/Step.h"

#include <functional>
#include <string>
#include <variant>
#include <vector>

namespace warploom {

/// Positions are this far apart once statements have come between them.
inline constexpr int room = 16;

isl::id idOf(const std::string& name);

/// `map` to the array called `array`.
isl::map toArray(const isl::map& map, const std::string& array);

/// `region` with room between its statements for others.
Region withRoom(Region region);

/// `wanted`, or something like it that nothing in `region` is called.
std::string freshName(const Region& region, const std::string& wanted);

/// Changes the copies of those nodes of `statement` that are its access number `access`.
void changeAccess(Statement& statement, int access, const std::function<void(Expr&)>& change);

/// `expr` with its closed forms on the domain of the statement called `name`.
ExprPtr onStatement(const ExprPtr& expr, const std::string& name);

/// The reads of `statement` that reach what access number `access` reaches, it included.
std::vector<int> sameReads(const Statement& statement, int access);

/// What a step names that is about an array in a loop of the source, as indices into the region.
struct ArrayInLoop {
  int array, loop;
};
std::variant<ArrayInLoop, Refusal> arrayInLoop(const Region& region, const std::string& array,
                                               const std::string& loop);

} // namespace warploom
