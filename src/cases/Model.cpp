#include "cases/Model.h"

#include "cases/Questions.h"

#include <algorithm>
#include <fmt/format.h>

namespace warploom::cases {

namespace {

/// The largest single term that divides both: symbols, and the greatest common divisor of coefficients.
Polynomial commonFactor(const Polynomial& a, const Polynomial& b) {
  std::optional<Monomial> common;
  mpz_class numerators = 0, denominators = 1;
  for (const Polynomial* p : {&a, &b})
    for (const auto& [monomial, coefficient] : p->monomials()) {
      mpz_gcd(numerators.get_mpz_t(), numerators.get_mpz_t(), coefficient.get_num_mpz_t());
      mpz_lcm(denominators.get_mpz_t(), denominators.get_mpz_t(), coefficient.get_den_mpz_t());
      if (!common) common = monomial;
      for (auto factor = common->begin(); factor != common->end();) {
        auto found = monomial.find(factor->first);
        factor->second = found == monomial.end() ? 0 : std::min(factor->second, found->second);
        factor = factor->second == 0 ? common->erase(factor) : std::next(factor);
      }
    }
  Polynomial result(mpq_class(numerators, denominators));
  for (const auto& [name, power] : *common)
    for (unsigned k = 0; k < power; ++k)
      result = result * Polynomial::symbol(name);
  return result;
}

} // namespace

Quotient::Quotient(Polynomial o, Polynomial u) : over(std::move(o)), under(std::move(u)) {
  if (over.isZero()) {
    under = Polynomial(1);
    return;
  }
  const Polynomial factor = commonFactor(over, under);
  over = *over.dividedBy(factor);
  under = *under.dividedBy(factor);
  if (auto whole = over.dividedBy(under)) {
    over = *whole;
    under = Polynomial(1);
  }
}

Quotient Quotient::operator+(const Quotient& other) const {
  if (under == other.under) return {over + other.over, under};
  return {over * other.under + other.over * under, under * other.under};
}
Quotient Quotient::operator*(const Quotient& other) const {
  return {over * other.over, under * other.under};
}
Quotient Quotient::operator/(const Quotient& other) const {
  return {over * other.under, under * other.over};
}
Quotient Quotient::substitute(const std::string& name, const Polynomial& value) const {
  return {over.substitute(name, value), under.substitute(name, value)};
}

std::string Quotient::text() const {
  auto inside = [](const Polynomial& p) {
    return p.monomials().size() > 1 ? "(" + p.text() + ")" : p.text();
  };
  if (under == Polynomial(1)) return over.text();
  const bool isPlain = under.asSymbol() || under.asConstant();
  return fmt::format("{}/{}", inside(over), isPlain ? under.text() : "(" + under.text() + ")");
}

namespace {

class Modeller {
public:
  Modeller(const DeviceNest& f, const Nest& n) : from(f), nest(n) {}

  NestModel model() {
    NestModel result;
    const Quotient launches = this->launches(), all = product({NestLoop::Role::Block});
    Quotient work, span;
    for (const NestWork& one : nest.work) {
      const Polynomial operations(static_cast<long>(one.operations));
      work = work + Quotient(operations) * times(one.loops, true);
      span = span + Quotient(operations) * times(one.loops, false);
    }
    Quotient overhead;
    std::set<std::string> staged(nest.cached.begin(), nest.cached.end());
    for (const std::string& array : nest.cached) {
      result.accesses.push_back(stagedCost(array));
      overhead = overhead + result.accesses.back().overhead;
    }
    for (const NestAccess& access : nest.accesses) {
      if (staged.count(access.array)) continue;
      result.accesses.push_back(cost(access));
      overhead = overhead + result.accesses.back().overhead;
    }
    Measures& m = result.measures;
    m.widest = all;
    m.blocks = all * launches;
    m.work = work * all * launches;
    m.span = span * launches;
    m.overhead = overhead * all * launches;
    m.path = launches + Quotient(Polynomial(-1));
    m.cost = span + overhead;
    return result;
  }

private:
  /// A bound in parameters that are defined by no others.
  Quotient value(const Polynomial& p, int depth = 0) const {
    Quotient sum;
    for (const auto& [monomial, coefficient] : p.monomials()) {
      Quotient term{Polynomial(coefficient)};
      for (const auto& [name, power] : monomial)
        for (unsigned k = 0; k < power; ++k)
          term = term * defined(name, depth);
      sum = sum + term;
    }
    return sum;
  }
  Quotient defined(const std::string& name, int depth) const {
    auto found = from.definitions.find(name);
    if (found == from.definitions.end() || depth > 8) return Polynomial::symbol(name);
    auto quotient = value(found->second, depth + 1);
    return quotient ? *quotient : Quotient(Polynomial::symbol(name));
  }
  std::optional<Quotient> value(const NestExpr& expr, int depth) const {
    auto binary = [&](auto combine) -> std::optional<Quotient> {
      auto a = value(expr.operands[0], depth), b = value(expr.operands[1], depth);
      if (!a || !b) return std::nullopt;
      return combine(*a, *b);
    };
    switch (expr.op) {
    case NestExpr::Op::Number:
      return Quotient(Polynomial(expr.value));
    case NestExpr::Op::Variable:
      return defined(expr.name, depth);
    case NestExpr::Op::Add:
      return binary([](const Quotient& a, const Quotient& b) { return a + b; });
    case NestExpr::Op::Subtract:
      return binary([](const Quotient& a, const Quotient& b) { return a + b * Quotient(Polynomial(-1)); });
    case NestExpr::Op::Multiply:
      return binary([](const Quotient& a, const Quotient& b) { return a * b; });
    default:
      if (expr.name != "/" || expr.operands.size() != 2) return std::nullopt;
      return binary([](const Quotient& a, const Quotient& b) -> std::optional<Quotient> {
        if (b.over.isZero()) return std::nullopt;
        return a / b;
      });
    }
  }

