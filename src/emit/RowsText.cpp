#include "emit/RowsText.h"

#include "analysis/Effort.h"
#include "emit/Definitions.h"
#include "emit/Refused.h"
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
        tables(static_cast<unsigned>(array.tableRank)) {}

  /// True when something of it is not bounded by the loops.
  bool asksHeap() const {
    return !last || std::any_of(ends.begin(), ends.end(), [](const auto& end) { return !end; });
  }

  /// What is used of a row, as a function of the subscripts of the tables; and where these end.
  void find() {
    const isl::set used = elements();
    exists = used.params();
    for (unsigned d = 0; d < tables; ++d) {
      isl_set* values = isl_set_project_out(used.copy(), isl_dim_set, d + 1, tables - d);
      values = isl_set_project_out(values, isl_dim_set, 0, d);
      ends.push_back(bound(own(values), true));
      if (ends.back()) ends.back() = ends.back()->add_constant(1);
    }
    isl_set* row = used.copy();
    for (unsigned d = 0; d < tables; ++d) {
      const unsigned at = static_cast<unsigned>(isl_set_dim(row, isl_dim_param));
      row = isl_set_move_dims(row, isl_dim_param, at, isl_dim_set, 0, 1);
      row = isl_set_set_dim_name(row, isl_dim_param, at, subscriptName(d).c_str());
    }
    const isl::set part = own(row).coalesce();
    isUsed = part.params();
    first = bound(part, false);
    last = bound(part, true);
  }

  void write(bool mayBeShorter, TextWriter& to) {
    const std::string type = typeName(array.element), rows = rowsName(scope, index);
    std::vector<std::string> ending, subscripts;
    const bool always = context.is_subset(exists);
    const std::string given = always ? "" : scope.text(exists.gist(context).coalesce());
    for (const auto& end : ends) {
      const std::string text = end ? scope.text(*end) : "warploom::allThere";
      ending.push_back(always ? text : fmt::format("{} ? {} : 0", given, text));
    }
    const std::string condition = scope.text(isUsed.gist(context.intersect(inTables())).coalesce());
    const std::string part = last ? fmt::format("warploom::RowPart{{{}, {}}}", scope.text(*first),
                                                scope.text(last->add_constant(1)))
                                  : "warploom::RowPart{0, warploom::allThere}";
    for (unsigned d = 0; d < tables; ++d) {
      const std::string name = scope.names.ofParameter(subscriptName(d));
      subscripts.push_back(mentions(condition + " " + part, name) ? "long " + name : "long");
    }
    to.open("warploom::Rows<{}> {}({}, {{{}}}, [&]({})", type, rows, tableName(scope, index),
            fmt::join(ending, ", "), fmt::join(subscripts, ", "));
    if (condition != "1") to.line("if (!({})) return warploom::RowPart();", condition);
    to.line("return {};", part);
    to.close(mayBeShorter ? ", true);" : ");");
  }

private:
  std::string subscriptName(unsigned d) const {
    return array.name + " row" + (tables > 1 ? std::to_string(d) : "");
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
        range = isl_set_project_out(range, isl_dim_set, tables + 1, rank - tables - 1);
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
  const unsigned tables;
  isl::set exists, isUsed;
  std::vector<std::optional<isl::pw_aff>> ends; ///< nothing: all there is
  std::optional<isl::pw_aff> first, last;       ///< nothing: all of the row
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
  for (int d = 1; d < array.rank; ++d)
    to.line("const long {} = {}.extent({});", scope.text(*array.extents[static_cast<std::size_t>(d)]), rows,
            d);
}

} // namespace warploom
