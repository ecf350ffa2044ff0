#include "analysis/DependenceTests.h"

#include "analysis/Order.h"
#include "support/IslC.h"

#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>
#include <isl/aff.h>
#include <isl/map.h>
#include <isl/set.h>
#include <numeric>

namespace warploom {

namespace {

/// Beyond this, factors and constants are not looked at: sums of them must be numbers.
constexpr long largest = 1L << 30;
/// Loops around both references beyond which directions are not told apart: there are three of each.
constexpr std::size_t mostDirections = 7;

/// The values of an index, from the first to run to the last.
struct IndexValues {
  long first = 0, step = 1;
  std::optional<long> last; ///< counted from 0 in steps
};

std::optional<long> number(const isl::val& value) {
  if (!value.is_int() || value.abs().gt(isl::val(islContext(), largest))) return std::nullopt;
  return value.num_si();
}

/// The values of the index of `loop`, or a superset that runs in the same order.
IndexValues valuesOf(const Region& region, int loop) {
  IndexValues values;
  values.step = region.loops[loop].step;
  const isl::set all = iterations(region, loop);
  const int level = region.loops[loop].depth - 1;
  if (all.is_empty()) {
    values.last = -1;
    return values;
  }
  const isl::pw_aff least = own(isl_set_dim_min(all.copy(), level)),
                    greatest = own(isl_set_dim_max(all.copy(), level));
  const auto low = number(least.min_val()), high = number(greatest.max_val());
  const bool descends = values.step < 0;
  if (!low || !high) return values;
  const isl::pw_aff& begin = descends ? greatest : least;
  // Where the first value depends on other loops, steps do not begin at one place.
  if (!begin.min_val().eq(begin.max_val())) values.step = descends ? -1 : 1;
  values.first = descends ? *high : *low;
  values.last = (*high - *low) / std::labs(values.step);
  return values;
}

/// One subscript as a sum: the number, the factors of the indices, and the rest, over the parameters.
struct Linear {
  long constant = 0;
  std::vector<long> factors; ///< per loop around the statement
  isl::aff rest;
};

std::optional<Linear> linear(const isl::aff& subscript, std::size_t depth) {
  isl::aff rest = subscript;
  if (isl_aff_dim(subscript.get(), isl_dim_div) > 0 &&
      own(isl_aff_involves_dims(subscript.get(), isl_dim_div, 0,
                                static_cast<unsigned>(isl_aff_dim(subscript.get(), isl_dim_div)))))
    return std::nullopt;
  std::vector<long> factors;
  for (std::size_t k = 0; k < depth; ++k) {
    const auto factor =
        number(isl::manage(isl_aff_get_coefficient_val(subscript.get(), isl_dim_in, static_cast<int>(k))));
    if (!factor) return std::nullopt;
    factors.push_back(*factor);
    rest = own(isl_aff_set_coefficient_si(rest.release(), isl_dim_in, static_cast<int>(k), 0));
  }
  const auto constant = number(isl::manage(isl_aff_get_constant_val(subscript.get())));
  if (!constant) return std::nullopt;
  rest = own(isl_aff_set_constant_si(rest.release(), 0));
  return Linear{*constant, factors, own(isl_aff_project_domain_on_params(rest.release()))};
}

class Tester {
public:
  explicit Tester(const Region& region) : region(region) {
    for (int loop = 0; loop < static_cast<int>(region.loops.size()); ++loop)
      values.push_back(limited([&] {
                         return valuesOf(region, loop);
                       }).value_or(IndexValues{0, region.loops[loop].step, std::nullopt}));
  }

  ReferencePair pair(AccessRef first, AccessRef second, DependenceTest test) const {
    ReferencePair result{first, second, DependenceAnswer::Carried, equations(first, second)};
    if (test == DependenceTest::Exact) result.answer = exact(first, second);
    if (test == DependenceTest::Banerjee) result.answer = banerjee(result);
    if (test == DependenceTest::Gcd && std::any_of(result.equations.begin(), result.equations.end(),
                                                   [](const auto& one) { return one && !divides(*one); }))
      result.answer = DependenceAnswer::None;
    return result;
  }

private:
  std::vector<std::optional<SubscriptEquation>> equations(AccessRef first, AccessRef second) const {
    const auto rank = static_cast<std::size_t>(region.arrays[first.in(region).array].rank);
    std::vector<std::optional<SubscriptEquation>> all(rank);
    const auto left = subscripts(first), right = subscripts(second);
    for (std::size_t d = 0; left && right && d < rank; ++d)
      all[d] = equation(first, left->at(static_cast<int>(d)), second, right->at(static_cast<int>(d)));
    return all;
  }

