#include "cases/Polynomial.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <stdexcept>

namespace warploom::cases {

namespace {

Monomial product(const Monomial& a, const Monomial& b) {
  Monomial result = a;
  for (const auto& [name, power] : b)
    result[name] += power;
  return result;
}

unsigned degreeOf(const Monomial& monomial) {
  unsigned degree = 0;
  for (const auto& [name, power] : monomial)
    degree += power;
  return degree;
}

/// The order in which factors are written.
bool isBefore(const std::string& a, const std::string& b) {
  bool upperA = std::isupper(static_cast<unsigned char>(a[0])) != 0,
       upperB = std::isupper(static_cast<unsigned char>(b[0])) != 0;
  return upperA != upperB ? upperB : a < b;
}

std::vector<std::pair<std::string, unsigned>> factors(const Monomial& monomial) {
  std::vector<std::pair<std::string, unsigned>> result(monomial.begin(), monomial.end());
  std::sort(result.begin(), result.end(),
            [](const auto& a, const auto& b) { return isBefore(a.first, b.first); });
  return result;
}

/// Reads a polynomial by recursive descent.
class Reader {
public:
  explicit Reader(const std::string& t) : text(t) {}

  Polynomial all() {
    Polynomial result = sum();
    if (next() != '\0') fail();
    return result;
  }

private:
  [[noreturn]] void fail() const {
    throw std::invalid_argument(fmt::format("'{}' is no polynomial, at column {}", text, at + 1));
  }
  char next() {
    while (at < text.size() && std::isspace(static_cast<unsigned char>(text[at])))
      ++at;
    return at < text.size() ? text[at] : '\0';
  }
  Polynomial sum() {
    Polynomial result = next() == '-' ? (++at, -term()) : term();
    while (next() == '+' || next() == '-')
      result = text[at++] == '+' ? result + term() : result - term();
    return result;
  }
  Polynomial term() {
    Polynomial result = power();
    while (next() == '*' || next() == '/') {
      bool times = text[at++] == '*';
      const Polynomial factor = power();
      if (times) {
        result = result * factor;
        continue;
      }
      auto number = factor.asConstant();
      if (!number || *number == 0) fail();
      result = result * Polynomial(mpq_class(1 / *number));
    }
    return result;
  }
  Polynomial power() {
    const Polynomial base = factor();
    if (next() != '^') return base;
    ++at;
    const mpz_class exponent = number();
    if (exponent > 64) fail();
    Polynomial result(1);
    for (long k = 0; k < exponent.get_si(); ++k)
      result = result * base;
    return result;
  }
  mpz_class number() {
    std::size_t begin = (next(), at);
    while (at < text.size() && std::isdigit(static_cast<unsigned char>(text[at])))
      ++at;
    if (begin == at) fail();
    return mpz_class(text.substr(begin, at - begin));
  }
  Polynomial factor() {
    const char c = next();
    if (c == '(') {
      if (++depth > 200) fail();
      ++at;
      Polynomial inside = sum();
      if (next() != ')') fail();
      ++at;
      --depth;
      return inside;
    }
    if (std::isdigit(static_cast<unsigned char>(c))) return Polynomial(mpq_class(number()));
    std::size_t begin = at;
    while (at < text.size() && (std::isalnum(static_cast<unsigned char>(text[at])) || text[at] == '_'))
      ++at;
    if (begin == at) fail();
    return Polynomial::symbol(text.substr(begin, at - begin));
  }

