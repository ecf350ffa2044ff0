// What follows from what, among polynomial conditions on whole numbers that are not negative: asked of Z3,
// with a limit for each question. A question beyond its limit is left open, and who asks says what that
// means.
#pragma once

#include "cases/Constraint.h"

#include <memory>

namespace warploom::cases {

class Questions {
public:
  struct Limits {
    unsigned steps = 4'000'000; ///< of Z3's, so that the answer does not depend on the machine
    unsigned seconds = 20;      ///< where steps go uncounted
  };
  /// Questions about symbols of which `facts` hold.
  explicit Questions(Facts facts = {}) : Questions(std::move(facts), Limits()) {}
  Questions(Facts facts, Limits limits);
  ~Questions();

  /// Whether some values satisfy one constraint of each clause; nothing where the limit was reached. A few
  /// hundred values are tried first; then Z3 is asked about whole numbers, and where it leaves that open,
  /// whether there are real solutions at all.
  std::optional<bool> isSatisfiable(const std::vector<Clause>& clauses);
  /// The same for a system.
  std::optional<bool> isConsistent(const System& system);
  /// Values that satisfy the system and the facts, where some were found.
  std::optional<Values> solution(const System& system);
  /// Proved: wherever `system` holds, so does `constraint`. An equation is never proved.
  bool implies(const System& system, const Constraint& constraint);
  /// Proved: nowhere do both hold.
  bool areDisjoint(const System& a, const System& b);
  /// Proved: wherever `what` holds, one of `parts` does.
  bool isCovered(const System& what, const std::vector<System>& parts);

  /// Questions that were left open so far.
  unsigned open() const { return leftOpen; }
  const Facts& facts() const { return known; }

private:
  struct Solver;
  Facts known;
  Limits limits;
  unsigned leftOpen = 0;
  std::unique_ptr<Solver> solver;
};

/// The system without constraints that follow from the others and the facts, later ones first.
System simplified(Questions& questions, const System& system);
/// Systems that hold in the same places together, some of them as one where that is possible: 9 <= R and 8 <=
/// R < 9 are 8 <= R. None of the result contains another.
std::vector<System> merged(Questions& questions, std::vector<System> systems);

} // namespace warploom::cases