  std::optional<isl::multi_aff> subscripts(AccessRef of) const {
    const Access& access = of.in(region);
    if (!access.exact || access.map.is_empty()) return std::nullopt;
    isl::pw_multi_aff all = own(isl_pw_multi_aff_from_map(access.map.copy()));
    all = all.gist(all.domain());
    return all.isa_multi_aff() ? std::optional(all.as_multi_aff()) : std::nullopt;
  }

  std::optional<SubscriptEquation> equation(AccessRef first, const isl::aff& left, AccessRef second,
                                            const isl::aff& right) const {
    const Statement &one = first.statementIn(region), &other = second.statementIn(region);
    const auto a = linear(left, one.loops.size()), b = linear(right, other.loops.size());
    if (!a || !b || isl_aff_plain_is_equal(a->rest.get(), b->rest.get()) != isl_bool_true)
      return std::nullopt;
    SubscriptEquation result;
    result.constant = b->constant - a->constant;
    const std::size_t common = commonLoops(one, other);
    for (std::size_t k = 0; k < one.loops.size(); ++k)
      add(result, one.loops[k], a->factors[k], k < common ? b->factors[k] : 0, k < common);
    for (std::size_t k = common; k < other.loops.size(); ++k)
      add(result, other.loops[k], 0, b->factors[k], false);
    return result;
  }

  /// Adds a loop of which the first reference has `a` times the index and the second `b` times.
  void add(SubscriptEquation& to, int loop, long a, long b, bool isCommon) const {
    const IndexValues& index = values[static_cast<std::size_t>(loop)];
    to.constant += (b - a) * index.first;
    to.terms.push_back({loop, a * index.step, b * index.step, isCommon, index.last});
  }

  static bool divides(const SubscriptEquation& equation) {
    long divisor = 0;
    for (const SubscriptEquation::Term& term : equation.terms)
      divisor = std::gcd(std::gcd(divisor, term.a), term.b);
    return divisor == 0 ? equation.constant == 0 : equation.constant % divisor == 0;
  }

  /// For every way in which iterations of the loops around both can lie to each other: whether some subscript
  /// is never the same then.
  DependenceAnswer banerjee(const ReferencePair& pair) const {
    const std::size_t common = commonLoops(pair.first.statementIn(region), pair.second.statementIn(region));
    if (common > mostDirections) return DependenceAnswer::Carried;
    std::size_t ways = 1;
    for (std::size_t k = 0; k < common; ++k)
      ways *= 3;
    bool same = false, carried = false;
    for (std::size_t way = 0; way < ways; ++way) {
      std::vector<Direction> directions;
      for (std::size_t k = 0, left = way; k < common; ++k, left /= 3)
        directions.push_back(static_cast<Direction>(left % 3));
      const bool meet = std::all_of(pair.equations.begin(), pair.equations.end(),
                                    [&](const auto& one) { return !one || isWithin(*one, directions); });
      const bool isSame = std::all_of(directions.begin(), directions.end(),
                                      [](Direction one) { return one == Direction::Same; });
      (isSame ? same : carried) |= meet;
    }
    return carried ? DependenceAnswer::Carried
           : same  ? DependenceAnswer::SameIteration
                   : DependenceAnswer::None;
  }

  /// True when the constant is within the bounds of all terms together, the loops around both lying so.
  static bool isWithin(const SubscriptEquation& equation, const std::vector<Direction>& directions) {
    long low = 0, high = 0;
    bool isOpen = false;
    for (std::size_t k = 0; k < equation.terms.size(); ++k) {
      const SubscriptEquation::Term& term = equation.terms[k];
      if (!term.last) {
        isOpen |= !term.isCommon || directions[k] != Direction::Same || term.a != term.b;
        continue;
      }
      std::optional<std::pair<long, long>> bounds;
      if (term.isCommon)
        bounds = banerjeeBounds(term.a, term.b, 0, *term.last, directions[k]);
      else if (*term.last >= 0)
        bounds = std::minmax({0L, (term.a - term.b) * *term.last});
      if (!bounds) return false;
      low += bounds->first;
      high += bounds->second;
    }
    return isOpen || (low <= equation.constant && equation.constant <= high);
  }

