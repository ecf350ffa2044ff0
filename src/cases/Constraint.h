// Conditions on parameters: comparisons of polynomials, and systems of them, as people write them.
#pragma once

#include "cases/Polynomial.h"

namespace warploom::cases {

enum class Relation { AtMost, Below, Equal };

/// left <= right, left < right or left = right.
struct Constraint {
  Polynomial left;
  Relation relation = Relation::AtMost;
  Polynomial right;

  /// Reads `9 <= R`, `Z < B^2 + 2*B`, `n >= 1`, `B = B0`. Throws std::invalid_argument.
  static Constraint parse(const std::string& text);

  bool operator==(const Constraint& other) const {
    return relation == other.relation && left == other.left && right == other.right;
  }
  bool operator<(const Constraint& other) const;
  /// What holds exactly where this does not; an equation has no such constraint.
  Constraint negated() const;
  bool holds(const Values& values) const;
  Constraint substitute(const std::string& name, const Polynomial& value) const;
  std::set<std::string> symbols() const;

  std::string text() const;
  std::string c() const; ///< in C
  std::string smt() const;
};

inline Constraint atMost(Polynomial left, Polynomial right) {
  return {std::move(left), Relation::AtMost, std::move(right)};
}
inline Constraint below(Polynomial left, Polynomial right) {
  return {std::move(left), Relation::Below, std::move(right)};
}

/// One of these holds.
using Clause = std::vector<Constraint>;

/// All of these hold, in the order in which they were found.
struct System {
  std::vector<Constraint> all;

  bool holds(const Values& values) const;
  std::set<std::string> symbols() const;
  System with(Constraint more) const;
  /// `8 <= R < 9, z <= Z`: bounds of one symbol from both sides are written together; `true` without any.
  std::string text() const;
  std::string c() const;   ///< an expression of C
  std::string smt() const; ///< a term of SMT-LIB
};

/// What is known of the symbols besides that they are whole and not negative: a clause for each fact.
using Facts = std::vector<Clause>;

std::string smt(const Clause& clause);

} // namespace warploom::cases
