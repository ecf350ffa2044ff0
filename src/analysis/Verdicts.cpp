#include "analysis/Verdicts.h"

#include "analysis/Order.h"
#include "analysis/Privatisation.h"
#include "analysis/Words.h"

#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>
#include <set>

namespace warploom {

const char* verdictName(Verdict verdict) {
  switch (verdict) {
  case Verdict::Parallel:
    return "parallel";
  case Verdict::Reduction:
    return "reduction";
  case Verdict::Conditional:
    return "conditional";
  case Verdict::Carried:
    return "carried";
  case Verdict::Sequential:
    return "sequential";
  case Verdict::Unknown:
    return "unknown";
  }
  return "unknown";
}

namespace {

/// A condition on parameters that is longer than this helps nobody.
constexpr std::size_t longestCondition = 160;

/// The smallest distance over several dependences carried by one loop.
struct SmallestDistance {
  long number = 1;    ///< over all values of the parameters
  std::string symbol; ///< where it grows with the parameters: C text for it
};

/// Decides about one loop.
class Judge {
public:
  Judge(const Region& r, const Dependences& d, Effort& e, int l)
      : region(r), dependences(d), effort(e), loop(l), level(r.loops[l].depth - 1) {}

  LoopVerdict judge(const std::vector<Accumulation>& accumulations) {
    result.privateArrays = privateArrays(region, dependences, loop, effort);
    result.reductions = reductions(region, dependences, loop, accumulations);
    std::erase_if(result.reductions, [&](const Reduction& r) { return isPrivate(r.array); });
    for (int k = 0; k < static_cast<int>(dependences.all.size()); ++k)
      if (blocks(dependences.all[k])) blocking.push_back(k);

    if (const std::string& why = region.loops[loop].mustStaySequential; !why.empty()) {
      result.verdict = Verdict::Sequential;
      result.reason = why;
    } else if (blocking.empty()) {
      judgeFree();
    } else {
      judgeBlocked();
    }
    return std::move(result);
  }

private:
  bool isPrivate(int array) const {
    return std::find(result.privateArrays.begin(), result.privateArrays.end(), array) !=
           result.privateArrays.end();
  }
  bool isReduced(int array) const {
    return std::any_of(result.reductions.begin(), result.reductions.end(),
                       [&](const Reduction& r) { return r.array == array; });
  }
  bool blocks(const Dependence& dependence) const {
    return dependence.carrier == loop && !isPrivate(dependence.array) && !isReduced(dependence.array);
  }
  void judgeFree() {
    result.verdict = result.reductions.empty() ? Verdict::Parallel : Verdict::Reduction;
    if (!result.reductions.empty()) {
      std::string what;
      for (const Reduction& reduction : result.reductions)
        what += fmt::format("{}`{}` by `{}`", what.empty() ? "" : ", ", region.arrays[reduction.array].name,
                            reduction.op);
      result.reason = "combines values into " + what;
    }
    takeConditions();
    if (!result.conditions.empty()) {
      result.verdict = Verdict::Conditional;
      result.reason = "parallel only if " + joined(result.conditions);
      if (!result.reductions.empty()) result.reason = "a reduction only if " + joined(result.conditions);
    }
    const auto& waived = dependences.waived;
    auto doubt = std::find_if(waived.begin(), waived.end(),
                              [&](const Dependence& one) { return one.carrier == loop; });
    if (doubt == waived.end()) return;
    result.byWord = true;
    result.reason +=
        fmt::format("{}`{}` (line {}) is taken at its word, though {}", result.reason.empty() ? "" : "; ",
                    region.loops[loop].word->text, region.loops[loop].word->line, sentence(*doubt));
  }

  /// Adds the conditions of the region that the accesses of the loop take for granted.
  void takeConditions() {
    std::set<int> touched, written;
    for (const Statement& statement : region.statements) {
      if (!inside(statement, loop)) continue;
      for (const Access& access : statement.accesses) {
        touched.insert(access.array);
        if (access.writes()) written.insert(access.array);
      }
    }
    for (const Condition& condition : region.conditions) {
      auto isIn = [](const std::set<int>& set) { return [&set](int array) { return set.count(array) > 0; }; };
      bool relevant = condition.loops.empty()
                          ? std::any_of(condition.arrays.begin(), condition.arrays.end(), isIn(touched))
                          : std::count(condition.loops.begin(), condition.loops.end(), loop) > 0;
      if (condition.kind == Condition::Kind::NoOverlap && condition.loops.empty())
        relevant = std::all_of(condition.arrays.begin(), condition.arrays.end(), isIn(touched)) &&
                   std::any_of(condition.arrays.begin(), condition.arrays.end(), isIn(written));
      bool known = std::count(result.conditions.begin(), result.conditions.end(), condition.text) > 0;
      if (relevant && !known) result.conditions.push_back(condition.text);
    }
  }

