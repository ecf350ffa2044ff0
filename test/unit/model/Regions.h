// Small regions written down by hand, for tests of the stages that read regions.
#pragma once

#include "model/Region.h"

#include <isl/set.h>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace warploom::test {

inline isl::set set(const std::string& text) {
  return isl::set(islContext(), text);
}
inline isl::map map(const std::string& text) {
  return isl::map(islContext(), text);
}

inline Array array(const std::string& name, int rank, Array::Storage storage = Array::Storage::Global) {
  Array made;
  made.name = made.variable = name;
  made.rank = rank;
  made.extents.resize(rank);
  made.extentTexts.resize(rank);
  made.storage = storage;
  made.element = {Type::Kind::Float, 64, "double"};
  return made;
}

inline Loop loop(const std::string& index, int parent = -1, int depth = 1, long step = 1) {
  Loop made;
  made.index = index;
  made.parent = parent;
  made.depth = depth;
  made.step = step;
  return made;
}

inline Access access(Access::Kind kind, int array, const std::string& relation) {
  Access made;
  made.kind = kind;
  made.array = array;
  made.map = map(relation);
  return made;
}

/// A statement `target = 0` that does what `accesses` say.
inline Statement statement(const std::string& domain, std::vector<int> loops, std::vector<int> position,
                           std::vector<Access> accesses = {}) {
  Statement made;
  made.domain = set(domain);
  made.name = isl_set_get_tuple_name(made.domain.get());
  made.loops = std::move(loops);
  made.position = std::move(position);
  made.body = makeExpr(Expr::Kind::Assign, "=", {},
                       {makeExpr(Expr::Kind::Opaque, "target"), makeExpr(Expr::Kind::Literal, "0")});
  made.accesses = std::move(accesses);
  return made;
}

/// The region of
///     for (i = 0; i < n; i++) {
///       x[i] = 0;                          // Zero
///       for (j = 0; j < m; j++)
///         x[i] += a[i][j];                 // Add
///     }
///     for (k = n - 1; k >= 0; k -= 2)
///       y = x[k];                          // Last
inline Region rowSums() {
  Region region;
  region.function = "rowSums";
  region.range.line = 3;
  region.context = set("[n, m] -> { : }");
  region.parameters = {{"n", "n", {}}, {"m", "m", {}}};
  region.arrays = {array("x", 1), array("a", 2), array("y", 0)};
  region.loops = {loop("i"), loop("j", 0, 2), loop("k", -1, 1, -2)};
  using Kind = Access::Kind;
  region.statements = {
      statement("[n, m] -> { Zero[i] : 0 <= i < n }", {0}, {0, 0},
                {access(Kind::Write, 0, "[n, m] -> { Zero[i] -> x[i] : 0 <= i < n }")}),
      statement("[n, m] -> { Add[i, j] : 0 <= i < n and 0 <= j < m }", {0, 1}, {0, 1, 0},
                {access(Kind::Read, 0, "[n, m] -> { Add[i, j] -> x[i] : 0 <= i < n and 0 <= j < m }"),
                 access(Kind::Read, 1, "[n, m] -> { Add[i, j] -> a[i, j] : 0 <= i < n and 0 <= j < m }"),
                 access(Kind::Write, 0, "[n, m] -> { Add[i, j] -> x[i] : 0 <= i < n and 0 <= j < m }")}),
      statement(
          "[n, m] -> { Last[k] : 0 <= k < n and (n - 1 - k) mod 2 = 0 }", {2}, {1, 0},
          {access(Kind::Read, 0, "[n, m] -> { Last[k] -> x[k] : 0 <= k < n and (n - 1 - k) mod 2 = 0 }"),
           access(Kind::Write, 2, "[n, m] -> { Last[k] -> y[] : 0 <= k < n and (n - 1 - k) mod 2 = 0 }")}),
  };
  return region;
}

} // namespace warploom::test
