#include "driver/TiledC.h"

#include "cases/Tiling.h"
#include "frontend/Frontend.h"
#include "strategy/Decide.h"
#include "support/Identifiers.h"
#include "support/IslC.h"

#include <algorithm>
#include <fmt/format.h>
#include <isl/constraint.h>
#include <isl/map.h>
#include <isl/set.h>

namespace warploom {

namespace {

using cases::Polynomial;
using cases::TilingRefused;

/// What is not negative in the set: an inequality each, two for an equation.
std::vector<Polynomial> constraintsOf(const isl::set& set, const std::vector<std::string>& names) {
  struct Reading {
    const std::vector<std::string>& names;
    std::vector<Polynomial> found;
  } reading{names, {}};
  isl_set* plain = isl_set_coalesce(set.copy());
  const bool isOne = isl_set_n_basic_set(plain) == 1;
  isl_set_free(plain);
  if (!isOne) throw TilingRefused("its iterations are not one convex set");
  isl_basic_set* hull = isl_set_simple_hull(set.copy());
  const bool hasDivisions = isl_basic_set_dim(hull, isl_dim_div) > 0;
  isl_basic_set_foreach_constraint(
      hull,
      [](isl_constraint* constraint, void* data) {
        auto& to = *static_cast<Reading*>(data);
        auto value = [](isl_val* v) {
          const mpq_class number(isl_val_get_num_si(v));
          isl_val_free(v);
          return Polynomial(number);
        };
        Polynomial sum = value(isl_constraint_get_constant_val(constraint));
        const auto parameters = static_cast<unsigned>(isl_constraint_dim(constraint, isl_dim_param));
        for (unsigned k = 0; k < parameters; ++k)
          sum = sum +
                value(isl_constraint_get_coefficient_val(constraint, isl_dim_param, static_cast<int>(k))) *
                    Polynomial::symbol(isl_constraint_get_dim_name(constraint, isl_dim_param, k));
        for (unsigned k = 0; k < to.names.size(); ++k)
          sum =
              sum + value(isl_constraint_get_coefficient_val(constraint, isl_dim_set, static_cast<int>(k))) *
                        Polynomial::symbol(to.names[k]);
        to.found.push_back(sum);
        if (isl_constraint_is_equality(constraint)) to.found.push_back(-sum);
        isl_constraint_free(constraint);
        return isl_stat_ok;
      },
      &reading);
  isl_basic_set_free(hull);
  if (hasDivisions) throw TilingRefused("its iterations are not all of a convex set");
  return reading.found;
}

class Tiler {
public:
  Tiler(const FileRegions& f, const std::string& m) : file(f), map(m) {}

