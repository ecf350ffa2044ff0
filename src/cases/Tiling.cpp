#include "cases/Tiling.h"

#include <algorithm>
#include <fmt/format.h>

namespace warploom::cases {

namespace {

/// 1 or -1 where all values of the factor have that sign or are 0; 0 where it is not known.
int signOf(const Polynomial& factor) {
  return factor.hasNoMinus() ? 1 : (-factor).hasNoMinus() ? -1 : 0;
}

class Tiler {
public:
  Tiler(const AffineNest& n, const std::vector<TilingAxis>& a) : nest(n), axes(a), questions(n.facts) {}

  Tiling tile() {
    solve();
    std::vector<Polynomial> system;
    for (Polynomial p : nest.domain) {
      for (const auto& [counter, value] : result.counters)
        p = p.substitute(counter, value);
      system.push_back(p);
    }
    // Coordinates without tiles run inside, the last one innermost.
    for (auto axis = axes.rbegin(); axis != axes.rend(); ++axis)
      if (axis->size.empty()) eliminate(system, {TileLoop::Kind::Serial, axis->name, {}, {}}, system);
    for (const Polynomial& p : system)
      result.points = result.points.with(atMost(0, p));
    std::vector<TilingAxis> cut;
    for (const TilingAxis& axis : axes)
      if (!axis.size.empty()) cut.push_back(axis);
    for (const TilingAxis& axis : cut) {
      if (!follows(system, Polynomial::symbol(axis.name)))
        throw TilingRefused(fmt::format("'{}' may be negative", axis.name));
      const Polynomial size = Polynomial::symbol(axis.size),
                       thread = Polynomial::symbol(axis.name + "_thread"),
                       is = Polynomial::symbol(axis.name + "_block") * size + thread;
      result.tiled.emplace_back(axis.name, is);
      for (Polynomial& p : system)
        p = p.substitute(axis.name, is);
      system.insert(system.begin(),
                    {Polynomial::symbol(axis.name + "_block"), thread, size - Polynomial(1) - thread});
    }
    for (auto axis = cut.rbegin(); axis != cut.rend(); ++axis)
      eliminate(system, {TileLoop::Kind::Thread, axis->name + "_thread", {}, {}}, system);
    for (auto axis = cut.rbegin(); axis != cut.rend(); ++axis)
      eliminate(system, {TileLoop::Kind::Block, axis->name + "_block", {}, {}}, system);
    std::reverse(result.loops.begin(), result.loops.end());
    result.points = simplifiedPoints();
    return std::move(result);
  }

private:
  /// What the counters are of the coordinates: elimination in the axes' equations.
  void solve() {
    if (axes.size() != nest.counters.size())
      throw TilingRefused(
          fmt::format("{} coordinates are given for {} counters", axes.size(), nest.counters.size()));
    // Each row: sum of factors times counters = value.
    std::vector<std::pair<std::vector<mpq_class>, Polynomial>> rows;
    for (const TilingAxis& axis : axes) {
      std::vector<mpq_class> factors;
      Polynomial rest = axis.is;
      for (const std::string& counter : nest.counters) {
        const auto factor = axis.is.coefficient(counter, 1).asConstant();
        if (axis.is.degree(counter) > 1 || !factor)
          throw TilingRefused(fmt::format("'{}' is not linear in '{}'", axis.name, counter));
        factors.push_back(*factor);
        rest = rest - Polynomial(*factor) * Polynomial::symbol(counter);
      }
      rows.emplace_back(factors, Polynomial::symbol(axis.name) - rest);
    }
    for (std::size_t k = 0; k < rows.size(); ++k) {
      auto pivot = std::find_if(rows.begin() + static_cast<std::ptrdiff_t>(k), rows.end(),
                                [&](const auto& row) { return row.first[k] != 0; });
      if (pivot == rows.end()) throw TilingRefused("the coordinates do not tell the points apart");
      std::iter_swap(rows.begin() + static_cast<std::ptrdiff_t>(k), pivot);
      const mpq_class by = rows[k].first[k];
      for (mpq_class& factor : rows[k].first)
        factor /= by;
      rows[k].second = rows[k].second * Polynomial(mpq_class(1 / by));
      for (std::size_t other = 0; other < rows.size(); ++other) {
        const mpq_class times = rows[other].first[k];
        if (other == k || times == 0) continue;
        for (std::size_t d = 0; d < rows.size(); ++d)
          rows[other].first[d] -= times * rows[k].first[d];
        rows[other].second = rows[other].second - Polynomial(times) * rows[k].second;
      }
    }
    for (std::size_t k = 0; k < rows.size(); ++k) {
      for (const auto& [monomial, coefficient] : rows[k].second.monomials())
        if (coefficient.get_den() != 1) throw TilingRefused("coordinates leave points out");
      result.counters.emplace_back(nest.counters[k], rows[k].second);
    }
  }

