#include "emit/RowsText.h"

#include "analysis/Effort.h"
#include "emit/Definitions.h"
#include "emit/Refused.h"
#include "support/Isl.h"
#include "support/IslC.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <isl/aff.h>
#include <isl/map.h>
#include <isl/set.h>

namespace warploom {

namespace {

/// What isl may do to find out how much of the rows is used.
constexpr unsigned long rowsOperations = 2'000'000;

class RowsWriter {
public:
  RowsWriter(LauncherScope& scope, int index, const isl::set& known)
      : scope(scope), context(known), index(index),
        array(scope.region.arrays[static_cast<std::size_t>(index)]),
        tables(static_cast<unsigned>(array.tables.size())),
        subscripts(static_cast<unsigned>(array.rank) - tables) {}

  /// True when something of it is not bounded by the loops.
  bool asksHeap() const {
    return last.empty() || std::any_of(ends.begin(), ends.end(), [](const auto& end) { return !end; });
  }

  /// What is used of a row, as a function of the subscripts of the tables; and where these end.
  void find() {
    const isl::set used = elements();
    exists = used.params();
    for (unsigned d = 0; d < tables; ++d) {
      isl_set* values = isl_set_project_out(used.copy(), isl_dim_set, d + 1, tables + subscripts - d - 1);
      values = isl_set_project_out(values, isl_dim_set, 0, d);
      ends.push_back(bound(own(values), true));
      if (ends.back()) ends.back() = ends.back()->add_constant(1);
      if (const long count = array.tables[d].count; !ends.back() && count > 0) ends.back() = constant(count);
    }
    isl_set* row = used.copy();
    for (unsigned d = 0; d < tables; ++d) {
      const unsigned at = static_cast<unsigned>(isl_set_dim(row, isl_dim_param));
      row = isl_set_move_dims(row, isl_dim_param, at, isl_dim_set, 0, 1);
      row = isl_set_set_dim_name(row, isl_dim_param, at, subscriptName(d).c_str());
    }
    const isl::set part = own(row).coalesce();
    isUsed = part.params();
    findEnds(part);
  }

  void write(bool mayBeShorter, TextWriter& to) {
    const std::string type = typeName(array.element), rows = rowsName(scope, index);
    std::vector<std::string> ending, arguments;
    const bool always = context.is_subset(exists);
    const std::string given = always ? "" : scope.text(exists.gist(context).coalesce());
    for (unsigned d = 0; d < tables; ++d) {
      std::string end = ends[d] ? scope.text(*ends[d]) : "warploom::allThere";
      if (!always) end = fmt::format("{} ? {} : 0", given, end);
      ending.push_back(stepText(array.tables[d], end));
    }
    const std::string condition = scope.text(isUsed.gist(context.intersect(inTables())).coalesce());
    const std::string part = last.empty() ? "warploom::RowPart{0, warploom::allThere}"
                                          : fmt::format("warploom::RowPart{{{}, {}}}", positionText(first, 0),
                                                        positionText(last, 1));
    for (unsigned d = 0; d < tables; ++d) {
      const std::string name = scope.names.ofParameter(subscriptName(d));
      arguments.push_back(mentions(condition + " " + part, name) ? "long " + name : "long");
    }
    to.open("warploom::Rows<{}> {}({}, {{{}}}, [&]({})", type, rows, tableName(scope, index),
            fmt::join(ending, ", "), fmt::join(arguments, ", "));
    if (condition != "1") to.line("if (!({})) return warploom::RowPart();", condition);
    to.line("return {};", part);
    const std::string length = rowLength();
    if (length.empty())
      to.close(mayBeShorter ? ", true);" : ");");
    else
      to.close(fmt::format(", {}, {});", mayBeShorter, length));
  }

private:
  std::string subscriptName(unsigned d) const {
    return array.name + " row" + (tables > 1 ? std::to_string(d) : "");
  }

  /// A subscript that ends at `end`, as a value of warploom::Table.
  static std::string stepText(const TableStep& step, const std::string& end) {
    constexpr long pointer = sizeof(void*);
    if (!step.follows) return fmt::format("warploom::apart({}, {}, {})", end, step.apart, step.at);
    if (step.at == 0 && step.apart == pointer) return end;
    return fmt::format("warploom::Table({}, {}, {})", end, step.apart, step.at);
  }

  /// How many elements rows are made of at a time, where they have rows of their own; else empty.
  std::string rowLength() const {
    std::string length;
    for (std::size_t d = tables + 1; d < static_cast<std::size_t>(array.rank); ++d) {
      if (!array.extents[d])
        throw EmissionRefused(array.declaration,
                              "the size of a dimension of `" + array.name + "` is not known");
      length += (length.empty() ? "" : " * ") + asFactor(scope.text(*array.extents[d]));
    }
    return length;
  }

  /// Where in a row the element with subscripts `at` is, or the one so many `further`.
  std::string positionText(const std::vector<isl::pw_aff>& at, int further) {
    std::string text = scope.text(at.size() == 1 ? at[0].add_constant(further) : at[0]);
    for (std::size_t k = 1; k < at.size(); ++k) {
      const isl::pw_aff value = k + 1 == at.size() ? at[k].add_constant(further) : at[k];
      const std::string own = scope.text(value);
      if (text == "0")
        text = own;
      else
        text = asFactor(text) + " * " + asFactor(scope.text(*array.extents[tables + k])) +
               (own == "0" ? "" : " + " + own);
    }
    return text;
  }