  static std::string joined(const std::vector<std::string>& texts) {
    std::string all;
    for (const std::string& text : texts)
      all += (all.empty() ? "" : " and ") + text;
    return all;
  }

  void judgeBlocked() {
    bool allExact =
        std::all_of(blocking.begin(), blocking.end(), [&](int k) { return dependences.all[k].exact(); });
    result.deciding = decidingDependence();
    const Dependence& deciding = dependences.all[result.deciding];

    auto smallest = effort.ask(Effort::Kind::Loops, [&] { return smallestDistance(); });
    long exactLeast = leastOfExact();
    if (smallest)
      result.minDistance = smallest->symbol.empty() ? std::to_string(smallest->number) : smallest->symbol;

    if (conditionOnParameters()) {
      result.verdict = Verdict::Conditional;
      takeConditions();
      result.reason =
          fmt::format("parallel only if {}; else {}", joined(result.conditions), sentence(deciding));
      return;
    }
    result.conditions.clear();
    bool symbolic = smallest && !smallest->symbol.empty();
    if (exactLeast == 1 && !symbolic) {
      result.verdict = Verdict::Sequential;
      result.minDistance = "1";
    } else if (!allExact || !smallest) {
      result.verdict = Verdict::Unknown;
      result.minDistance.clear();
      result.deciding = firstInexact();
    } else {
      // The distance is the smallest only while what the region takes for granted holds.
      result.verdict = Verdict::Carried;
      takeConditions();
    }
    auto isRace = [&](int k) {
      return isDenied(region, dependences.all[k]) && isCertain(region, dependences.all[k]);
    };
    if (auto proof = std::find_if(blocking.begin(), blocking.end(), isRace); proof != blocking.end()) {
      result.race = true;
      if (!isRace(result.deciding)) result.deciding = *proof;
    }
    result.reason = sentence(dependences.all[result.deciding]);
    if (result.race)
      result.reason += fmt::format(", so that `{}` (line {}) is a race", region.loops[loop].word->text,
                                   region.loops[loop].word->line);
    result.reason += hint();
    if (!result.conditions.empty()) result.reason += ", if " + joined(result.conditions);
  }

  const Distance& along(const Dependence& dependence) const { return dependence.distance[level]; }

  /// The smallest number of iterations an exact dependence needs; 0 when there is no exact one.
  long leastOfExact() const {
    long least = 0;
    for (int k : blocking) {
      const Dependence& dependence = dependences.all[k];
      if (!dependence.exact()) continue;
      long own = std::max(1L, along(dependence).least.value_or(1));
      least = least == 0 ? own : std::min(least, own);
    }
    return least;
  }

  /// The dependence to tell the user about: exact before inexact, near before far, flow before the others.
  int decidingDependence() const {
    auto rank = [&](int k) {
      const Dependence& dependence = dependences.all[k];
      return std::make_tuple(!dependence.exact(), along(dependence).least.value_or(1), dependence.kind, k);
    };
    return *std::min_element(blocking.begin(), blocking.end(),
                             [&](int a, int b) { return rank(a) < rank(b); });
  }

  int firstInexact() const {
    for (int k : blocking)
      if (!dependences.all[k].exact()) return k;
    return blocking.front();
  }

  SmallestDistance smallestDistance() const {
    SmallestDistance smallest;
    smallest.number = along(dependences.all[blocking.front()]).least.value_or(1);
    bool symbolic = false;
    for (int k : blocking) {
      smallest.number = std::min(smallest.number, along(dependences.all[k]).least.value_or(1));
      symbolic |= along(dependences.all[k]).symbol.has_value();
    }
    if (!symbolic) return smallest;
    isl::pw_aff least = valueOf(dependences.all[blocking.front()]);
    for (int k : blocking)
      least = own(isl_pw_aff_union_min(least.release(), valueOf(dependences.all[k]).release()));
    // A distance that is some number for every value of the parameters is that number at its smallest.
    if (least.max_val().is_infty()) {
      std::string text = valueText(least.coalesce());
      if (text.size() <= 40) smallest.symbol = text;
    }
    return smallest;
  }

  /// The smallest distance of one dependence over the parameters, where the dependence exists at all.
  isl::pw_aff valueOf(const Dependence& dependence) const {
    if (along(dependence).symbol) return *along(dependence).symbol;
    isl::set where = dependence.relation.domain().params();
    return own(isl_pw_aff_val_on_domain(
        where.release(), isl::val(islContext(), along(dependence).least.value_or(1)).release()));
  }