  /// Coordinates may be negative, which symbols of questions are not.
  Polynomial shifted(Polynomial p) const {
    for (const TilingAxis& axis : axes)
      p = p.substitute(axis.name, Polynomial::symbol(axis.name + "+") - Polynomial::symbol(axis.name + "-"));
    return p;
  }
  bool follows(const std::vector<Polynomial>& system, const Polynomial& p) {
    System from;
    for (const Polynomial& one : system)
      from = from.with(atMost(0, shifted(one)));
    return questions.implies(from, atMost(0, shifted(p)));
  }

  /// Adds the loop with its bounds in `system`; `rest` is then what is left of that: the shadow. It is exact
  /// where the loop's factors are 1 or -1 on one side; others would leave out points that have no iteration.
  void eliminate(const std::vector<Polynomial>& system, TileLoop loop, std::vector<Polynomial>& rest) {
    std::vector<std::pair<Polynomial, Polynomial>> low, high; // factor > 0, and the other part
    std::vector<Polynomial> left;
    for (const Polynomial& p : system) {
      if (p.degree(loop.name) == 0) {
        left.push_back(p);
        continue;
      }
      const Polynomial factor = p.coefficient(loop.name, 1), other = p.coefficient(loop.name, 0);
      const int sign = signOf(factor);
      if (p.degree(loop.name) > 1 || sign == 0)
        throw TilingRefused(fmt::format("on which side '{}' bounds '{}' is not known", p.text(), loop.name));
      (sign > 0 ? low : high).emplace_back(sign > 0 ? factor : -factor, other);
    }
    auto isOne = [](const auto& bound) { return bound.first == Polynomial(1); };
    const bool isLast = loop.kind == TileLoop::Kind::Block;
    if (!isLast && !std::all_of(low.begin(), low.end(), isOne) &&
        !std::all_of(high.begin(), high.end(), isOne))
      throw TilingRefused(fmt::format("bounds of '{}' are multiples on both sides", loop.name));
    // Bounds that follow from the others say nothing.
    auto needed = [&](std::vector<std::pair<Polynomial, Polynomial>>& bounds, bool isLow) {
      for (std::size_t k = bounds.size(); k-- > 0;) {
        std::vector<Polynomial> others = left;
        for (const auto* side : {&low, &high})
          for (const auto& bound : *side)
            if (&bound != &bounds[k])
              others.push_back(bound.second +
                               (side == &low ? bound.first : -bound.first) * Polynomial::symbol(loop.name));
        const Polynomial own =
            bounds[k].second + (isLow ? bounds[k].first : -bounds[k].first) * Polynomial::symbol(loop.name);
        if (bounds.size() > 1 && follows(others, own))
          bounds.erase(bounds.begin() + static_cast<std::ptrdiff_t>(k));
      }
    };
    needed(low, true);
    needed(high, false);
    if (low.empty() || high.empty()) throw TilingRefused(fmt::format("'{}' has no end", loop.name));
    for (const auto& [factor, other] : low)
      loop.low.push_back({-other, factor});
    for (const auto& [factor, other] : high)
      loop.high.push_back({other, factor});
    for (const auto& [up, lower] : low)
      for (const auto& [down, upper] : high) {
        const Polynomial gap = upper * up + lower * down;
        if (gap.asConstant() && *gap.asConstant() >= 0) continue;
        if (std::find(left.begin(), left.end(), gap) == left.end() && !follows(left, gap))
          left.push_back(gap);
      }
    result.loops.push_back(std::move(loop));
    rest = std::move(left);
  }

  /// Without what follows from the rest.
  System simplifiedPoints() {
    std::vector<Polynomial> all;
    for (const Constraint& one : result.points.all)
      all.push_back(one.right - one.left);
    for (std::size_t k = all.size(); k-- > 0;) {
      std::vector<Polynomial> others = all;
      others.erase(others.begin() + static_cast<std::ptrdiff_t>(k));
      if (follows(others, all[k])) all = std::move(others);
    }
    System points;
    for (const Polynomial& p : all)
      points = points.with(atMost(0, p));
    return points;
  }