  /// Finds the first and the last element of `part` of a row, unless that has no bounds.
  void findEnds(const isl::set& part) {
    if (subscripts == 1) {
      const auto least = bound(part, false), most = bound(part, true);
      if (most) first = {least.value_or(constant(0))}, last = {*most};
      return;
    }
    const isl::set plain = own(isl_set_remove_divs(part.copy()));
    for (unsigned d = 0; d < subscripts; ++d)
      if (!own(isl_set_dim_has_lower_bound(plain.get(), isl_dim_set, d)) ||
          !own(isl_set_dim_has_upper_bound(plain.get(), isl_dim_set, d)))
        return;
    const isl::set here = context.intersect(part.params());
    auto ends = [&](isl_pw_multi_aff* element) {
      std::vector<isl::pw_aff> result;
      for (unsigned d = 0; d < subscripts; ++d)
        result.push_back(
            own(isl_pw_multi_aff_get_pw_aff(element, static_cast<int>(d))).gist_params(here).coalesce());
      isl_pw_multi_aff_free(element);
      return result;
    };
    first = ends(isl_set_lexmin_pw_multi_aff(part.copy()));
    last = ends(isl_set_lexmax_pw_multi_aff(part.copy()));
  }

  /// The elements that the region may use.
  isl::set elements() const {
    std::optional<isl::set> all;
    for (const Statement& statement : scope.region.statements)
      for (const Access& access : statement.accesses) {
        if (access.kind == Access::Kind::Kill || statement.kind == Statement::Kind::Kill ||
            memoryOf(scope.region, access.array) != index)
          continue;
        isl_set* range = isl_set_reset_tuple_id(access.map.range().release());
        const auto rank = static_cast<unsigned>(isl_set_dim(range, isl_dim_set));
        range = isl_set_project_out(range, isl_dim_set, tables + subscripts, rank - tables - subscripts);
        all = all ? all->unite(own(range)) : own(range);
      }
    if (!all) throw EmissionRefused(array.declaration, "nothing of `" + array.name + "` is used");
    return all->intersect_params(context).coalesce();
  }

  /// The least or the largest value, a function of the parameters; nothing where `values` have no bounds.
  std::optional<isl::pw_aff> bound(const isl::set& values, bool isLargest) const {
    const isl::set plain = own(isl_set_remove_divs(values.copy()));
    if (!own(isl_set_dim_has_lower_bound(plain.get(), isl_dim_set, 0)) ||
        !own(isl_set_dim_has_upper_bound(plain.get(), isl_dim_set, 0)))
      return std::nullopt;
    const isl::pw_aff found =
        own(isLargest ? isl_set_dim_max(values.copy(), 0) : isl_set_dim_min(values.copy(), 0));
    return found.gist_params(context.intersect(values.params())).coalesce();
  }

  /// That the subscripts of the tables are within them.
  isl::set inTables() const {
    isl::set result = isl::set::universe(isl::space::unit(islContext()).params());
    for (unsigned d = 0; d < tables; ++d) {
      const isl::pw_aff at = parameter(subscriptName(d));
      result = result.intersect(at.ge_set(constant(0)));
      if (ends[d]) result = result.intersect(at.lt_set(*ends[d]));
    }
    return result;
  }

  LauncherScope& scope;
  const isl::set context; ///< what is known of the parameters
  const int index;
  const Array& array;
  const unsigned tables, subscripts; ///< that lead to rows, and that these have
  isl::set exists, isUsed;
  std::vector<std::optional<isl::pw_aff>> ends; ///< nothing: all there is
  std::vector<isl::pw_aff> first, last;         ///< subscripts in a row; empty: all of it
};

} // namespace

std::string tableName(LauncherScope& scope, int array) {
  return scope.names.of(scope.region.arrays[static_cast<std::size_t>(array)].name + " table");
}

std::string rowsName(LauncherScope& scope, int array) {
  return scope.names.of(scope.region.arrays[static_cast<std::size_t>(array)].name + " rows");
}

bool writeRows(LauncherScope& scope, int array, const isl::set& known, bool mayBeShorter, TextWriter& to) {
  RowsWriter writer(scope, array, known);
  const auto isFound = limited(
      [&] {
        writer.find();
        return true;
      },
      rowsOperations);
  if (!isFound) {
    const Array& object = scope.region.arrays[static_cast<std::size_t>(array)];
    throw EmissionRefused(object.declaration,
                          "finding how much is used of the rows of `" + object.name + "` takes too long");
  }
  writer.write(mayBeShorter, to);
  return writer.asksHeap();
}

void writeMatrix(LauncherScope& scope, int index, bool byName, TextWriter& to) {
  const Array& array = scope.region.arrays[static_cast<std::size_t>(index)];
  const std::string rows = rowsName(scope, index);
  to.line("if ({0}.problem()) return region.stayOnHost({0}.problem());", rows);
  if (byName)
    to.line("{}* const {} = {}.first();", typeName(array.element), scope.names.of(array.name), rows);
  for (std::size_t d = 1; d <= array.tables.size(); ++d)
    to.line("const long {} = {}.extent({});", scope.text(*array.extents[d]), rows, d);
}

} // namespace warploom
