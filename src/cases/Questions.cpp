#include "cases/Questions.h"

#include <algorithm>
#include <z3++.h>

namespace warploom::cases {

/// Z3's side: one context, a solver for each question.
struct Questions::Solver {
  z3::context context;
  std::map<std::string, z3::expr> symbols;
  bool isReal = false;

  z3::expr symbol(const std::string& name) {
    auto found = symbols.find(name);
    if (found == symbols.end())
      found =
          symbols.emplace(name, isReal ? context.real_const(name.c_str()) : context.int_const(name.c_str()))
              .first;
    return found->second;
  }
  z3::expr number(const mpz_class& value) {
    return isReal ? context.real_val(value.get_str().c_str()) : context.int_val(value.get_str().c_str());
  }
  z3::expr term(const Polynomial& polynomial) {
    z3::expr sum = number(0);
    for (const auto& [monomial, coefficient] : polynomial.monomials()) {
      z3::expr product = number(coefficient.get_num());
      for (const auto& [name, power] : monomial)
        for (unsigned k = 0; k < power; ++k)
          product = product * symbol(name);
      sum = sum + product;
    }
    return sum;
  }
  z3::expr formula(const Constraint& one) {
    // Values are whole: a < b is a + 1 <= b, which says more where symbols are taken for reals.
    const Polynomial difference = (one.right - one.left).whole();
    if (one.relation == Relation::Equal) return term(difference) == number(0);
    return term(difference) >= number(one.relation == Relation::Below ? 1 : 0);
  }
  /// Asks for values that satisfy all clauses; `model` receives them.
  z3::check_result ask(const std::vector<const Clause*>& clauses, bool reals, const Limits& atMost,
                       std::optional<z3::model>* model) {
    symbols.clear();
    isReal = reals;
    z3::solver question(context, reals ? "QF_NRA" : "QF_NIA");
    z3::params parameters(context);
    parameters.set("rlimit", atMost.steps);
    parameters.set("timeout", atMost.seconds * 1000);
    question.set(parameters);
    for (const Clause* clause : clauses) {
      z3::expr_vector any(context);
      for (const Constraint& one : *clause)
        any.push_back(formula(one));
      question.add(z3::mk_or(any));
    }
    for (const auto& [name, expr] : symbols)
      question.add(expr >= number(0));
    const z3::check_result result = question.check();
    if (result == z3::sat && model) *model = question.get_model();
    return result;
  }
};

Questions::Questions(Facts facts, Limits l)
    : known(std::move(facts)), limits(l), solver(std::make_unique<Solver>()) {}
Questions::~Questions() = default;

namespace {

std::vector<Clause> clausesOf(const System& system) {
  std::vector<Clause> result;
  for (const Constraint& one : system.all)
    result.push_back({one});
  return result;
}

std::vector<const Clause*> pointers(const std::vector<Clause>& a, const std::vector<Clause>& b) {
  std::vector<const Clause*> result;
  for (const std::vector<Clause>* part : {&a, &b})
    for (const Clause& clause : *part)
      result.push_back(&clause);
  return result;
}

/// What holds where the system does not.
Clause negation(const System& system) {
  Clause result;
  for (const Constraint& one : system.all)
    result.push_back(one.negated());
  return result;
}

} // namespace

namespace {

/// Looks for values that satisfy all clauses among a few hundred: sizes from a list, and limits, symbols that
/// stand alone on one side, as tight as the rest leaves them. What it finds is a solution; what it does not
/// find may exist.
std::optional<Values> witness(const std::vector<const Clause*>& clauses) {
  static const long sizes[] = {1, 2, 3, 4, 8, 16, 32, 64, 128, 0, 256, 1024};
  std::set<std::string> symbols, limits;
  for (const Clause* clause : clauses)
    for (const Constraint& one : *clause) {
      symbols.merge(one.symbols());
      for (const Polynomial* side : {&one.left, &one.right})
        if (auto name = side->asSymbol(); name && clause->size() == 1) limits.insert(*name);
    }
  std::uint32_t state = 1; // of a generator of numbers that are the same on every machine
  for (unsigned attempt = 0; attempt < 400; ++attempt) {
    Values values;
    for (const std::string& name : symbols) {
      state = state * 1664525u + 1013904223u;
      values[name] = attempt < 12 ? sizes[attempt] : sizes[(state >> 16) % 12];
    }
    const bool isLow = attempt % 2 == 0;
    for (const std::string& name : limits) {
      std::optional<mpq_class> low, high;
      for (const Clause* clause : clauses)
        for (const Constraint& one : *clause) {
          const mpq_class strict = one.relation == Relation::Below ? 1 : 0;
          if (clause->size() != 1) continue;
          if (one.right.asSymbol() == name)
            low = std::max(low.value_or(0), mpq_class(one.left.evaluate(values) + strict));
          if (one.left.asSymbol() == name) {
            const mpq_class bound = one.right.evaluate(values) - strict;
            high = high ? std::min(*high, bound) : bound;
          }
        }
      const std::optional<mpq_class>& chosen = high && (!isLow || !low) ? high : low;
      if (chosen && chosen->get_den() == 1 && *chosen >= 0) values[name] = chosen->get_num();
    }
    if (std::all_of(clauses.begin(), clauses.end(), [&](const Clause* clause) {
          return std::any_of(clause->begin(), clause->end(),
                             [&](const Constraint& one) { return one.holds(values); });
        }))
      return values;
  }
  return std::nullopt;
}

} // namespace

std::optional<bool> Questions::isSatisfiable(const std::vector<Clause>& clauses) {
  const std::vector<const Clause*> all = pointers(clauses, known);
  if (witness(all)) return true;
  const z3::check_result whole = solver->ask(all, false, limits, nullptr);
  if (whole != z3::unknown) return whole == z3::sat;
  if (solver->ask(all, true, limits, nullptr) == z3::unsat) return false;
  ++leftOpen;
  return std::nullopt;
}

std::optional<bool> Questions::isConsistent(const System& system) {
  return isSatisfiable(clausesOf(system));
}

std::optional<Values> Questions::solution(const System& system) {
  const std::vector<Clause> clauses = clausesOf(system);
  const std::vector<const Clause*> all = pointers(clauses, known);
  if (auto found = witness(all)) return found;
  std::optional<z3::model> model;
  if (solver->ask(all, false, limits, &model) != z3::sat) return std::nullopt;
  Values values;
  for (const auto& [name, expr] : solver->symbols) {
    std::string number;
    if (!model->eval(expr, true).is_numeral(number)) return std::nullopt;
    values[name] = mpz_class(number);
  }
  return values;
}

bool Questions::implies(const System& system, const Constraint& constraint) {
  if (constraint.relation == Relation::Equal) return false;
  std::vector<Clause> clauses = clausesOf(system);
  clauses.push_back({constraint.negated()});
  return isSatisfiable(clauses) == false;
}

bool Questions::areDisjoint(const System& a, const System& b) {
  std::vector<Clause> clauses = clausesOf(a), more = clausesOf(b);
  clauses.insert(clauses.end(), more.begin(), more.end());
  return isSatisfiable(clauses) == false;
}

bool Questions::isCovered(const System& what, const std::vector<System>& parts) {
  std::vector<Clause> clauses = clausesOf(what);
  for (const System& part : parts)
    clauses.push_back(negation(part));
  return isSatisfiable(clauses) == false;
}

System simplified(Questions& questions, const System& system) {
  System result = system;
  for (std::size_t k = result.all.size(); k-- > 0;) {
    System others = result;
    others.all.erase(others.all.begin() + static_cast<std::ptrdiff_t>(k));
    if (questions.implies(others, result.all[k])) result = std::move(others);
  }
  return result;
}

std::vector<System> merged(Questions& questions, std::vector<System> systems) {
  for (System& system : systems)
    system = simplified(questions, system);
  auto mergeOnce = [&] {
    for (std::size_t a = 0; a < systems.size(); ++a)
      for (std::size_t b = a + 1; b < systems.size(); ++b) {
        // What each says and the other implies: if no more than the two is in it, it is their union.
        System both;
        for (const Constraint& one : systems[a].all)
          if (questions.implies(systems[b], one)) both = both.with(one);
        for (const Constraint& one : systems[b].all)
          if (questions.implies(systems[a], one)) both = both.with(one);
        if (!questions.isCovered(both, {systems[a], systems[b]})) continue;
        systems[a] = simplified(questions, both);
        systems.erase(systems.begin() + static_cast<std::ptrdiff_t>(b));
        return true;
      }
    return false;
  };
  while (mergeOnce()) {
  }
  return systems;
}

} // namespace warploom::cases
