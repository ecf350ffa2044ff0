// Regions for unit tests, written as C-like text, without a C front end in between.
#pragma once

#include "model/Region.h"

#include <map>
#include <string>
#include <vector>

namespace warploom {

/// When a statement runs.
struct When {
  std::string affine = {};              ///< constraint on its domain
  std::vector<std::string> guards = {}; ///< data-dependent conditions
};

/// Builds one region from loops and statements given in program order.
///
///     RegionBuilder r("n", "n >= 1");
///     r.array("a", 1);
///     r.loop("i", "1 <= i < n");
///     r.statement("a[i] = a[i-1] + 1");
///     Region region = r.region();
///
/// Subscripts and constraints are isl text. A subscript that holds an access, such as `h[b[i]]`, makes an
/// inexact access to the whole dimension. Loops and statements stand on lines of their own, counted from 1.
class RegionBuilder {
public:
  explicit RegionBuilder(const std::string& parameters = "", const std::string& context = "");

  /// Declares an array (rank 0: a scalar) of `double` or, on request, `int`. Returns a reference for further
  /// settings.
  Array& array(const std::string& name, int rank, const std::string& type = "double");
  /// Opens a loop inside the current one; `constraint` bounds its index, strides included.
  Loop& loop(const std::string& index, const std::string& constraint, long step = 1);
  /// Closes the innermost open loop.
  void end();
  /// An assignment inside the current loops.
  Statement& statement(const std::string& text, const When& when = {});
  /// Evaluates `condition` into the Predicate scalar `name`, to be used as a guard.
  Statement& predicate(const std::string& name, const std::string& condition);
  /// The values of `array` are dead from here on.
  Statement& kill(const std::string& array);
  /// The finished region, validated.
  Region region();

private:
  friend class BodyParser;
  Statement& place(const std::string& affine);

  Region made;
  std::string parameters;
  std::vector<int> open;                ///< the open loops
  std::vector<std::string> constraints; ///< theirs
  std::vector<int> counters{0};         ///< siblings seen at each level
  unsigned line = 0;
};

/// The index in `region` of the loop over `index`.
int loopNamed(const Region& region, const std::string& index);

} // namespace warploom
