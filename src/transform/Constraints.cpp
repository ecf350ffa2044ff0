#include "transform/Constraints.h"

#include "analysis/Order.h"

#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <isl/map.h>

namespace warploom {

std::string describe(const Region& region, const Constraint& constraint) {
  static const char* kinds[] = {"flow", "anti", "output"};
  std::string distance;
  for (const Distance& along : constraint.distance)
    distance += (distance.empty() ? "" : ", ") + along.text();
  const Statement &from = constraint.source.statementIn(region), &to = constraint.sink.statementIn(region);
  if (constraint.kind == Constraint::Kind::Order)
    return fmt::format("the order of line {} and line {}, distance ({}) ({})", from.range.line, to.range.line,
                       distance, constraint.why);
  const Access &source = constraint.source.in(region), &sink = constraint.sink.in(region);
  std::string text =
      fmt::format("the {} dependence on `{}` from `{}` at line {} to `{}` at line {}, distance ({})",
                  kinds[static_cast<int>(constraint.kind)], region.arrays[constraint.array].name, source.text,
                  source.range.line, sink.text, sink.range.line, distance);
  if (!constraint.why.empty()) text += fmt::format(" (assumed: {})", constraint.why);
  return text;
}

namespace {

/// Collects the constraints of one region.
class Collector {
public:
  Collector(const Region& r, const Facts& f, const std::vector<Relaxation>& d)
      : region(r), facts(f), relaxations(d) {}

  std::vector<Constraint> run() {
    for (const Dependence& dependence : facts.dependences.all) {
      Constraint constraint{static_cast<Constraint::Kind>(dependence.kind),
                            dependence.array,
                            dependence.source,
                            dependence.sink,
                            dependence.relation,
                            dependence.carrier,
                            dependence.distance,
                            dependence.inexactReason};
      add(constraint);
    }
    for (const Relaxation& relaxation : relaxations)
      if (relaxation.kind == Relaxation::Kind::Reduced || relaxation.kind == Relaxation::Kind::Scanned)
        addFlowByMemory(relaxation);
      else if (relaxation.kind == Relaxation::Kind::Leveled)
        addAllByMemory(relaxation.array);
    for (int loop = 0; loop < static_cast<int>(region.loops.size()); ++loop)
      if (!region.loops[loop].mustStaySequential.empty()) addSequential(loop);
    return std::move(result);
  }

private:
  void add(Constraint constraint) {
    for (const Relaxation& relaxation : relaxations) {
      if (relaxation.array != constraint.array || !relax(constraint, relaxation)) continue;
      return;
    }
    result.push_back(std::move(constraint));
  }

  /// True when `relaxation` takes `constraint` away as a whole; it may also take pairs out of it.
  bool relax(Constraint& constraint, const Relaxation& relaxation) const {
    const Statement &from = constraint.source.statementIn(region), &to = constraint.sink.statementIn(region);
    if (!inside(from, relaxation.loop) || !inside(to, relaxation.loop)) return false;
    bool byMemory = constraint.kind == Constraint::Kind::Anti ||
                    constraint.kind == Constraint::Kind::Output || constraint.byMemory;
    switch (relaxation.kind) {
    case Relaxation::Kind::Private:
      return byMemory && constraint.carrier >= 0 && encloses(region, constraint.carrier, relaxation.loop);
    case Relaxation::Kind::Expanded: {
      if (!byMemory) return false;
      // Only pairs in the same copy remain: those of equal iterations of the loop and, for what is declared
      // in it, of the loops around it.
      int level = region.loops[relaxation.loop].depth - 1;
      int first = region.arrays[relaxation.array].declaredIn == relaxation.loop ? 0 : level;
      for (int equal = first; equal <= level; ++equal)
        constraint.relation =
            own(isl_map_equate(constraint.relation.copy(), isl_dim_in, equal, isl_dim_out, equal));
      return constraint.relation.is_empty();
    }
    case Relaxation::Kind::Reduced:
      return constraint.carrier == relaxation.loop && combines(constraint.source.statement, relaxation) &&
             combines(constraint.sink.statement, relaxation);
    case Relaxation::Kind::Scanned:
    case Relaxation::Kind::Leveled:
      return constraint.carrier == relaxation.loop;
    }
    return false;
  }

  /// True when other instances of the loop may see what `statement` does to the array without an order.
  bool combines(int statement, const Relaxation& relaxation) const {
    if (relaxation.kind == Relaxation::Kind::Scanned)
      return inside(region.statements[statement], relaxation.loop);
    for (const Reduction& reduction : facts.loops[relaxation.loop].reductions)
      if (reduction.array == relaxation.array &&
          std::count(reduction.statements.begin(), reduction.statements.end(), statement) > 0)
        return true;
    return false;
  }

