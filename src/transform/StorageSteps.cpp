// The steps that decide about storage and reductions, each a promise that the facts of a loop justify.
#include "analysis/Irregular.h"
#include "analysis/Order.h"
#include "analysis/Recurrences.h"
#include "transform/Schedule.h"
#include "transform/StepChecks.h"

#include <algorithm>
#include <fmt/format.h>

namespace warploom {

namespace {

/// The array and the source loop that a decision is about.
struct Subject {
  int array = -1, loop = -1;
};

std::variant<Subject, Refusal> subject(const ScheduleState& state, const std::string& array,
                                       const std::string& loop) {
  const auto& arrays = state.region().arrays;
  auto found = std::find_if(arrays.begin(), arrays.end(), [&](const Array& a) { return a.name == array; });
  if (found == arrays.end()) return Refusal{fmt::format("there is no array `{}`", array)};
  int source = state.sourceLoop(loop);
  if (source < 0) return Refusal{fmt::format("there is no loop `{}` in the source", loop)};
  return Subject{static_cast<int>(found - arrays.begin()), source};
}

/// Why iterations of the loop share the array; nothing when each may have its own.
std::optional<Refusal> refusedPrivate(const ScheduleState& state, const Subject& about) {
  const Region& region = state.region();
  if (region.arrays[about.array].declaredIn == about.loop) return std::nullopt;
  const std::vector<int>& known = state.facts().loops[about.loop].privateArrays;
  if (std::count(known.begin(), known.end(), about.array) > 0) return std::nullopt;
  std::string text = fmt::format("`{}` is not private to an iteration of `{}`",
                                 region.arrays[about.array].name, state.sourceName(about.loop));
  for (const Constraint& constraint : state.constraints()) {
    bool carried = constraint.kind == Constraint::Kind::Flow && constraint.array == about.array &&
                   constraint.carrier >= 0 && encloses(region, constraint.carrier, about.loop);
    if (carried) return Refusal{fmt::format("{}: {}", text, describe(region, constraint))};
  }
  for (const Instances& exposed : state.facts().dependences.exposed)
    if (exposed.access.in(region).array == about.array)
      return Refusal{fmt::format("{}: line {} may read what was there before the loop", text,
                                 exposed.access.in(region).range.line)};
  return Refusal{text + ": its values are used after the loop, or nothing writes it in the loop"};
}

} // namespace

std::optional<Refusal> apply(const Privatise& step, ScheduleState& state) {
  auto about = subject(state, step.array, step.loop);
  if (const Refusal* refused = std::get_if<Refusal>(&about)) return *refused;
  const Subject& of = std::get<Subject>(about);
  // A thread's own would be one for all the copies.
  for (const Relaxation& one : state.relaxations())
    if (one.kind == Relaxation::Kind::Expanded && one.array == of.array)
      return Refusal{fmt::format("`{0}` has a copy for each iteration of `{1}` already: expand `{0}`",
                                 step.array, state.sourceName(one.loop))};
  if (auto refused = refusedPrivate(state, of)) return refused;
  return state.decide({Relaxation::Kind::Private, of.array, of.loop});
}

std::optional<Refusal> apply(const Expand& step, ScheduleState& state) {
  auto about = subject(state, step.array, step.loop);
  if (const Refusal* refused = std::get_if<Refusal>(&about)) return *refused;
  const Subject& of = std::get<Subject>(about);
  const Array& array = state.region().arrays[of.array];
  if (array.within >= 0 || array.element.kind == Type::Kind::Struct)
    return Refusal{fmt::format("`{}` is a struct or a part of one", step.array)};
  int declaredIn = array.declaredIn;
  if (declaredIn >= 0 && declaredIn != of.loop)
    return Refusal{fmt::format("`{}` is declared inside `{}`: expand it along that loop", step.array,
                               state.sourceName(declaredIn))};
  if (auto refused = refusedPrivate(state, of)) return refused;
  return state.decide({Relaxation::Kind::Expanded, of.array, of.loop});
}

std::optional<Refusal> apply(const Reduce& step, ScheduleState& state) {
  auto about = subject(state, step.array, step.loop);
  if (const Refusal* refused = std::get_if<Refusal>(&about)) return *refused;
  const Subject& of = std::get<Subject>(about);
  const std::vector<Reduction>& known = state.facts().loops[of.loop].reductions;
  auto found =
      std::find_if(known.begin(), known.end(), [&](const Reduction& r) { return r.array == of.array; });
  if (found == known.end())
    return Refusal{fmt::format("`{}` does not combine values into `{}`: {}", step.loop, step.array,
                               state.facts().loops[of.loop].reason)};
  if (state.strictFp() && !state.region().arrays[of.array].element.isInteger())
    return Refusal{
        fmt::format("combining `{}` by `{}` in another order may round differently, which strict floating "
                    "point forbids",
                    step.array, found->op)};
  return state.decide({Relaxation::Kind::Reduced, of.array, of.loop});
}

std::optional<Refusal> apply(const ScanLoop& step, ScheduleState& state) {
  const int loop = state.sourceLoop(step.loop);
  if (loop < 0) return Refusal{fmt::format("there is no loop `{}` in the source", step.loop)};
  const Region& region = state.region();
  const std::optional<Scan> scan =
      scanOf(region, state.facts().dependences, loop, state.facts().loops[loop].privateArrays);
  if (!scan)
    return Refusal{fmt::format("what an iteration of `{}` does to what it hands on is not known before those "
                               "before it have run: {}",
                               step.loop, state.facts().loops[loop].reason)};
  auto rounds = [&](const Recurrence& one) {
    return (one.kind == Recurrence::Kind::Folded || one.kind == Recurrence::Kind::Affine) &&
           region.arrays[one.array].element.isFloating();
  };
  for (const Recurrence& one : scan->states)
    if (state.strictFp() && rounds(one))
      return Refusal{fmt::format("composing what iterations of `{}` do to `{}` may round differently, which "
                                 "strict floating point forbids",
                                 step.loop, region.arrays[one.array].name)};
  for (const Recurrence& one : scan->states)
    if (auto refused = state.decide({Relaxation::Kind::Scanned, one.array, loop})) return refused;
  for (int counted : scan->counted)
    if (auto refused = state.decide({Relaxation::Kind::Scanned, counted, loop})) return refused;
  return std::nullopt;
}

std::optional<Refusal> apply(const LevelLoop& step, ScheduleState& state) {
  const int loop = state.sourceLoop(step.loop);
  if (loop < 0) return Refusal{fmt::format("there is no loop `{}` in the source", step.loop)};
  const LoopVerdict& verdict = state.facts().loops[loop];
  const std::optional<Irregular> found =
      irregularOf(state.region(), state.facts().dependences, loop, verdict.privateArrays);
  if (!found)
    return Refusal{fmt::format("which elements iterations of `{}` use cannot be told before they run: {}",
                               step.loop, verdict.reason)};
  for (int array : found->arrays)
    if (auto refused = state.decide({Relaxation::Kind::Leveled, array, loop})) return refused;
  return std::nullopt;
}

} // namespace warploom
