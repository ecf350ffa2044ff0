#include "analysis/Dependences.h"

#include "analysis/Order.h"
#include "analysis/ValueFlow.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace warploom {

namespace {

/// The distinct accesses to one array. Two reads of the same elements on one line of a statement are one
/// access here.
struct AccessesOfArray {
  std::vector<AccessRef> reads, writes, kills;
};

std::vector<AccessesOfArray> byArray(const Region& region) {
  std::vector<AccessesOfArray> result(region.arrays.size());
  for (int s = 0; s < static_cast<int>(region.statements.size()); ++s) {
    const Statement& statement = region.statements[s];
    for (int a = 0; a < static_cast<int>(statement.accesses.size()); ++a) {
      const Access& access = statement.accesses[a];
      AccessesOfArray& of = result[access.array];
      std::vector<AccessRef>& list = access.reads() ? of.reads : access.writes() ? of.writes : of.kills;
      bool known = false;
      for (AccessRef other : list)
        known |= other.statement == s && access.exact && other.in(region).exact &&
                 other.in(region).range.line == access.range.line &&
                 own(isl_map_plain_is_equal(other.in(region).map.get(), access.map.get()));
      if (!known) list.push_back({s, a});
    }
  }
  return result;
}

/// Why pairs found between these accesses at `carrier` may not be real; empty when they are. Bounds that are
/// not exact matter only inside the carrying loop, and only where they decide which element is touched.
std::string whyInexact(const Region& region, AccessRef ref, int carrier) {
  const Access& access = ref.in(region);
  const Statement& statement = ref.statementIn(region);
  if (!access.exact) return access.inexactReason;
  for (std::size_t level = 0; level < statement.loops.size(); ++level) {
    const Loop& loop = region.loops[statement.loops[level]];
    if (loop.inexactBounds.empty()) continue;
    if (carrier >= 0 && loop.depth <= region.loops[carrier].depth) continue;
    isl::map subscripts = access.map.gist_domain(statement.domain);
    if (own(isl_map_involves_dims(subscripts.get(), isl_dim_in, static_cast<unsigned>(level), 1)))
      return loop.inexactBounds;
  }
  return {};
}

/// Collects the dependences of one region.
class Collector {
public:
  Collector(const Region& r, Effort& e) : region(r), effort(e) {}

  /// Adds `pairs` { S[i] -> T[j] } of one kind, split by the loop that carries them.
  void add(Dependence::Kind kind, AccessRef source, AccessRef sink, const isl::map& pairs,
           bool gaveUp = false) {
    const Statement& from = source.statementIn(region);
    isl::map equal = pairs; // in the loops outside the level that is visited
    std::size_t reached = 0;
    forEachLevel(source, sink, kind, [&](std::vector<Dependence>& list, int carrier, std::size_t level) {
      equal = equalFrom(equal, std::exchange(reached, level), level);
      isl::map relation = carrier >= 0 ? earlierAt(region, from, equal, level) : equal;
      if (relation.is_empty()) return;
      Dependence found = dependence(kind, source, sink, relation, carrier);
      for (std::size_t k = carrier >= 0 ? level : found.distance.size(); k < found.distance.size(); ++k)
        found.distance[k] = distanceAlong(relation, static_cast<int>(k), region.loops[from.loops[k]].step);
      found.inexactReason = whyInexact(region, source, carrier);
      if (found.exact()) found.inexactReason = whyInexact(region, sink, carrier);
      if (gaveUp) {
        found.gaveUp = true;
        found.inexactReason = "finding the write that it reads from was too expensive";
      }
      list.push_back(found);
    });
  }

  /// Adds all pairs of instances that touch the same element, source first; when isl gives up, all pairs.
  void addByMemory(Dependence::Kind kind, AccessRef source, AccessRef sink, bool gaveUp = false) {
    const Statement &from = source.statementIn(region), &to = sink.statementIn(region);
    if (source.statement != sink.statement && !mayComeBefore(from, to)) return;
    std::size_t before = result.all.size(), beforeWithin = result.withinInstance.size();
    auto compared = effort.ask(Effort::Kind::Pairs, [&] {
      isl::map pairs = source.in(region).map.apply_range(sink.in(region).map.reverse());
      pairs = pairs.intersect_params(region.context);
      if (!pairs.is_empty()) add(kind, source, sink, pairs, gaveUp);
      return true;
    });
    if (compared) return;
    result.all.resize(before);
    result.withinInstance.resize(beforeWithin);
    addEverything(kind, source, sink);
  }