  /// The nest that stands in place of the region. Throws TilingRefused.
  std::string tile(const Region& source) {
    const AnalysedRegion analysed = analyseRegion(source);
    if (analysed.refused) throw TilingRefused(analysed.refused->reason);
    const Region& region = analysed.region;
    if (!analysed.facts.gaveUp.empty()) throw TilingRefused(analysed.facts.gaveUp);
    const Statement* only = nullptr;
    for (const Statement& one : region.statements) {
      if (one.kind == Statement::Kind::Kill || one.afterLoop >= 0) continue;
      if (only || one.kind != Statement::Kind::Assign || !one.guards.empty())
        throw TilingRefused("it is no nest of one assignment");
      only = &one;
    }
    if (!only || only->loops.size() != region.loops.size())
      throw TilingRefused("it is no nest of one assignment");
    cases::AffineNest nest;
    for (std::size_t k = 0; k < region.loops.size(); ++k) {
      const Loop& loop = region.loops[k];
      if (loop.step != 1 || !loop.inexactBounds.empty() || !loop.mustStaySequential.empty() ||
          (k > 0 && loop.parent != static_cast<int>(k) - 1))
        throw TilingRefused(fmt::format("the loop over '{}' does not count in steps of 1", loop.index));
      nest.counters.push_back(loop.index);
    }
    if (region.range.begin != region.loops.front().range.begin ||
        region.range.end != region.loops.front().range.end)
      throw TilingRefused("there is more in the region than one nest");
    for (const Parameter& parameter : region.parameters)
      if (parameter.text != parameter.name)
        throw TilingRefused(fmt::format("'{}' is no name of a size", parameter.text));
    nest.domain = constraintsOf(only->domain, nest.counters);
    for (const Polynomial& known : constraintsOf(region.context, {}))
      nest.facts.push_back({cases::atMost(0, known)});

    std::vector<cases::TilingAxis> axes = axesOf(nest.counters);
    setParallel(*only, analysed.facts.dependences, nest.counters, axes);
    for (const cases::TilingAxis& axis : axes)
      if (!axis.size.empty()) nest.facts.push_back({cases::atMost(1, Polynomial::symbol(axis.size))});
    const cases::Tiling tiling = cases::tiled(nest, axes);

    std::vector<std::string> arrays;
    for (const Array& array : region.arrays)
      if (array.rank > 0 && array.name == array.variable && array.field.empty()) arrays.push_back(array.name);
    const Loop& last = region.loops.back();
    std::size_t line = file.source.rfind('\n', region.range.begin);
    line = line == std::string::npos ? 0 : line + 1;
    const std::string indent(region.range.begin - line, ' ');
    std::string conditions;
    for (const Condition& condition : region.conditions)
      conditions += fmt::format("{}{}", conditions.empty() ? "" : ", ", condition.text);
    // The body as it is written, with its semicolon where it is no block.
    std::string body = file.source.substr(last.header.end, last.range.end - last.header.end);
    body.erase(0, body.find_first_not_of(" \t\r\n"));
    if (!body.ends_with("}") && !body.ends_with(";")) body += ";";
    const std::string text = tiling.metafork(body, arrays, indent);
    said += fmt::format("{}:{}: remark: {}: {}{}\n", file.file, region.range.line, region.function,
                        tiling.text(), conditions.empty() ? "" : ", if " + conditions);
    return text.substr(indent.size());
  }

  std::vector<std::string> sizes; ///< of tiles, all that were given
  std::string said;               ///< what was found

private:
  /// The coordinates that the user gives, or the loops' own.
  std::vector<cases::TilingAxis> axesOf(const std::vector<std::string>& counters) const {
    std::vector<cases::TilingAxis> axes;
    if (map.empty()) {
      for (const std::string& counter : counters)
        axes.push_back({counter, Polynomial::symbol(counter)});
      return axes;
    }
    for (std::size_t at = 0; at <= map.size();) {
      const std::size_t end = std::min(map.find(',', at), map.size()), equals = map.find('=', at);
      if (equals == std::string::npos || equals >= end) throw TilingRefused("--map is written p=i+j,t=n-j");
      std::string name = map.substr(at, equals - at);
      std::erase(name, ' ');
      const bool isName =
          !name.empty() && !isReserved(name) && std::all_of(name.begin(), name.end(), [](char c) {
            return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
          });
      if (!isName || (name[0] >= '0' && name[0] <= '9')) throw TilingRefused("--map is written p=i+j,t=n-j");
      try {
        axes.push_back({name, Polynomial::parse(map.substr(equals + 1, end - equals - 1))});
      } catch (const std::invalid_argument&) {
        throw TilingRefused("--map is written p=i+j,t=n-j");
      }
      at = end + 1;
    }
    return axes;
  }

