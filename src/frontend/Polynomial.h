// Integer values as the front end tracks them: polynomials over loop indices, symbolic sizes and other affine
// atoms.
//
// A subscript such as `i*n + j` is not affine, but it is a polynomial, from which dimensions can be
// recovered; and the closed form of an induction variable is one, too. While a region is read, loop indices
// are isl *parameters*, so that values need no embedding when loops nest; they become set dimensions when the
// model is made. Names of parameters that differ from iteration to iteration start with `$` (loop indices) or
// `@` (a variable's value when an iteration starts).
#pragma once

#include "support/IslC.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace warploom {

/// An indivisible factor of a polynomial. Two atoms are equal when their keys are.
struct Atom {
  std::string key;
  isl::pw_aff value;      ///< over a parameter domain
  bool invariant = false; ///< a symbolic size: the same in all iterations
  bool variable = false;  ///< `value` is one isl parameter of name `key`, not a quotient, remainder or choice
};

/// A polynomial with integer coefficients. Immutable in spirit: every operation makes a new one.
///
/// Coefficients beyond 2^62 are not kept: the result of an operation that needs one is *lost*, and stays lost
/// in everything made from it. A lost value is neither affine nor constant, and equals nothing.
class Polynomial {
public:
  using Monomial = std::vector<std::string>; ///< atom keys, sorted; empty for the constant term

  Polynomial() = default;
  static Polynomial constant(long value);
  static Polynomial of(const Atom& atom);
  /// The loop index or symbolic size that is isl parameter `name`.
  static Polynomial parameter(const std::string& name, bool invariant);
  /// The value `affine` as one atom.
  static Polynomial of(const isl::pw_aff& affine);
  /// The value `affine` as a sum over its parameters where it is one affine expression without quotients,
  /// else as one atom.
  static Polynomial linear(const isl::pw_aff& affine);

  Polynomial operator+(const Polynomial& other) const;
  Polynomial operator-(const Polynomial& other) const;
  Polynomial operator*(const Polynomial& other) const;
  bool operator==(const Polynomial& other) const { return !lost && !other.lost && terms == other.terms; }

  /// True when a coefficient grew too large to be kept.
  bool isLost() const { return lost; }

  std::optional<long> asConstant() const;
  /// The same value as a piecewise affine expression over parameters, where a product of symbolic sizes is a
  /// parameter of its own, named `m*n`; nothing when something that varies is multiplied.
  std::optional<isl::pw_aff> asAffine() const;
  /// True when the value depends on the isl parameter `name`.
  bool involves(const std::string& name) const;
  /// The value with the variable `name` replaced; nothing when `name` sits inside a quotient or choice.
  std::optional<Polynomial> substitute(const std::string& name, const Polynomial& replacement) const;
  /// True when every atom of `monomial` is a symbolic size.
  bool invariant(const Monomial& monomial) const;

  const std::map<Monomial, long>& monomials() const { return terms; }
  const Atom& atom(const std::string& key) const { return *atoms.at(key); }

private:
  void add(const Monomial& monomial, long coefficient);
  void adopt(const Polynomial& other);

  std::map<Monomial, long> terms; ///< no zero coefficients
  bool lost = false;
  std::map<std::string, std::shared_ptr<const Atom>> atoms;
};

/// The parameter values, loop indices among them, for which `subscript` is not in [0, extent); nothing: not
/// known.
std::optional<isl::set> outsideRow(const Polynomial& subscript, const Polynomial& extent);

/// `value` as a C expression over its parameters.
std::string affineText(const isl::pw_aff& value);

} // namespace warploom
