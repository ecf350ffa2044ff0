// Gives every parallel nest of a schedule its shape: the steps that bring its loops into the right order and
// tile them, and what becomes of each loop.
#pragma once

#include "mapping/Plan.h"
#include "transform/Schedule.h"

#include <map>
#include <string>

namespace warploom {

/// What becomes of one nest.
struct NestShape {
  KernelPlan::Shape shape = KernelPlan::Shape::Flat;
  std::vector<std::string> mapped; ///< names of loops, as KernelPlan has them
  bool collapsed = false;
  std::set<std::string> lanes;
  std::set<int> sharedCode;
  std::vector<Reduction> reductions;
};

/// A statement that combines a value into an element: `x op= e`, `x = x op e`, `x = e op x`.
struct Update {
  std::string op;    ///< `+ * & | ^`; a subtraction is the addition of the negated value
  const Expr* value; ///< e
  bool negated = false;
};

/// The update that the assignment `assign` or `statement` is; nothing when it has another form.
std::optional<Update> updateOf(const Expr& assign);
std::optional<Update> updateOf(const Statement& statement);

/// True when threads can combine values of `type` into one: there are atomic updates of it.
bool isCombined(const Type& type);

/// Takes steps on `state` and says what becomes of each nest, by the name of its outermost loop. Loops
/// outside these nests stay on the host, or in one thread where nothing in them is parallel.
std::map<std::string, NestShape> shapeNests(ScheduleState& state, const MappingOptions& options);

} // namespace warploom
