// The step that asks isl for an order of all loops.
#include "analysis/Order.h"
#include "support/Deadline.h"
#include "support/IslC.h"
#include "transform/Levels.h"
#include "transform/StepChecks.h"

#include <algorithm>
#include <fmt/format.h>
#include <isl/aff.h>
#include <isl/map.h>
#include <isl/options.h>
#include <isl/schedule.h>
#include <isl/union_map.h>

namespace warploom {

namespace {

/// Sets an option of isl's scheduler while alive.
class SchedulerOption {
public:
  using Get = int (*)(isl_ctx*);
  using Set = isl_stat (*)(isl_ctx*, int);
  SchedulerOption(Get get, Set setter, int value) : set(setter), before(get(islContext().get())) {
    set(islContext().get(), value);
  }
  ~SchedulerOption() { set(islContext().get(), before); }
  SchedulerOption(const SchedulerOption&) = delete;
  SchedulerOption& operator=(const SchedulerOption&) = delete;

private:
  Set set;
  int before;
};

/// What isl's scheduler may cost per attempt, in seconds of processor time.
constexpr double schedulerSeconds = 0.5;

/// What isl's scheduler finds for `order` and `flow`; nothing, and why in `reason`, when it finds none.
std::optional<isl::schedule> scheduled(const ScheduleState& state, const isl::union_map& order,
                                       const isl::union_map& flow, std::string& reason) {
  Deadline deadline(schedulerSeconds);
  try {
    isl_schedule_constraints* wanted = isl_schedule_constraints_on_domain(instances(state.tree()).release());
    wanted = isl_schedule_constraints_set_context(wanted, state.region().context.copy());
    wanted = isl_schedule_constraints_set_validity(wanted, order.copy());
    wanted = isl_schedule_constraints_set_coincidence(wanted, order.copy());
    wanted = isl_schedule_constraints_set_proximity(wanted, flow.copy());
    return own(isl_schedule_constraints_compute_schedule(wanted));
  } catch (const isl::exception& error) {
    // There are dependences that isl's scheduler says it cannot carry: that is an answer, not ours to repair.
    reason = deadline.passed() ? "isl's scheduler took too long"
                               : fmt::format("isl's scheduler failed: {}", error.what());
    if (!deadline.passed()) isl_ctx_reset_error(islContext().get());
    return std::nullopt;
  }
}

/// True when the last loop of `path` has one value for all of `instances` in one iteration of the loops
/// around it.
bool isConstantOn(std::vector<const LoopTree*> path, const isl::union_set& instances) {
  isl::union_map value = valuesOf({path.back()}).intersect_domain(instances);
  if (value.is_empty()) return false;
  path.pop_back();
  if (path.empty())
    return own(isl_map_from_range(isl_set_from_union_set(value.range().release()))).is_single_valued();
  return valuesOf(path).intersect_domain(instances).reverse().apply_range(value).is_single_valued();
}

/// Where parts go that are taken out of a loop.
enum class Where { AsInBody, Before, After };

/// `tree` with the parts of the body of the loop called `name` for which its value is constant before or
/// after it; nothing when there are none, or when they stand among others.
std::optional<LoopTree> withoutConstantParts(LoopTree tree, const std::string& name, Where where) {
  const std::vector<const LoopTree*> path = pathTo(tree, name);
  LoopTree& loop = *findLoop(tree, name);
  const LoopTree body = loop.children.front();
  if (body.kind != LoopTree::Kind::Sequence) {
    if (!isConstantOn(path, instances(loop))) return std::nullopt;
    LoopTree inside = std::move(loop.children.front());
    loop = std::move(inside);
    return flattened(std::move(tree));
  }
  std::vector<LoopTree> before, rest, after;
  for (const LoopTree& part : body.children) {
    bool constant = isConstantOn(path, instances(part));
    if (constant && (where == Where::AsInBody ? rest.empty() : where == Where::Before))
      before.push_back(part);
    else if (constant)
      after.push_back(part);
    else if (where != Where::AsInBody || after.empty())
      rest.push_back(part);
    else
      return std::nullopt;
  }
  if ((before.empty() && after.empty()) || rest.empty()) return std::nullopt;
  LoopTree inside = sequence(std::move(rest));
  isl::union_pw_aff value =
      own(isl_union_pw_aff_intersect_domain(loop.value.copy(), instances(inside).release()));
  before.push_back(loopAround(name, value, std::move(inside)));
  for (LoopTree& part : after)
    before.push_back(std::move(part));
  LoopTree pieces = sequence(std::move(before));
  loop = std::move(pieces);
  return flattened(std::move(tree));
}

/// isl puts statements of fewer loops into one iteration of the loops of others. Takes them out where that is
/// legal: loops should run what they are for.
void takeOutOfLoops(ScheduleState& state) {
  for (const std::string& name : loopNames(state.tree()))
    for (Where where : {Where::AsInBody, Where::Before, Where::After}) {
      auto better = withoutConstantParts(state.tree(), name, where);
      bool none = !better && where != Where::AsInBody;
      if (none || (better && !state.adopt(std::move(*better)))) break;
    }
}

/// The constant by which the value of `loop` is off from an index of `statement`; nothing where it is no
/// index and a constant.
std::optional<isl::val> offsetFrom(const Statement& statement, const LoopTree& loop) {
  isl_space* space =
      isl_space_add_dims(isl_space_from_domain(statement.domain.space().release()), isl_dim_out, 1);
  isl::pw_aff value = own(isl_union_pw_aff_extract_pw_aff(loop.value.get(), space));
  for (std::size_t level = 0; level < statement.loops.size(); ++level) {
    isl::aff index = statement.domain.space().identity_multi_aff_on_domain().at(static_cast<int>(level));
    isl::pw_aff difference = value.sub(isl::pw_aff(index)).gist(statement.domain);
    if (difference.isa_aff() && difference.as_aff().is_cst()) return difference.as_aff().constant_val();
  }
  return std::nullopt;
}

/// isl may let a loop run from 1 over an index that starts at 0. Gives such loops the values of the index of
/// the statement with most loops around it: others then know which loop it is.
void dropOffsets(ScheduleState& state) {
  const Region& region = state.region();
  for (const std::string& name : loopNames(state.tree())) {
    LoopTree tree = state.tree();
    LoopTree& loop = *findLoop(tree, name);
    std::vector<int> inside = statementsOf(region, loop);
    auto deepest = std::max_element(inside.begin(), inside.end(), [&](int a, int b) {
      return region.statements[a].loops.size() < region.statements[b].loops.size();
    });
    if (deepest == inside.end()) continue;
    std::optional<isl::val> offset = offsetFrom(region.statements[*deepest], loop);
    if (!offset || offset->is_zero()) continue;
    isl_union_pw_aff* constant = isl_union_pw_aff_val_on_domain(instances(loop).release(), offset->copy());
    loop.value = own(isl_union_pw_aff_sub(loop.value.release(), constant));
    state.adopt(std::move(tree), ScheduleState::Change::Loops);
  }
}

} // namespace

std::optional<Refusal> apply(const Reschedule& step, ScheduleState& state) {
  const Region& region = state.region();
  isl::union_map order = isl::union_map::empty(islContext()), flow = order, widerOrder = order,
                 widerFlow = order;
  for (const Constraint& constraint : state.constraints()) {
    const isl::set &sources = constraint.source.statementIn(region).domain,
                   &sinks = constraint.sink.statementIn(region).domain;
    isl::map wider =
        own(isl_map_gist_range(constraint.relation.gist_domain(sources).release(), sinks.copy()));
    order = order.unite(constraint.relation);
    widerOrder = widerOrder.unite(wider);
    if (constraint.kind != Constraint::Kind::Flow) continue;
    flow = flow.unite(constraint.relation);
    widerFlow = widerFlow.unite(wider);
  }
  bool separate = step.fusion == Reschedule::Fusion::Least;
  SchedulerOption coincident(isl_options_get_schedule_outer_coincidence,
                             isl_options_set_schedule_outer_coincidence, 1);
  SchedulerOption parallel(isl_options_get_schedule_maximize_coincidence,
                           isl_options_set_schedule_maximize_coincidence, 1);
  SchedulerOption sccs(isl_options_get_schedule_serialize_sccs, isl_options_set_schedule_serialize_sccs,
                       separate);
  const bool isEarliest = step.fusion == Reschedule::Fusion::Earliest;
  SchedulerOption algorithm(isl_options_get_schedule_algorithm, isl_options_set_schedule_algorithm,
                            isEarliest ? ISL_SCHEDULE_ALGORITHM_FEAUTRIER : ISL_SCHEDULE_ALGORITHM_ISL);
  std::string reason;
  auto found = scheduled(state, order.coalesce(), flow.coalesce(), reason);
  // Bounds of the domains, large constants above all, are what makes it hard. Without them more pairs are
  // kept in order than need be, which is as right.
  if (!found) found = scheduled(state, widerOrder.coalesce(), widerFlow.coalesce(), reason);
  if (!found) return Refusal{reason};
  if (auto refused = state.adopt(loopTree(region, *found))) return refused;
  takeOutOfLoops(state);
  dropOffsets(state);
  return std::nullopt;
}

} // namespace warploom