  /// Gives those coordinates sizes along which nothing depends on anything; all that depends must run later
  /// along the others.
  void setParallel(const Statement& statement, const Dependences& known,
                   const std::vector<std::string>& counters, std::vector<cases::TilingAxis>& axes) {
    std::vector<std::string> values;
    for (const cases::TilingAxis& axis : axes) {
      for (const auto& [monomial, coefficient] : axis.is.monomials())
        if (monomial.size() > 1 || (!monomial.empty() && monomial.begin()->second > 1) ||
            coefficient.get_den() != 1)
          throw TilingRefused(fmt::format("'{}' is not linear", axis.name));
      values.push_back(axis.is.text());
    }
    std::set<std::string> parameters;
    for (const cases::TilingAxis& axis : axes)
      for (const std::string& name : axis.is.symbols())
        if (std::find(counters.begin(), counters.end(), name) == counters.end()) parameters.insert(name);
    const isl::map to(islContext(),
                      fmt::format("[{}] -> {{ {}[{}] -> [{}] }}", fmt::join(parameters, ", "), statement.name,
                                  fmt::join(counters, ", "), fmt::join(values, ", ")));
    const auto count = static_cast<unsigned>(axes.size());
    isl::set apart = own(isl_set_empty(isl_space_set_alloc(islContext().get(), 0, count)));
    for (const Dependence& one : known.all) {
      if (one.source.statement != one.sink.statement) continue;
      const isl::map moved = one.relation.apply_domain(to).apply_range(to);
      apart = apart.unite(own(isl_map_deltas(moved.copy())));
    }
    std::vector<std::size_t> parallel;
    for (unsigned k = 0; k < count; ++k) {
      isl::set still = own(isl_set_fix_si(apart.copy(), isl_dim_set, k, 0));
      if (apart.is_subset(still) && parallel.size() < 3) parallel.push_back(k);
    }
    if (parallel.empty()) throw TilingRefused("no coordinate of it is parallel");
    // What depends is later along the first of the other coordinates in which it differs.
    isl::set later = own(isl_set_empty(isl_space_set_alloc(islContext().get(), 0, count)));
    for (unsigned k = 0; k < count; ++k) {
      if (std::find(parallel.begin(), parallel.end(), k) != parallel.end()) continue;
      isl_set* here = isl_set_lower_bound_si(
          isl_set_universe(isl_space_set_alloc(islContext().get(), 0, count)), isl_dim_set, k, 1);
      for (unsigned before = 0; before < k; ++before)
        here = isl_set_fix_si(here, isl_dim_set, before, 0);
      later = later.unite(own(here));
    }
    if (!apart.is_subset(later))
      throw TilingRefused("in these coordinates something would run before what it depends on");
    for (std::size_t n = 0; n < parallel.size(); ++n) {
      std::string name = parallel.size() == 1 ? "B" : fmt::format("B{}", n);
      while (mentionsWord(file.source, name) && !isDeclaredElsewhere(name))
        name += "_";
      axes[parallel[n]].size = name;
      if (std::find(sizes.begin(), sizes.end(), name) == sizes.end()) sizes.push_back(name);
    }
  }

  /// The file says that some other one has the size: this is the one.
  bool isDeclaredElsewhere(const std::string& name) const {
    return file.source.find("extern int " + name + ";") != std::string::npos;
  }

  const FileRegions& file;
  const std::string& map;
};

} // namespace

std::optional<std::string> tiledText(const std::string& file, const std::string& map,
                                     const std::vector<std::string>& flags) {
  FrontendOptions options;
  options.files = {file};
  options.compilerFlags = flags;
  const std::vector<FileRegions> read = readFiles(options);
  const FileRegions& regions = read.front();
  if (!regions.compiled) return std::nullopt;
  Tiler tiler(regions, map);
  std::string text = regions.source, refused;
  std::size_t first = std::string::npos;
  for (auto region = regions.regions.rbegin(); region != regions.regions.rend(); ++region) {
    try {
      const std::string nest = tiler.tile(*region);
      text.replace(region->range.begin, region->range.end - region->range.begin, nest);
      first = region->range.begin;
    } catch (const TilingRefused& why) {
      refused += fmt::format("{}:{}: remark: the region {} stays as it was: {}\n", file, region->range.line,
                             region->name(), why.what());
    }
  }
  fmt::print(stderr, "{}{}", refused, tiler.said);
  if (first == std::string::npos) {
    fmt::print(stderr, "{}: error: it has no nest that can be tiled\n", file);
    return std::nullopt;
  }
  std::string sizes;
  for (const std::string& name : tiler.sizes)
    sizes += fmt::format("int {} = 32;\n", name);
  return sizes + text;
}

} // namespace warploom
