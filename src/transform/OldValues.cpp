#include "transform/OldValues.h"

#include "analysis/Order.h"
#include "support/IslC.h"

#include <algorithm>
#include <isl/map.h>
#include <isl/set.h>

namespace warploom {

namespace {

/// True when `expr` has a node for the access number `access`.
bool names(const Expr& expr, int access) {
  return (expr.kind == Expr::Kind::Access && expr.access == access) ||
         std::any_of(expr.operands.begin(), expr.operands.end(),
                     [&](const ExprPtr& operand) { return names(*operand, access); });
}

/// The instances of `read`, in `loop`, that certainly see a value from before the loop.
isl::set seesOld(const Region& region, const Facts& facts, int loop, AccessRef read) {
  isl::set rest = read.in(region).map.domain();
  for (const Dependence& flow : facts.dependences.all)
    if (flow.kind == Dependence::Kind::Flow && flow.sink == read && staysInside(region, flow, loop))
      rest = rest.subtract(flow.relation.range());
  return rest.coalesce();
}

/// The instances of `read`, in `loop`, whose element is overwritten later in the same run of the loop.
isl::set isOverwritten(const Region& region, const Facts& facts, int loop, AccessRef read) {
  isl::set some = isl::set::empty(read.statementIn(region).domain.get_space());
  for (const Dependence& anti : facts.dependences.all)
    if (anti.kind == Dependence::Kind::Anti && anti.source == read && staysInside(region, anti, loop))
      some = some.unite(anti.relation.domain());
  return some;
}

/// True when `instances` of `statement` are in two iterations of one run of `loop` for some sizes.
bool runsTwice(const Region& region, const Statement& statement, int loop, const isl::set& instances) {
  const auto depth = static_cast<unsigned>(region.loops[loop].depth);
  isl_set* iterations = isl_set_project_out(instances.copy(), isl_dim_set, depth,
                                            static_cast<unsigned>(statement.loops.size()) - depth);
  isl_map* last = isl_map_from_range(isl_set_reset_tuple_id(iterations));
  return !own(isl_map_move_dims(last, isl_dim_in, 0, isl_dim_out, 0, depth - 1)).is_single_valued();
}

} // namespace

bool isTurnable(const Statement& statement, int access) {
  if (statement.kind != Statement::Kind::Assign && statement.kind != Statement::Kind::Predicate) return false;
  const bool inBody = statement.body && names(*statement.body, access);
  return inBody || std::any_of(statement.guards.begin(), statement.guards.end(),
                               [&](const ExprPtr& guard) { return names(*guard, access); });
}

bool staysInside(const Region& region, const Dependence& flow, int loop) {
  if (!inside(flow.source.statementIn(region), loop) || !inside(flow.sink.statementIn(region), loop))
    return false;
  return flow.carrier < 0 || encloses(region, loop, flow.carrier);
}

isl::set worthCopying(const Region& region, const Facts& facts, int loop, AccessRef read) {
  const isl::set old = seesOld(region, facts, loop, read);
  const isl::set overwritten = isOverwritten(region, facts, loop, read);
  const isl::set apart = region.context.subtract(overwritten.params());
  const isl::set free = old.intersect_params(apart);
  return runsTwice(region, read.statementIn(region), loop, free) ? old.intersect(overwritten).coalesce()
                                                                 : old;
}

bool isCertain(const Region& region, AccessRef read) {
  const Statement& statement = read.statementIn(region);
  return read.in(region).kind == Access::Kind::Read && statement.guards.empty() &&
         std::all_of(statement.loops.begin(), statement.loops.end(), [&](int loop) {
           const Loop& one = region.loops[loop];
           return one.inexactBounds.empty() && one.mustStaySequential.empty();
         });
}

bool isRenamable(const Region& region, const Facts& facts, const Dependence& anti, int loop) {
  if (anti.kind != Dependence::Kind::Anti || !staysInside(region, anti, loop)) return false;
  const Array& array = region.arrays[anti.array];
  if (array.isScalar() || array.within >= 0 || array.element.kind == Type::Kind::Struct) return false;
  // What only data keep from being read may not be there.
  if (!isCertain(region, anti.source) && !std::all_of(array.extents.begin(), array.extents.end(),
                                                      [](const auto& extent) { return extent.has_value(); }))
    return false;
  return anti.source.in(region).exact && isTurnable(anti.source.statementIn(region), anti.source.access) &&
         !seesOld(region, facts, loop, anti.source).is_empty();
}

} // namespace warploom
