// Polynomials with rational coefficients over named symbols: block sizes, granularities, sizes of the problem
// and limits of a machine. Exact; values, never changed in place.
#pragma once

#include <gmpxx.h>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace warploom::cases {

/// Powers of symbols, none of them 0; empty for 1.
using Monomial = std::map<std::string, unsigned>;

/// What the symbols are.
using Values = std::map<std::string, mpz_class>;

class Polynomial {
public:
  Polynomial() = default;                                        ///< 0
  Polynomial(long constant) : Polynomial(mpq_class(constant)) {} // NOLINT: numbers are polynomials
  explicit Polynomial(const mpq_class& constant);
  static Polynomial symbol(const std::string& name);
  /// What `text` says: numbers, names, + - * ^ and parentheses, or a quotient by a number. Throws
  /// std::invalid_argument.
  static Polynomial parse(const std::string& text);

  Polynomial operator+(const Polynomial& other) const;
  Polynomial operator-(const Polynomial& other) const;
  Polynomial operator*(const Polynomial& other) const;
  Polynomial operator-() const { return Polynomial() - *this; }
  bool operator==(const Polynomial& other) const { return terms == other.terms; }
  bool operator<(const Polynomial& other) const { return terms < other.terms; } ///< some order

  bool isZero() const { return terms.empty(); }
  std::optional<mpq_class> asConstant() const;
  /// The symbol that it is, where it is just one.
  std::optional<std::string> asSymbol() const;
  std::set<std::string> symbols() const;
  unsigned degree(const std::string& name) const;
  /// q with p = q*name^power + terms of other powers of `name`.
  Polynomial coefficient(const std::string& name, unsigned power) const;
  /// q with p = q*divisor, where there is one and `divisor` is a single term.
  std::optional<Polynomial> dividedBy(const Polynomial& divisor) const;
  Polynomial substitute(const std::string& name, const Polynomial& value) const;
  /// Its value. Symbols without one are 0.
  mpq_class evaluate(const Values& values) const;
  /// Every coefficient is at least 0, so that the value is, too, for symbols that are not negative.
  bool hasNoMinus() const;
  /// The same polynomial times the smallest number that makes all coefficients whole.
  Polynomial whole() const;

  /// `s*B^2 + s*B + B`: large degrees first, small letters before capitals.
  std::string text() const;
  /// The same in C, `s*B*B + s*B + B`, computed in `long long`; coefficients must be whole.
  std::string c() const;
  /// The same as a term of SMT-LIB; coefficients must be whole.
  std::string smt() const;

  const std::map<Monomial, mpq_class>& monomials() const { return terms; }

private:
  void add(const Monomial& monomial, const mpq_class& coefficient);
  std::map<Monomial, mpq_class> terms; ///< no coefficient is 0
};

/// The terms in the order in which they are written, with their coefficients.
std::vector<std::pair<Monomial, mpq_class>> inOrder(const Polynomial& polynomial);

} // namespace warploom::cases