  const AffineNest& nest;
  const std::vector<TilingAxis>& axes;
  Questions questions;
  Tiling result;
};

/// The greatest or least of bounds as text.
std::string extreme(const std::vector<TileBound>& bounds, const char* which) {
  std::vector<std::string> texts;
  for (const TileBound& bound : bounds)
    texts.push_back(bound.text());
  return texts.size() == 1 ? texts.front() : fmt::format("{}({})", which, fmt::join(texts, ", "));
}

/// The same in C, the quotient of numbers that are not negative.
std::string inC(const std::vector<TileBound>& bounds, bool isLow) {
  std::string text;
  for (const TileBound& bound : bounds) {
    std::string one = bound.over.c();
    if (!(bound.under == Polynomial(1)))
      one = isLow ? fmt::format("(({0}) + ({1}) - 1) / ({1})", one, bound.under.c())
                  : fmt::format("({}) / ({})", one, bound.under.c());
    text =
        text.empty() ? one : fmt::format("(({0}) {2} ({1}) ? ({0}) : ({1}))", text, one, isLow ? ">" : "<");
  }
  return text;
}

} // namespace

std::string TileBound::text() const {
  if (under == Polynomial(1)) return over.text();
  auto inside = [](const Polynomial& p) {
    return p.monomials().size() > 1 ? "(" + p.text() + ")" : p.text();
  };
  return inside(over) + "/" +
         (under.asSymbol() || under.asConstant() ? under.text() : "(" + under.text() + ")");
}

std::string Tiling::text() const {
  std::vector<std::string> parts;
  auto loop = [&](const TileLoop& one) {
    parts.push_back(
        fmt::format("{} <= {} <= {}", extreme(one.low, "max"), one.name, extreme(one.high, "min")));
  };
  for (const TileLoop& one : loops)
    if (one.kind != TileLoop::Kind::Serial) loop(one);
  for (const auto& [name, is] : tiled)
    parts.push_back(fmt::format("{} = {}", name, is.text()));
  for (const TileLoop& one : loops)
    if (one.kind == TileLoop::Kind::Serial) loop(one);
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string Tiling::metafork(const std::string& body, const std::vector<std::string>& cache,
                             const std::string& indent) const {
  std::string text = indent + "{\n", in = indent + "  ";
  for (const TileLoop& loop : loops)
    if (loop.kind == TileLoop::Kind::Block) {
      // Where there are no points the end may be negative; what is left over is kept out by the condition
      // below.
      const TileBound& end = loop.high.front();
      text += fmt::format("{0}int {1}s = ({2}) < 0 ? 0 : ({2}) / ({3}) + 1;\n", in, loop.name, end.over.c(),
                          end.under.c());
    }
  text += fmt::format("{}meta_schedule {}{{\n", in,
                      cache.empty() ? "" : fmt::format("cache({}) ", fmt::join(cache, ", ")));
  auto deeper = [&] { in += "  "; };
  deeper();
  for (const TileLoop& loop : loops) {
    if (loop.kind == TileLoop::Kind::Serial) continue;
    std::string end = loop.name + "s";
    if (loop.kind == TileLoop::Kind::Thread)
      for (const auto& [name, is] : tiled)
        if (loop.name == name + "_thread") end = is.coefficient(name + "_block", 1).text();
    text += fmt::format("{0}meta_for (int {1} = 0; {1} < {2}; {1}++)\n", in, loop.name, end);
    deeper();
  }
  text += in + "{\n";
  deeper();
  for (const auto& [name, is] : tiled)
    text += fmt::format("{}int {} = {};\n", in, name, is.c());
  std::vector<std::string> conditions;
  for (const Constraint& one : points.all)
    conditions.push_back(one.c());
  if (!conditions.empty()) {
    text += fmt::format("{}if ({})\n", in, fmt::join(conditions, " && "));
    deeper();
  }
  for (const TileLoop& loop : loops) {
    if (loop.kind != TileLoop::Kind::Serial) continue;
    text += fmt::format("{0}for (int {1} = {2}; {1} < {3} + 1; {1}++)\n", in, loop.name, inC(loop.low, true),
                        inC(loop.high, false));
    deeper();
  }
  text += in + "{\n";
  deeper();
  for (const auto& [name, is] : counters)
    if (!(is == Polynomial::symbol(name))) text += fmt::format("{}int {} = {};\n", in, name, is.c());
  text += fmt::format("{}{}\n", in, body);
  auto close = [&](std::size_t depth) { text += std::string(depth, ' ') + "}\n"; };
  close(in.size() - 2);
  const std::size_t outer =
      indent.size() + 4 +
      2 * static_cast<std::size_t>(std::count_if(loops.begin(), loops.end(), [](const TileLoop& loop) {
        return loop.kind != TileLoop::Kind::Serial;
      }));
  close(outer);
  close(indent.size() + 2);
  return text + indent + "}";
}

Tiling tiled(const AffineNest& nest, const std::vector<TilingAxis>& axes) {
  return Tiler(nest, axes).tile();
}

} // namespace warploom::cases