  const std::string& text;
  std::size_t at = 0;
  int depth = 0;
};

std::string number(const mpz_class& value) {
  return value < 0 ? fmt::format("(- {})", mpz_class(-value).get_str()) : value.get_str();
}

} // namespace

Polynomial::Polynomial(const mpq_class& constant) {
  mpq_class reduced = constant;
  reduced.canonicalize();
  add({}, reduced);
}

Polynomial Polynomial::symbol(const std::string& name) {
  Polynomial result;
  result.add({{name, 1}}, 1);
  return result;
}

Polynomial Polynomial::parse(const std::string& text) {
  return Reader(text).all();
}

void Polynomial::add(const Monomial& monomial, const mpq_class& coefficient) {
  if (coefficient == 0) return;
  auto [place, isNew] = terms.emplace(monomial, coefficient);
  if (isNew) return;
  place->second += coefficient;
  if (place->second == 0) terms.erase(place);
}

Polynomial Polynomial::operator+(const Polynomial& other) const {
  Polynomial result = *this;
  for (const auto& [monomial, coefficient] : other.terms)
    result.add(monomial, coefficient);
  return result;
}

Polynomial Polynomial::operator-(const Polynomial& other) const {
  Polynomial result = *this;
  for (const auto& [monomial, coefficient] : other.terms)
    result.add(monomial, -coefficient);
  return result;
}

Polynomial Polynomial::operator*(const Polynomial& other) const {
  Polynomial result;
  for (const auto& [a, x] : terms)
    for (const auto& [b, y] : other.terms)
      result.add(product(a, b), x * y);
  return result;
}

std::optional<mpq_class> Polynomial::asConstant() const {
  if (terms.empty()) return mpq_class(0);
  if (terms.size() == 1 && terms.begin()->first.empty()) return terms.begin()->second;
  return std::nullopt;
}

std::optional<std::string> Polynomial::asSymbol() const {
  if (terms.size() != 1 || terms.begin()->second != 1) return std::nullopt;
  const Monomial& only = terms.begin()->first;
  if (only.size() != 1 || only.begin()->second != 1) return std::nullopt;
  return only.begin()->first;
}

std::set<std::string> Polynomial::symbols() const {
  std::set<std::string> result;
  for (const auto& [monomial, coefficient] : terms)
    for (const auto& [name, power] : monomial)
      result.insert(name);
  return result;
}

unsigned Polynomial::degree(const std::string& name) const {
  unsigned degree = 0;
  for (const auto& [monomial, coefficient] : terms)
    if (auto found = monomial.find(name); found != monomial.end()) degree = std::max(degree, found->second);
  return degree;
}

Polynomial Polynomial::coefficient(const std::string& name, unsigned power) const {
  Polynomial result;
  for (const auto& [monomial, coefficient] : terms) {
    auto found = monomial.find(name);
    if ((found == monomial.end() ? 0 : found->second) != power) continue;
    Monomial rest = monomial;
    rest.erase(name);
    result.add(rest, coefficient);
  }
  return result;
}

std::optional<Polynomial> Polynomial::dividedBy(const Polynomial& divisor) const {
  if (divisor.terms.size() != 1) return std::nullopt;
  const auto& [by, number] = *divisor.terms.begin();
  Polynomial result;
  for (const auto& [monomial, coefficient] : terms) {
    Monomial rest = monomial;
    for (const auto& [name, power] : by) {
      auto found = rest.find(name);
      if (found == rest.end() || found->second < power) return std::nullopt;
      if ((found->second -= power) == 0) rest.erase(found);
    }
    result.add(rest, coefficient / number);
  }
  return result;
}

Polynomial Polynomial::substitute(const std::string& name, const Polynomial& value) const {
  Polynomial result, power(1);
  for (unsigned k = 0, most = degree(name); k <= most; ++k) {
    result = result + coefficient(name, k) * power;
    power = power * value;
  }
  return result;
}

mpq_class Polynomial::evaluate(const Values& values) const {
  mpq_class sum = 0;
  for (const auto& [monomial, coefficient] : terms) {
    mpq_class term = coefficient;
    for (const auto& [name, power] : monomial) {
      auto found = values.find(name);
      mpz_class value = found == values.end() ? mpz_class(0) : found->second;
      mpz_pow_ui(value.get_mpz_t(), value.get_mpz_t(), power);
      term *= value;
    }
    sum += term;
  }
  return sum;
}

bool Polynomial::hasNoMinus() const {
  return std::all_of(terms.begin(), terms.end(), [](const auto& term) { return term.second >= 0; });
}

Polynomial Polynomial::whole() const {
  mpz_class common = 1;
  for (const auto& [monomial, coefficient] : terms)
    mpz_lcm(common.get_mpz_t(), common.get_mpz_t(), coefficient.get_den_mpz_t());
  return *this * Polynomial(mpq_class(common));
}

std::vector<std::pair<Monomial, mpq_class>> inOrder(const Polynomial& polynomial) {
  std::vector<std::pair<Monomial, mpq_class>> terms(polynomial.monomials().begin(),
                                                    polynomial.monomials().end());
  std::sort(terms.begin(), terms.end(), [](const auto& a, const auto& b) {
    const unsigned x = degreeOf(a.first), y = degreeOf(b.first);
    if (x != y) return x > y;
    const auto left = factors(a.first), right = factors(b.first);
    return std::lexicographical_compare(left.begin(), left.end(), right.begin(), right.end(),
                                        [](const auto& p, const auto& q) {
                                          if (p.first != q.first) return isBefore(p.first, q.first);
                                          return p.second > q.second;
                                        });
  });
  return terms;
}

std::string Polynomial::text() const {
  std::string result;
  for (const auto& [monomial, coefficient] : inOrder(*this)) {
    const mpq_class size = abs(coefficient);
    result += result.empty() ? (coefficient < 0 ? "-" : "") : (coefficient < 0 ? " - " : " + ");
    std::string term = size == 1 && !monomial.empty() ? "" : size.get_str();
    for (const auto& [name, power] : factors(monomial))
      term += (term.empty() ? "" : "*") + name + (power == 1 ? "" : fmt::format("^{}", power));
    result += term;
  }
  return result.empty() ? "0" : result;
}

std::string Polynomial::c() const {
  std::string result;
  for (const auto& [monomial, coefficient] : inOrder(*this)) {
    const mpq_class size = abs(coefficient);
    if (size.get_den() != 1) throw std::invalid_argument("a fraction in C");
    result += result.empty() ? (coefficient < 0 ? "-" : "") : (coefficient < 0 ? " - " : " + ");
    std::string term = size == 1 && !monomial.empty() ? "" : size.get_str();
    for (const auto& [name, power] : factors(monomial))
      for (unsigned k = 0; k < power; ++k)
        term += (term.empty() ? "" : "*") + name;
    result += term;
  }
  return result.empty() ? "0" : result;
}

std::string Polynomial::smt() const {
  std::vector<std::string> parts;
  for (const auto& [monomial, coefficient] : inOrder(*this)) {
    if (coefficient.get_den() != 1) throw std::invalid_argument("a fraction in SMT-LIB");
    std::vector<std::string> product;
    if (coefficient != 1 || monomial.empty()) product.push_back(number(coefficient.get_num()));
    for (const auto& [name, power] : factors(monomial))
      product.insert(product.end(), power, name);
    parts.push_back(product.size() == 1 ? product[0] : fmt::format("(* {})", fmt::join(product, " ")));
  }
  if (parts.empty()) return "0";
  return parts.size() == 1 ? parts[0] : fmt::format("(+ {})", fmt::join(parts, " "));
}

} // namespace warploom::cases