  DependenceAnswer exact(AccessRef first, AccessRef second) const {
    auto answer = limited([&] {
      const isl::map pairs =
          first.in(region).map.apply_range(second.in(region).map.reverse()).intersect_params(region.context);
      if (pairs.is_empty()) return DependenceAnswer::None;
      const Statement &one = first.statementIn(region), &other = second.statementIn(region);
      return pairs.is_subset(equalUpTo(pairs, commonLoops(one, other))) ? DependenceAnswer::SameIteration
                                                                        : DependenceAnswer::Carried;
    });
    return answer.value_or(DependenceAnswer::Carried);
  }

  const Region& region;
  std::vector<IndexValues> values; ///< per loop
};

} // namespace

std::optional<std::pair<long, long>> banerjeeBounds(long a, long b, long first, long last,
                                                    Direction direction) {
  // The pairs (x, y) are the whole points of a triangle or of a line, whose corners are whole; a sum has its
  // least and greatest value at corners.
  std::vector<std::pair<long, long>> corners;
  if (direction == Direction::Same && first <= last) corners = {{first, first}, {last, last}};
  if (direction == Direction::Earlier && first < last)
    corners = {{first, first + 1}, {first, last}, {last - 1, last}};
  if (direction == Direction::Later && first < last)
    corners = {{first + 1, first}, {last, first}, {last, last - 1}};
  std::optional<std::pair<long, long>> bounds;
  for (const auto& [x, y] : corners) {
    const long value = a * x - b * y;
    bounds = bounds ? std::pair(std::min(bounds->first, value), std::max(bounds->second, value))
                    : std::pair(value, value);
  }
  return bounds;
}

std::vector<ReferencePair> testedPairs(const Region& region, DependenceTest test) {
  std::vector<AccessRef> references;
  for (int s = 0; s < static_cast<int>(region.statements.size()); ++s)
    for (int a = 0; a < static_cast<int>(region.statements[s].accesses.size()); ++a) {
      const AccessRef one{s, a};
      if (one.in(region).kind != Access::Kind::Kill && !region.arrays[one.in(region).array].isScalar())
        references.push_back(one);
    }
  const Tester tester(region);
  std::vector<ReferencePair> pairs;
  for (std::size_t i = 0; i < references.size(); ++i)
    for (std::size_t j = 0; j < references.size(); ++j) {
      const Access &first = references[i].in(region), &second = references[j].in(region);
      if (first.array != second.array || !first.writes() || (second.writes() && j < i)) continue;
      ReferencePair pair = tester.pair(references[i], references[j], test);
      // Of a reference with itself nobody doubts that it meets itself; only the exact test tells more.
      if (i == j && tester.pair(references[i], references[j], DependenceTest::Exact).answer !=
                        DependenceAnswer::Carried)
        continue;
      pairs.push_back(std::move(pair));
    }
  return pairs;
}

std::string explained(const Region& region, const SubscriptEquation& equation, DependenceTest test) {
  if (test == DependenceTest::Exact) return "";
  std::string text;
  long divisor = 0;
  for (const SubscriptEquation::Term& term : equation.terms) {
    divisor = std::gcd(std::gcd(divisor, term.a), term.b);
    if (test != DependenceTest::Banerjee || (term.a == 0 && term.b == 0)) continue;
    text += fmt::format("; {}:", region.loops[term.loop].index);
    if (!term.last) {
      text += " no bounds are known";
      continue;
    }
    if (!term.isCommon) {
      const auto [low, high] = std::minmax({0L, (term.a - term.b) * *term.last});
      text += fmt::format(" {}..{}", low, high);
      continue;
    }
    const std::pair<Direction, const char*> directions[] = {
        {Direction::Earlier, "<"}, {Direction::Same, "="}, {Direction::Later, ">"}};
    const char* between = "";
    for (const auto& [direction, sign] : directions)
      if (auto bounds = banerjeeBounds(term.a, term.b, 0, *term.last, direction)) {
        text += fmt::format("{} {} {}..{}", between, sign, bounds->first, bounds->second);
        between = ",";
      }
  }
  if (test == DependenceTest::Banerjee) return fmt::format("{}{}", equation.constant, text);
  return fmt::format("{} {} {}", divisor,
                     (divisor == 0 ? equation.constant == 0 : equation.constant % divisor == 0)
                         ? "divides"
                         : "does not divide",
                     equation.constant);
}

} // namespace warploom