  /// A reader sees the last accumulation, and the others through the chain of accumulations that is now taken
  /// away: it must wait for each of them by itself.
  void addFlowByMemory(const Relaxation& relaxation) {
    for (int s = 0; s < static_cast<int>(region.statements.size()); ++s) {
      if (!combines(s, relaxation)) continue;
      const Statement& writer = region.statements[s];
      for (int w = 0; w < static_cast<int>(writer.accesses.size()); ++w) {
        if (writer.accesses[w].array != relaxation.array || !writer.accesses[w].writes()) continue;
        for (int t = 0; t < static_cast<int>(region.statements.size()); ++t)
          for (int r = 0; r < static_cast<int>(region.statements[t].accesses.size()); ++r) {
            const Access& read = region.statements[t].accesses[r];
            if (read.array != relaxation.array || !read.reads()) continue;
            isl::map pairs = writer.accesses[w].map.apply_range(read.map.reverse());
            addByLevel(Constraint::Kind::Flow, {s, w}, {t, r}, pairs, "");
          }
      }
    }
  }

  /// What chains of dependences through a Leveled loop said, each pair by itself.
  void addAllByMemory(int array) {
    for (int s = 0; s < static_cast<int>(region.statements.size()); ++s)
      for (int a = 0; a < static_cast<int>(region.statements[s].accesses.size()); ++a) {
        const Access& first = region.statements[s].accesses[a];
        if (first.array != array || first.kind == Access::Kind::Kill) continue;
        for (int t = 0; t < static_cast<int>(region.statements.size()); ++t)
          for (int b = 0; b < static_cast<int>(region.statements[t].accesses.size()); ++b) {
            const Access& second = region.statements[t].accesses[b];
            if (second.array != array || second.kind == Access::Kind::Kill) continue;
            if (!first.writes() && !second.writes()) continue;
            const auto kind = !first.writes()   ? Constraint::Kind::Anti
                              : second.writes() ? Constraint::Kind::Output
                                                : Constraint::Kind::Flow;
            addByLevel(kind, {s, a}, {t, b}, first.map.apply_range(second.map.reverse()),
                       first.exact ? second.inexactReason : first.inexactReason);
          }
      }
  }

  /// Every instance of the statements inside `loop` stays where it is.
  void addSequential(int loop) {
    for (int s = 0; s < static_cast<int>(region.statements.size()); ++s)
      for (int t = 0; t < static_cast<int>(region.statements.size()); ++t)
        if (inside(region.statements[s], loop) && inside(region.statements[t], loop))
          addOrder(s, t, region.loops[loop].depth - 1, region.loops[loop].mustStaySequential);
  }

  /// The pairs of instances of two statements, equal in the `equal` outermost loops if not negative, in the
  /// order of the program.
  void addOrder(int source, int sink, int equal, const std::string& why) {
    const isl::set &from = region.statements[source].domain, &to = region.statements[sink].domain;
    isl::map pairs = own(isl_map_from_domain_and_range(from.copy(), to.copy()));
    if (equal > 0) pairs = equalFrom(pairs, 0, static_cast<std::size_t>(equal));
    addByLevel(Constraint::Kind::Order, {source, -1}, {sink, -1}, pairs, why);
  }

  /// Adds those of `pairs` that run in this order, split by the loop that carries them.
  void addByLevel(Constraint::Kind kind, AccessRef source, AccessRef sink, const isl::map& all,
                  const std::string& why) {
    const Statement &from = source.statementIn(region), &to = sink.statementIn(region);
    isl::map pairs = all.intersect_params(region.context);
    std::size_t common = commonLoops(from, to);
    for (std::size_t level = 0; level < common; ++level)
      addLevel(kind, source, sink, earlierAt(region, from, equalFrom(pairs, 0, level), level),
               from.loops[level], why);
    if (textuallyBefore(from, to)) addLevel(kind, source, sink, equalFrom(pairs, 0, common), -1, why);
  }

  void addLevel(Constraint::Kind kind, AccessRef source, AccessRef sink, const isl::map& pairs, int carrier,
                const std::string& why) {
    if (pairs.is_empty()) return;
    int array = kind == Constraint::Kind::Order ? -1 : source.in(region).array;
    const Statement &from = source.statementIn(region), &to = sink.statementIn(region);
    Constraint constraint{kind, array, source, sink, pairs, carrier, {}, why, kind == Constraint::Kind::Flow};
    for (std::size_t level = 0; level < commonLoops(from, to); ++level)
      constraint.distance.push_back(
          distanceAlong(pairs, static_cast<int>(level), region.loops[from.loops[level]].step));
    add(constraint);
  }

  const Region& region;
  const Facts& facts;
  const std::vector<Relaxation>& relaxations;
  std::vector<Constraint> result;
};

} // namespace

std::vector<Constraint> constraints(const Region& region, const Facts& facts,
                                    const std::vector<Relaxation>& relaxations) {
  return Collector(region, facts, relaxations).run();
}

std::vector<Relaxation> declaredRelaxations(const Region& region) {
  std::vector<Relaxation> result;
  for (int array = 0; array < static_cast<int>(region.arrays.size()); ++array)
    if (int loop = region.arrays[array].declaredIn; loop >= 0)
      result.push_back({Relaxation::Kind::Private, array, loop});
  return result;
}

} // namespace warploom
