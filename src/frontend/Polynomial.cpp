#include "frontend/Polynomial.h"

#include "support/IslC.h"

#include <algorithm>
#include <isl/aff.h>
#include <isl/ast_build.h>
#include <isl/set.h>
#include <isl/space.h>
#include <isl/val.h>

namespace warploom {

std::string affineText(const isl::pw_aff& value) {
  return isl::ast_build(value.ctx()).expr_from(value).to_C_str();
}

namespace {

/// Coefficients stay below this, so that signs can be changed and remainders taken without a second thought.
constexpr long largestCoefficient = 1L << 62;

bool tooLarge(long coefficient) {
  return coefficient > largestCoefficient || coefficient < -largestCoefficient;
}

/// `value` where it is an integer that a coefficient may be.
std::optional<long> coefficientIn(const isl::val& value) {
  isl::val largest(islContext(), largestCoefficient);
  if (!value.is_int() || value.abs().gt(largest)) return std::nullopt;
  return value.num_si();
}

} // namespace

Polynomial Polynomial::constant(long value) {
  Polynomial result;
  result.add({}, value);
  return result;
}

Polynomial Polynomial::of(const Atom& atom) {
  Polynomial result;
  result.atoms[atom.key] = std::make_shared<Atom>(atom);
  result.add({atom.key}, 1);
  return result;
}

Polynomial Polynomial::parameter(const std::string& name, bool invariant) {
  return of(Atom{name, warploom::parameter(name), invariant, true});
}

Polynomial Polynomial::of(const isl::pw_aff& affine) {
  bool invariant = true;
  for (int k = 0; k < static_cast<int>(isl_pw_aff_dim(affine.get(), isl_dim_param)); ++k) {
    std::string name = isl_pw_aff_get_dim_name(affine.get(), isl_dim_param, k);
    bool varies = name[0] == '$' || name[0] == '@';
    if (varies && isl_pw_aff_involves_dims(affine.get(), isl_dim_param, k, 1)) invariant = false;
  }
  return of(Atom{printed(affine), affine, invariant, false});
}

Polynomial Polynomial::linear(const isl::pw_aff& affine) {
  isl::pw_aff simple = affine.coalesce();
  if (simple.n_piece() != 1 || !simple.isa_aff()) return of(affine);
  isl::aff only = simple.as_aff();
  if (isl_aff_dim(only.get(), isl_dim_div) > 0) return of(affine);
  auto first = coefficientIn(only.constant_val());
  if (!first) return of(affine);
  Polynomial sum = constant(*first);
  for (int k = 0; k < static_cast<int>(isl_aff_dim(only.get(), isl_dim_param)); ++k) {
    auto factor = coefficientIn(isl::manage(isl_aff_get_coefficient_val(only.get(), isl_dim_param, k)));
    if (!factor) return of(affine);
    std::string name = isl_aff_get_dim_name(only.get(), isl_dim_param, static_cast<unsigned>(k));
    bool varies = name[0] == '$' || name[0] == '@';
    sum = sum + parameter(name, !varies) * constant(*factor);
  }
  return sum;
}

void Polynomial::add(const Monomial& monomial, long coefficient) {
  long& sum = terms[monomial];
  if (__builtin_add_overflow(sum, coefficient, &sum) || tooLarge(sum)) lost = true;
  if (sum == 0) terms.erase(monomial);
}

void Polynomial::adopt(const Polynomial& other) {
  atoms.insert(other.atoms.begin(), other.atoms.end());
  lost |= other.lost;
}

Polynomial Polynomial::operator+(const Polynomial& other) const {
  Polynomial result = *this;
  result.adopt(other);
  for (const auto& [monomial, coefficient] : other.terms)
    result.add(monomial, coefficient);
  return result;
}

Polynomial Polynomial::operator-(const Polynomial& other) const {
  return *this + other * constant(-1);
}

Polynomial Polynomial::operator*(const Polynomial& other) const {
  Polynomial result;
  result.adopt(*this);
  result.adopt(other);
  for (const auto& [left, a] : terms)
    for (const auto& [right, b] : other.terms) {
      Monomial product = left;
      product.insert(product.end(), right.begin(), right.end());
      std::sort(product.begin(), product.end());
      long coefficient = 0;
      if (__builtin_mul_overflow(a, b, &coefficient))
        result.lost = true;
      else
        result.add(product, coefficient);
    }
  return result;
}

std::optional<long> Polynomial::asConstant() const {
  if (lost) return std::nullopt;
  if (terms.empty()) return 0;
  if (terms.size() == 1 && terms.begin()->first.empty()) return terms.begin()->second;
  return std::nullopt;
}

std::optional<isl::pw_aff> Polynomial::asAffine() const {
  if (lost) return std::nullopt;
  isl::pw_aff sum = warploom::constant(0);
  for (const auto& [monomial, coefficient] : terms) {
    isl::pw_aff term = warploom::constant(coefficient);
    if (monomial.size() == 1) {
      term = term.mul(atoms.at(monomial[0])->value);
    } else if (monomial.size() > 1) {
      // A product of symbolic sizes is a symbolic size.
      std::string name;
      for (const std::string& key : monomial) {
        if (!atoms.at(key)->invariant || !atoms.at(key)->variable) return std::nullopt;
        name += (name.empty() ? "" : "*") + key;
      }
      term = term.mul(warploom::parameter(name));
    }
    sum = sum.add(term);
  }
  return sum;
}

namespace {

bool inside(const Atom& atom, const std::string& name) {
  return involves(atom.value, name);
}

} // namespace

bool Polynomial::involves(const std::string& name) const {
  for (const auto& [monomial, coefficient] : terms)
    for (const std::string& key : monomial) {
      const Atom& factor = *atoms.at(key);
      if (factor.variable ? key == name : inside(factor, name)) return true;
    }
  return false;
}

std::optional<Polynomial> Polynomial::substitute(const std::string& name,
                                                 const Polynomial& replacement) const {
  if (lost) return std::nullopt;
  Polynomial result;
  for (const auto& [monomial, coefficient] : terms) {
    Polynomial product = constant(coefficient);
    for (const std::string& key : monomial) {
      const Atom& factor = *atoms.at(key);
      if (factor.variable && key == name) {
        product = product * replacement;
      } else {
        if (!factor.variable && inside(factor, name)) return std::nullopt;
        product = product * of(factor);
      }
    }
    result = result + product;
  }
  return result;
}

bool Polynomial::invariant(const Monomial& monomial) const {
  return std::all_of(monomial.begin(), monomial.end(),
                     [&](const std::string& key) { return atoms.at(key)->invariant; });
}

std::optional<isl::set> outsideRow(const Polynomial& subscript, const Polynomial& extent) {
  auto value = subscript.asAffine(), limit = extent.asAffine();
  if (!value || !limit) return std::nullopt;
  return value->lt_set(constant(0)).unite(value->ge_set(*limit));
}

} // namespace warploom