  Quotient product(std::initializer_list<NestLoop::Role> roles) const {
    Quotient result{Polynomial(1)};
    for (const NestLoop& loop : nest.loops)
      if (std::find(roles.begin(), roles.end(), loop.role) != roles.end())
        result = result * value(loop.bound);
    return result;
  }
  /// How often something in these loops is done by a block, or by one of its threads.
  Quotient times(const std::vector<std::size_t>& loops, bool byAll) const {
    Quotient result{Polynomial(1)};
    for (std::size_t number : loops) {
      const NestLoop& loop = nest.loops[number];
      if (loop.role == NestLoop::Role::Block || (loop.role == NestLoop::Role::Thread && !byAll)) continue;
      result = result * value(loop.bound);
    }
    return result;
  }
  Quotient launches() const {
    Quotient result{Polynomial(1)};
    for (const NestExpr& bound : from.outerBounds) {
      auto times = value(bound, 0);
      if (!times || bound.op == NestExpr::Op::Other)
        throw NestRefused(nest.at, "how often a loop around it runs is not known");
      result = result * *times;
    }
    return result;
  }

  Quotient price(const Quotient& words) const { return words * Quotient(Polynomial::symbol("U")); }

  AccessCost stagedCost(const std::string& array) const {
    AccessCost cost;
    cost.array = array;
    cost.isStaged = true;
    std::set<std::string> between;
    for (const NestAccess& access : nest.accesses) {
      if (access.array != array) continue;
      cost.at = access.at;
      for (const Polynomial& subscript : access.subscripts)
        between.merge(subscript.symbols());
    }
    Quotient words = value(nest.elements(array, true, false) + nest.elements(array, false, true));
    for (const NestLoop& loop : nest.loops)
      if (loop.role == NestLoop::Role::Between && between.count(loop.counter))
        words = words * value(loop.bound);
    cost.words = words / product({NestLoop::Role::Thread});
    cost.overhead = price(cost.words);
    cost.reason = "staged: threads move neighbouring words";
    return cost;
  }

  AccessCost cost(const NestAccess& access) const {
    AccessCost cost;
    cost.array = access.array;
    cost.at = access.at;
    cost.words = times(access.loops, false) * Quotient(Polynomial(access.isRead && access.isWritten ? 2 : 1));
    // Neighbouring threads differ in the last parallel counter.
    std::string last;
    for (const NestLoop& loop : nest.loops)
      if (loop.role == NestLoop::Role::Thread) last = loop.counter;
    cost.isCoalesced = !access.subscripts.empty();
    cost.reason = access.subscripts.empty() ? "its place is not known" : "all threads have the same word";
    for (std::size_t d = 0; d < access.subscripts.size(); ++d) {
      const Polynomial& subscript = access.subscripts[d];
      if (subscript.degree(last) == 0) continue;
      const Polynomial step = subscript.coefficient(last, 1);
      const bool isNext = d + 1 == access.subscripts.size() && subscript.degree(last) == 1 &&
                          (step == Polynomial(1) || step == Polynomial(-1));
      if (isNext && cost.isCoalesced) {
        cost.reason = "neighbouring threads have neighbouring words";
        continue;
      }
      cost.isCoalesced = false;
      cost.reason = d + 1 == access.subscripts.size()
                        ? fmt::format("neighbouring threads are {} words apart", step.text())
                        : "neighbouring threads are in different rows";
      break;
    }
    const Quotient threads = product({NestLoop::Role::Thread});
    cost.overhead = price(cost.isCoalesced ? cost.words : cost.words * threads);
    return cost;
  }

  const DeviceNest& from;
  const Nest& nest;
};

/// The terms of the highest total degree in the symbols.
Polynomial leading(const Polynomial& p, const std::set<std::string>& symbols) {
  unsigned most = 0;
  auto degree = [&](const Monomial& monomial) {
    unsigned sum = 0;
    for (const auto& [name, power] : monomial)
      sum += symbols.count(name) ? power : 0;
    return sum;
  };
  for (const auto& [monomial, coefficient] : p.monomials())
    most = std::max(most, degree(monomial));
  Polynomial result;
  for (const auto& [monomial, coefficient] : p.monomials()) {
    if (degree(monomial) != most) continue;
    Polynomial term{coefficient};
    for (const auto& [name, power] : monomial)
      for (unsigned k = 0; k < power; ++k)
        term = term * Polynomial::symbol(name);
    result = result + term;
  }
  return result;
}

} // namespace

NestModel modelOf(const DeviceNest& from, const Nest& nest) {
  return Modeller(from, nest).model();
}

Advice advise(const Quotient& atOne, const Quotient& at, const std::string& size,
              const std::set<std::string>& data) {
  const Quotient whole = atOne / at;
  Advice advice;
  advice.ratio = {leading(whole.over, data), leading(whole.under, data)};
  // Compared for all values: symbols are 1 or more, and the size is 2 or more.
  Facts facts;
  for (const Polynomial* side : {&advice.ratio.over, &advice.ratio.under})
    for (const std::string& name : side->symbols())
      facts.push_back({atMost(name == size ? 2 : 1, Polynomial::symbol(name))});
  Questions questions(facts);
  const bool isBetter = questions.implies({}, below(advice.ratio.under, advice.ratio.over)),
             isWorse = questions.implies({}, below(advice.ratio.over, advice.ratio.under));
  advice.what = isBetter ? Advice::What::Large : isWorse ? Advice::What::One : Advice::What::Open;
  return advice;
}

} // namespace warploom::cases
