// The statements of a kernel, or of a loop of the host, as equations: what those who look for operations of a
// library read.
#pragma once

#include "transform/LibraryCall.h"
#include "transform/RowLoop.h"
#include "transform/Terms.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace warploom {

/// `target = the sum of terms`, all of one type.
struct Equation {
  int statement = -1;
  ExprPtr target;
  std::vector<Term> terms;
  std::optional<RowLoop> rows; ///< it is what such a loop does again and again
};

/// What an equation has in front of one of its operands.
struct Scaled {
  Coefficient by;
  std::vector<ExprPtr> operands; ///< in memory that the region's loops move, or writes
};

/// The equations below one loop of a schedule. What they cannot be throws a Refusal.
class LibraryEquations {
protected:
  /// Of the loop called `loop`.
  LibraryEquations(const ScheduleState& state, const std::string& loop);

  [[noreturn]] static void refuse(std::string reason) { throw Refusal{std::move(reason)}; }
  /// Finds `equations` and `loads`.
  void readEquations();

  /// What a factor of a product is: an element, or what a scalar was loaded with.
  AccessRef operandOf(const Equation& equation, const Expr& factor) const;
  AccessRef refOf(const Equation& equation, const Expr& access) const {
    return {equation.statement, access.access};
  }
  int arrayOf(const Equation& equation, const Expr& access) const {
    return refOf(equation, access).in(region).array;
  }
  /// Refuses an array that is no plain one of `element`s.
  void checkArray(int index, const Type& element) const;

  /// `term` of `equation`, taken apart.
  Scaled scaled(const Equation& equation, const Term& term) const;
  /// What `equation` adds to the old value of `old`, and the factor of that; both optional.
  struct Split {
    Coefficient old{true, false, {}, -1};
    std::vector<Scaled> added;
  };
  Split split(const Equation& equation, const Expr& old) const;

  /// The equation that `assign` of a statement is. A quotient is a factor, and the only one of `x /= a`.
  Equation equationOf(int statement, const Expr& assign) const;

  /// The instances of a statement that one launch of the kernel, or one run of the loop, runs, over the
  /// parameters and the values of the host's loops around it.
  isl::set instancesOf(int s) const;
  static isl::set unnamed(const isl::set& set);

  const ScheduleState& state;
  const Region& region;
  std::vector<const LoopTree*> path; ///< to the loop
  Type type;                         ///< of all elements
  std::vector<Equation> equations;
  std::map<int, AccessRef> loads; ///< by scalars that have them

private:
  void checkTarget(const Expr& target);
  bool isLoad(const Equation& equation);
  bool isIndexLoad(int statement, const Expr& assign);
  bool isReadAfterwards(int statement, int scalar) const;
};

} // namespace warploom