  void addValueFlow(AccessRef read, const std::vector<AccessRef>& writers,
                    const std::vector<AccessRef>& writes) {
    const Array& array = region.arrays[read.in(region).array];
    std::size_t before = result.all.size();
    auto answered = effort.ask(Effort::Kind::Values, [&] {
      ValueFlow flow = valueFlow(region, read, writers);
      for (const ValueFlow::Source& source : flow.sources)
        add(Dependence::Kind::Flow, source.write, read, source.relation);
      // A variable declared inside a loop has no value before its first write.
      if (array.declaredIn < 0 && !flow.exposed.is_empty()) result.exposed.push_back({read, flow.exposed});
      return true;
    });
    if (answered) return;
    result.all.resize(before);
    result.exposed.push_back({read, read.statementIn(region).domain});
    for (AccessRef write : writes)
      addByMemory(Dependence::Kind::Flow, write, read, true);
  }

  void addFinal(const Array& array, const std::vector<AccessRef>& writers,
                const std::vector<AccessRef>& writes) {
    if (array.declaredIn >= 0 || !array.liveAfter) return;
    auto found = effort.ask(Effort::Kind::Values, [&] { return finalWrites(region, writers); });
    if (found) {
      result.final.insert(result.final.end(), found->begin(), found->end());
      return;
    }
    for (AccessRef write : writes)
      result.final.push_back({write, write.statementIn(region).domain});
  }

  Dependences result;

private:
  /// Calls `visit(list, carrier, level)` for every loop around both statements that may carry a dependence,
  /// at its level, and for the loop-independent ones (carrier -1, at the number of common loops); `list` is
  /// where it belongs.
  template <typename F>
  void forEachLevel(AccessRef source, AccessRef sink, Dependence::Kind kind, F&& visit) {
    const Statement &from = source.statementIn(region), &to = sink.statementIn(region);
    std::size_t common = commonLoops(from, to);
    int declaredIn = region.arrays[source.in(region).array].declaredIn;
    for (std::size_t level = 0; level < common; ++level) {
      // Every iteration of the loop around its declaration has a variable of its own.
      if (declaredIn >= 0 && encloses(region, from.loops[level], declaredIn)) continue;
      visit(result.all, from.loops[level], level);
    }
    if (textuallyBefore(from, to))
      visit(result.all, -1, common);
    else if (source.statement == sink.statement && kind == Dependence::Kind::Anti)
      visit(result.withinInstance, -1, common);
  }

  /// A dependence whose distance is 0 along all loops.
  Dependence dependence(Dependence::Kind kind, AccessRef source, AccessRef sink, const isl::map& relation,
                        int carrier) const {
    std::size_t common = commonLoops(source.statementIn(region), sink.statementIn(region));
    return {kind,
            source.in(region).array,
            source,
            sink,
            relation,
            carrier,
            std::vector<Distance>(common, Distance{0, 0, std::nullopt}),
            {},
            false};
  }

  /// Adds all pairs of instances of the two statements, in program order.
  void addEverything(Dependence::Kind kind, AccessRef source, AccessRef sink) {
    const Statement &from = source.statementIn(region), &to = sink.statementIn(region);
    isl::map all = own(isl_map_from_domain_and_range(from.domain.copy(), to.domain.copy()));
    forEachLevel(source, sink, kind, [&](std::vector<Dependence>& list, int carrier, std::size_t level) {
      isl::map relation = equalUpTo(all, level);
      if (carrier >= 0) relation = earlierAt(region, from, relation, level);
      Dependence found = dependence(kind, source, sink, relation, carrier);
      if (carrier >= 0) {
        std::fill(found.distance.begin() + static_cast<long>(level), found.distance.end(), Distance{});
        found.distance[level].least = 1;
      }
      found.gaveUp = true;
      found.inexactReason = "comparing the two accesses was too expensive";
      list.push_back(found);
    });
  }

  const Region& region;
  Effort& effort;
};

} // namespace

Dependences dependences(const Region& region, Effort& effort) {
  Collector collector(region, effort);
  std::vector<AccessesOfArray> accesses = byArray(region);
  for (std::size_t k = 0; k < accesses.size(); ++k) {
    const AccessesOfArray& of = accesses[k];
    std::vector<AccessRef> writers = of.writes;
    writers.insert(writers.end(), of.kills.begin(), of.kills.end());
    for (AccessRef read : of.reads)
      collector.addValueFlow(read, writers, of.writes);
    if (of.writes.empty()) continue;
    for (AccessRef read : of.reads)
      for (AccessRef write : of.writes)
        collector.addByMemory(Dependence::Kind::Anti, read, write);
    for (AccessRef first : of.writes)
      for (AccessRef second : of.writes)
        collector.addByMemory(Dependence::Kind::Output, first, second);
    collector.addFinal(region.arrays[k], writers, of.writes);
  }
  return std::move(collector.result);
}

} // namespace warploom
