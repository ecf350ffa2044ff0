#include "transform/DefaultSchedule.h"

#include "analysis/Effort.h"
#include "transform/Deadline.h"

#include <fmt/format.h>
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

} // namespace

namespace {

/// What isl's scheduler may cost per attempt, in seconds of processor time.
constexpr double schedulerSeconds = 0.5;

/// What isl's scheduler finds for `order` and `flow`; nothing when it gave up.
std::optional<isl::schedule> scheduled(const Region& region, const isl::union_map& order,
                                       const isl::union_map& flow) {
  Deadline deadline(schedulerSeconds);
  try {
    isl_schedule_constraints* wanted = isl_schedule_constraints_on_domain(domains(region).release());
    wanted = isl_schedule_constraints_set_context(wanted, region.context.copy());
    wanted = isl_schedule_constraints_set_validity(wanted, order.copy());
    wanted = isl_schedule_constraints_set_coincidence(wanted, order.copy());
    wanted = isl_schedule_constraints_set_proximity(wanted, flow.copy());
    return own(isl_schedule_constraints_compute_schedule(wanted));
  } catch (const isl::exception&) {
    if (deadline.passed()) return std::nullopt;
    throw;
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
  auto found = scheduled(region, order.coalesce(), flow.coalesce());
  // Bounds of the domains, large constants above all, are what makes it hard. Without them more pairs are
  // kept in order than need be, which is as right.
  if (!found) found = scheduled(region, widerOrder.coalesce(), widerFlow.coalesce());
  if (!found) return Refusal{"isl's scheduler took too long"};
  return state.adopt(loopTree(region, *found));
}

namespace {

/// Adds up how parallel the statements below `tree` are; `outside` are the sequential loops around, or -1
/// when one of the loops around is parallel.
void count(const ScheduleState& state, const LoopTree& tree, int outside, int loops, Parallelism& sum) {
  if (tree.kind == LoopTree::Kind::Leaf) {
    int statements = 0;
    tree.domain.foreach_set([&](const isl::set&) { ++statements; });
    if (outside < 0)
      sum.statements += statements;
    else
      sum.launches -= outside * statements;
    sum.loops += std::min(loops, 3) * statements;
    return;
  }
  if (tree.kind == LoopTree::Kind::Loop) {
    if (state.isParallel(tree.name).value_or(false)) {
      ++loops;
      if (outside >= 0) {
        --sum.nests;
        isl::union_set below = instances(tree);
        int statements = 0;
        below.foreach_set([&](const isl::set&) { ++statements; });
        sum.launches -= outside * statements;
        outside = -1;
      }
    } else if (outside >= 0) {
      ++outside;
    }
  }
  for (const LoopTree& child : tree.children)
    count(state, child, outside, loops, sum);
}

std::string described(const Parallelism& of) {
  return fmt::format(
      "{} statements in parallel loops, {} sequential loops around them, {} parallel loops in all, {} "
      "nests",
      of.statements, -of.launches, of.loops, -of.nests);
}

} // namespace

Parallelism parallelism(const ScheduleState& state) {
  Parallelism sum;
  count(state, state.tree(), 0, 0, sum);
  return sum;
}

DefaultChoice scheduleByDefault(ScheduleState& state) {
  const Region& region = state.region();
  // From the outside in: what is private to an outer loop need not be decided again for the loops inside it.
  for (int loop = 0; loop < static_cast<int>(region.loops.size()); ++loop)
    for (int array : state.facts().loops[loop].privateArrays)
      state.take(Privatise{region.arrays[array].name, state.sourceName(loop)});

  ScheduleState best = state;
  Parallelism most = parallelism(best);
  DefaultChoice choice{DefaultChoice::Kind::Original, "the order of the program: " + described(most)};
  std::string others;
  for (auto [fusion, kind, name] :
       {std::tuple(Reschedule::Fusion::Most, DefaultChoice::Kind::Fused, "fused"),
        std::tuple(Reschedule::Fusion::Least, DefaultChoice::Kind::Separated, "separated")}) {
    ScheduleState tried = state;
    if (auto refused = tried.take(Reschedule{fusion})) {
      others += fmt::format("; isl's {} order is not used: {}", name, refused->reason);
      continue;
    }
    Parallelism found = parallelism(tried);
    if (found <= most) {
      others += fmt::format("; isl's {} order is no better: {}", name, described(found));
      continue;
    }
    choice = {kind,
              fmt::format("isl's {} order: {}, better than {}", name, described(found), described(most))};
    most = found;
    best = std::move(tried);
  }
  choice.reason += others;
  state = std::move(best);
  return choice;
}

} // namespace warploom