  /// Sets the condition on parameters under which nothing blocks, if there is a useful one: it must not
  /// restrict the number of iterations of any loop of the nest.
  bool conditionOnParameters() {
    auto found = effort.ask(Effort::Kind::Loops, [&]() -> std::optional<std::pair<isl::set, std::string>> {
      isl::set dependent = isl::set::empty(region.context.space());
      for (int k : blocking)
        dependent = dependent.unite(dependences.all[k].relation.domain().params());
      isl::map later = laterIterations(region, loop);
      isl::set several = later.domain().params();
      isl::set independent = several.subtract(dependent).coalesce();
      if (independent.is_empty()) return std::nullopt;

      isl::set useful = isl::set::empty(region.context.space());
      std::vector<isl::basic_set> pieces;
      independent.foreach_basic_set([&](const isl::basic_set& piece) { pieces.push_back(piece); });
      for (const isl::basic_set& piece : pieces)
        // A condition with a remainder in it, such as `k` being odd, says little and reads badly.
        if (!isl::set(piece).involves_locals() && !restrictsTripCount(piece)) useful = useful.unite(piece);
      if (useful.is_empty()) return std::nullopt;
      std::string text = conditionText(useful.coalesce().gist(several).coalesce());
      if (text.size() > longestCondition) return std::nullopt;
      return std::make_pair(useful, text);
    });
    if (!found || !*found) return false;
    result.parallelFor = (*found)->first;
    result.conditions.push_back((*found)->second);
    return true;
  }

  /// True when for parameters in `piece` some loop of the nest has fewer iterations than it may have at all.
  bool restrictsTripCount(const isl::set& piece) const {
    for (int other = 0; other < static_cast<int>(region.loops.size()); ++other) {
      if (!encloses(region, other, loop) && !encloses(region, loop, other)) continue;
      isl::map later = laterIterations(region, other);
      if (later.is_empty()) continue;
      isl::aff difference = indexDifference(later, region.loops[other].depth - 1);
      if (region.loops[other].step < 0) difference = difference.neg();
      auto extent = [&](const isl::map& pairs) { return pairs.wrap().max_val(difference); };
      isl::map restricted = later.intersect_params(piece);
      if (restricted.is_empty() || !extent(restricted).eq(extent(later))) return true;
    }
    return false;
  }

  /// What `dependence` does, in words.
  std::string sentence(const Dependence& dependence) const {
    const Access &source = dependence.source.in(region), &sink = dependence.sink.in(region);
    std::string name = "`" + sink.text + "`";
    const bool certain = dependence.exact();
    auto verb = [&](const char* plain, const char* third) {
      return certain ? third : std::string("may ") + plain;
    };
    std::string far = along(dependence).phrase() + " earlier";
    std::string text;
    switch (dependence.kind) {
    case Dependence::Kind::Flow:
      text = fmt::format("{} at line {} {} what line {} wrote {}", name, sink.range.line,
                         verb("read", "reads"), source.range.line, far);
      break;
    case Dependence::Kind::Anti:
      text = fmt::format("{} at line {} {} what `{}` at line {} read {}", name, sink.range.line,
                         verb("overwrite", "overwrites"), source.text, source.range.line, far);
      break;
    case Dependence::Kind::Output:
      text = fmt::format("{} at line {} {} what line {} wrote {}", name, sink.range.line,
                         verb("overwrite", "overwrites"), source.range.line, far);
      break;
    }
    if (!certain) text += ": " + dependence.inexactReason;
    return text;
  }

  /// What would help.
  std::string hint() const {
    std::set<std::string> copied;
    for (int k : blocking) {
      if (dependences.all[k].kind != Dependence::Kind::Anti) return {};
      copied.insert("`" + region.arrays[dependences.all[k].array].name + "`");
    }
    std::string names;
    for (const std::string& name : copied)
      names += (names.empty() ? "" : " and ") + name;
    return fmt::format("; reading from a copy of {} would make the loop parallel", names);
  }

  const Region& region;
  const Dependences& dependences;
  Effort& effort;
  const int loop;
  const int level;
  LoopVerdict result;
  std::vector<int> blocking; ///< indices into dependences.all
};

} // namespace

std::vector<LoopVerdict> verdicts(const Region& region, const Dependences& dependences, Effort& effort) {
  std::vector<Accumulation> accumulations;
  for (int k = 0; k < static_cast<int>(region.statements.size()); ++k)
    if (auto found = accumulation(region, k)) accumulations.push_back(*found);
  std::vector<LoopVerdict> result;
  result.reserve(region.loops.size());
  for (int loop = 0; loop < static_cast<int>(region.loops.size()); ++loop)
    result.push_back(Judge(region, dependences, effort, loop).judge(accumulations));
  return result;
}

} // namespace warploom
