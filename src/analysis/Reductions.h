// Which statements combine values into an accumulator by an operation whose order may be changed, and which
// of them make a loop a reduction.
#pragma once

#include "analysis/Dependences.h"

#include <optional>
#include <string>
#include <vector>

namespace warploom {

/// A statement of the form `x = x op e`, in any of the ways C programs write it, `e` not reading `x`.
struct Accumulation {
  int statement = -1;
  int array = -1;
  std::string op;            ///< `+ * min max & | ^ && ||`; a subtraction from the accumulator is a `+`
  std::vector<int> accesses; ///< the statement's write and reads of the accumulator
  bool makesTruth = false;   ///< whatever the accumulator was, it is 0 or 1 once anything is combined into it

  bool owns(AccessRef ref) const;
};

/// An accumulator of a loop.
struct Reduction {
  std::string op;
  int array = -1;
  std::vector<int> statements;
};

/// The accumulation that `region.statements[statement]` is, if it is one.
std::optional<Accumulation> accumulation(const Region& region, int statement);

/// An accumulation as a kernel writes it in one atomic update: `x op= e`, `x = x op e`, `x = e op x`.
struct Update {
  std::string op;    ///< `+ * & | ^`; a subtraction is the addition of the negated value
  const Expr* value; ///< e
  bool negated = false;
};

/// The update that the assignment `assign` of `statement`, or the statement itself, is; nothing when it has
/// another form.
std::optional<Update> updateOf(const Statement& statement, const Expr& assign);
std::optional<Update> updateOf(const Statement& statement);

/// The accumulators of `loop`: every dependence on the array that `loop` carries is between accumulations of
/// one operation, and nothing else in an iteration of `loop` touches what they combine. `accumulations` are
/// those of the region.
std::vector<Reduction> reductions(const Region& region, const Dependences& dependences, int loop,
                                  const std::vector<Accumulation>& accumulations);

} // namespace warploom
