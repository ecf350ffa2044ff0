#include "analysis/ValueFlow.h"

#include "analysis/Effort.h"
#include "analysis/Order.h"

#include <algorithm>
#include <isl/flow.h>
#include <isl/set.h>
#include <memory>

namespace warploom {

namespace {

/// A statement as isl's flow computation meets it; null: the end of the region, after everything else.
struct FlowPlace {
  const Statement* statement = nullptr;
  AccessRef access;
};

/// isl's question about two places: twice the number of loops they share, plus one when the first is
/// textually earlier. Reads of an instance come before its write, so a statement is never earlier than
/// itself.
int levelBefore(void* first, void* second) {
  const Statement* a = static_cast<FlowPlace*>(first)->statement;
  const Statement* b = static_cast<FlowPlace*>(second)->statement;
  if (!a || !b) return a ? 1 : 0;
  return 2 * static_cast<int>(commonLoops(*a, *b)) + (textuallyBefore(*a, *b) ? 1 : 0);
}

/// One result of isl's flow computation, in the loops' own coordinates.
struct Found {
  AccessRef write;
  isl::map relation;
  bool must; ///< certainly the last write before the sink
};

struct Flow {
  std::vector<Found> found;
  isl::map noSource; ///< accesses of the sink that may have no source
};

struct Writer {
  AccessRef access;
  bool must;
};

/// True when iteration and execution coordinates of `statement` are the same.
bool onlyAscends(const Region& region, const Statement& statement) {
  return std::all_of(statement.loops.begin(), statement.loops.end(),
                     [&](int loop) { return region.loops[loop].step > 0; });
}

/// `map` with its domain, of `statement`, in execution instead of iteration coordinates, or the other way
/// round: both negate the indices of descending loops.
isl::map domainTurned(const Region& region, const Statement& statement, const isl::map& map) {
  return onlyAscends(region, statement) ? map : map.apply_domain(executionOrder(region, statement));
}
isl::map rangeTurned(const Region& region, const Statement& statement, const isl::map& map) {
  return onlyAscends(region, statement) ? map : map.apply_range(executionOrder(region, statement));
}

isl::map inExecutionOrder(const Region& region, const Statement& statement, const isl::map& access) {
  bool anything = own(isl_set_plain_is_universe(region.context.get()));
  return domainTurned(region, statement, anything ? access : access.intersect_params(region.context));
}

/// isl's flow into `accesses` of `sink`, whose domain is in execution coordinates, from `writers`.
Flow flowInto(const Region& region, FlowPlace sink, const isl::map& accesses,
              const std::vector<Writer>& writers) {
  // isl wants all its arguments over the same parameters.
  std::vector<isl::map> written;
  isl::space parameters = accesses.space().params();
  for (const Writer& writer : writers) {
    written.push_back(
        inExecutionOrder(region, writer.access.statementIn(region), writer.access.in(region).map));
    parameters = own(isl_space_align_params(parameters.release(), written.back().space().params().release()));
  }
  auto aligned = [&](const isl::map& map) { return isl_map_align_params(map.copy(), parameters.copy()); };
  std::vector<FlowPlace> places(writers.size());
  isl_access_info* info =
      isl_access_info_alloc(aligned(accesses), &sink, levelBefore, static_cast<int>(writers.size()));
  for (std::size_t k = 0; k < writers.size(); ++k) {
    places[k] = {&writers[k].access.statementIn(region), writers[k].access};
    info = isl_access_info_add_source(info, aligned(written[k]), writers[k].must, &places[k]);
  }
  std::unique_ptr<isl_flow, decltype(&isl_flow_free)> flow(isl_access_info_compute_flow(info), isl_flow_free);
  if (!flow) throwIslError();

  struct Collector {
    std::vector<std::pair<FlowPlace, isl::map>> musts, mays;
  } collector;
  isl_flow_foreach(
      flow.get(),
      [](isl_map* relation, int must, void* source, void* user) {
        auto& into = *static_cast<Collector*>(user);
        (must ? into.musts : into.mays).emplace_back(*static_cast<FlowPlace*>(source), isl::manage(relation));
        return isl_stat_ok;
      },
      &collector);
  Flow result;
  auto add = [&](const std::pair<FlowPlace, isl::map>& entry, bool must) {
    isl::map relation = entry.second;
    if (relation.is_empty()) return;
    relation = domainTurned(region, *entry.first.statement, relation);
    if (sink.statement) relation = rangeTurned(region, *sink.statement, relation);
    result.found.push_back({entry.first.access, relation, must});
  };
  for (const auto& entry : collector.musts)
    add(entry, true);
  for (const auto& entry : collector.mays)
    add(entry, false);
  isl::map none =
      own(isl_flow_get_no_source(flow.get(), 1)).unite(own(isl_flow_get_no_source(flow.get(), 0)));
  result.noSource = sink.statement ? domainTurned(region, *sink.statement, none) : none;
  return result;
}

/// True when `guard` is a Predicate scalar or its negation: its value is the same wherever the guard stands
/// in one iteration of the loops around it.
bool isPredicate(const Region& region, const Statement& statement, const Expr& guard) {
  if (guard.kind == Expr::Kind::Unary && guard.text == "!")
    return isPredicate(region, statement, *guard.operands[0]);
  return guard.kind == Expr::Kind::Access && guard.access >= 0 &&
         region.arrays[statement.accesses[guard.access].array].storage == Array::Storage::Predicate;
}

/// True when each data-dependent condition of `writer` is one of `reader` too.
bool sharesGuards(const Region& region, const Statement& writer, const Statement& reader) {
  return std::all_of(writer.guards.begin(), writer.guards.end(), [&](const ExprPtr& guard) {
    return isPredicate(region, writer, *guard) &&
           std::any_of(reader.guards.begin(), reader.guards.end(),
                       [&](const ExprPtr& other) { return sameExpr(*guard, *other); });
  });
}

/// How many of the outermost loops around `writer` must be in the iteration that `reader` is in for the write
/// to be certain to have happened once `reader` runs after it. Nothing when it is not certain even then.
/// Without a reader, the question is about the end of the region.
std::optional<std::size_t> certainWithin(const Region& region, AccessRef writer, const Statement* reader) {
  const Access& access = writer.in(region);
  const Statement& statement = writer.statementIn(region);
  std::size_t shared = reader ? commonLoops(statement, *reader) : 0;
  std::size_t inexact = 0, left = 0; // up to the innermost loop with inexact bounds, or left in the middle
  for (std::size_t level = 0; level < statement.loops.size(); ++level) {
    if (!region.loops[statement.loops[level]].inexactBounds.empty()) inexact = level + 1;
    if (!region.loops[statement.loops[level]].mustStaySequential.empty()) left = level + 1;
  }
  if (!access.exact || inexact > shared || statement.kind == Statement::Kind::Opaque) return std::nullopt;
  if (access.kind == Access::Kind::Write || access.kind == Access::Kind::Kill) return inexact;
  // The statement may be skipped: by its guards, or because control left a loop before reaching it. Then
  // control did not reach a reader behind it in the same iteration either.
  bool skippedTogether = reader && left <= shared && sharesGuards(region, statement, *reader);
  if (!skippedTogether) return std::nullopt;
  return shared;
}

} // namespace

bool alwaysHappens(const Region& region, AccessRef write) {
  return write.in(region).kind != Access::Kind::MayWrite && certainWithin(region, write, nullptr) == 0u;
}

ValueFlow valueFlow(const Region& region, AccessRef read, const std::vector<AccessRef>& writers) {
  const Statement& reader = read.statementIn(region);
  isl::map accesses = inExecutionOrder(region, reader, read.in(region).map);
  FlowPlace sink{&reader, read};
  ValueFlow result;
  result.exposed = isl::set::empty(reader.domain.space());
  auto add = [&](const Found& found) {
    if (found.write.in(region).kind == Access::Kind::Kill) return;
    result.sources.push_back({found.write, found.relation});
  };

  // A write that is certain only within the reader's own iteration of a loop counts as certain in a first
  // round. Instances that it reaches within that iteration are explained by that round: what comes before
  // such a write cannot be seen. The others are asked again with such writes as mere possibilities. A reader
  // of several elements may be reached in one and not in another, so it is not asked twice.
  std::vector<Writer> hopeful, sober;
  bool twoRounds = false;
  for (AccessRef writer : writers) {
    if (!mayComeBefore(writer.statementIn(region), reader)) continue;
    std::optional<std::size_t> within = certainWithin(region, writer, &reader);
    hopeful.push_back({writer, within.has_value()});
    sober.push_back({writer, alwaysHappens(region, writer)});
    twoRounds |= within.has_value() && !alwaysHappens(region, writer);
  }
  if (sober.empty()) {
    result.exposed = read.in(region).map.domain();
    return result;
  }
  if (twoRounds && accesses.is_single_valued()) {
    isl::set explained = isl::set::empty(reader.domain.space());
    Flow first = flowInto(region, sink, accesses, hopeful);
    for (const Found& found : first.found)
      if (auto within = certainWithin(region, found.write, &reader))
        explained = explained.unite(equalUpTo(found.relation, *within).range());
    explained = explained.coalesce();
    for (Found& found : first.found) {
      found.relation = found.relation.intersect_range(explained);
      if (!found.relation.is_empty()) add(found);
    }
    isl::set rest = accesses.domain().subtract(explained.apply(executionOrder(region, reader)));
    accesses = accesses.intersect_domain(rest).coalesce();
    if (accesses.is_empty()) return result;
  }
  Flow flow = flowInto(region, sink, accesses, sober);
  for (const Found& found : flow.found)
    add(found);
  result.exposed = flow.noSource.domain().coalesce();
  return result;
}

std::vector<Instances> finalWrites(const Region& region, const std::vector<AccessRef>& writers) {
  std::vector<Writer> sources;
  sources.reserve(writers.size());
  isl::space elements = writers.front().in(region).map.space().range();
  for (AccessRef writer : writers)
    sources.push_back({writer, alwaysHappens(region, writer)});
  // The end of the region reads every element of the array.
  isl::set end(islContext(), "{ End[] }");
  isl::map accesses = own(isl_map_from_domain_and_range(
      end.release(), isl_set_universe(isl_space_drop_all_params(elements.copy()))));
  std::vector<Instances> result;
  for (const Found& found : flowInto(region, FlowPlace{}, accesses, sources).found)
    if (found.write.in(region).writes()) result.push_back({found.write, found.relation.domain().coalesce()});
  return result;
}

} // namespace warploom
