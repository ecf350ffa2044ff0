#include "cases/Constraint.h"

#include <algorithm>
#include <fmt/format.h>
#include <stdexcept>

namespace warploom::cases {

namespace {

const char* sign(Relation relation) {
  return relation == Relation::AtMost ? "<=" : relation == Relation::Below ? "<" : "=";
}

} // namespace

Constraint Constraint::parse(const std::string& text) {
  for (const char* sign : {"<=", ">=", "==", "<", ">", "="}) {
    const std::size_t at = text.find(sign);
    if (at == std::string::npos) continue;
    const std::string op = sign;
    Polynomial left = Polynomial::parse(text.substr(0, at)),
               right = Polynomial::parse(text.substr(at + op.size()));
    if (op[0] == '>') std::swap(left, right);
    return {left,
            op == "<=" || op == ">=" ? Relation::AtMost
            : op[0] == '='           ? Relation::Equal
                                     : Relation::Below,
            right};
  }
  throw std::invalid_argument(fmt::format("'{}' compares nothing", text));
}

bool Constraint::operator<(const Constraint& other) const {
  if (relation != other.relation) return relation < other.relation;
  if (!(left == other.left)) return left < other.left;
  return right < other.right;
}

Constraint Constraint::negated() const {
  if (relation == Relation::Equal) throw std::invalid_argument("an equation has no one negation");
  return {right, relation == Relation::AtMost ? Relation::Below : Relation::AtMost, left};
}

bool Constraint::holds(const Values& values) const {
  const mpq_class difference = (right - left).evaluate(values);
  return relation == Relation::AtMost  ? difference >= 0
         : relation == Relation::Below ? difference > 0
                                       : difference == 0;
}

Constraint Constraint::substitute(const std::string& name, const Polynomial& value) const {
  return {left.substitute(name, value), relation, right.substitute(name, value)};
}

std::set<std::string> Constraint::symbols() const {
  std::set<std::string> result = left.symbols(), more = right.symbols();
  result.merge(more);
  return result;
}

std::string Constraint::text() const {
  return fmt::format("{} {} {}", left.text(), sign(relation), right.text());
}

namespace {

/// The same constraint with whole coefficients.
Constraint whole(const Constraint& one) {
  mpz_class common = 1;
  for (const Polynomial* side : {&one.left, &one.right})
    for (const auto& [monomial, coefficient] : side->monomials())
      mpz_lcm(common.get_mpz_t(), common.get_mpz_t(), coefficient.get_den_mpz_t());
  const Polynomial factor{mpq_class(common)};
  return {one.left * factor, one.relation, one.right * factor};
}

} // namespace

std::string Constraint::c() const {
  const Constraint same = whole(*this);
  return fmt::format("{} {} {}", same.left.c(), relation == Relation::Equal ? "==" : sign(relation),
                     same.right.c());
}

std::string Constraint::smt() const {
  const Constraint same = whole(*this);
  return fmt::format("({} {} {})", sign(relation), same.left.smt(), same.right.smt());
}

bool System::holds(const Values& values) const {
  return std::all_of(all.begin(), all.end(), [&](const Constraint& one) { return one.holds(values); });
}

std::set<std::string> System::symbols() const {
  std::set<std::string> result;
  for (const Constraint& one : all)
    result.merge(one.symbols());
  return result;
}

System System::with(Constraint more) const {
  System result = *this;
  if (std::find(all.begin(), all.end(), more) == all.end()) result.all.push_back(std::move(more));
  return result;
}

std::string System::text() const {
  std::vector<std::string> parts;
  std::vector<bool> isDone(all.size());
  for (std::size_t k = 0; k < all.size(); ++k) {
    if (isDone[k]) continue;
    const Constraint& one = all[k];
    std::string part = one.text();
    // a <= X, and X < b somewhere else; or the other way round.
    for (std::size_t m = k + 1; m < all.size(); ++m) {
      const Constraint& other = all[m];
      if (isDone[m] || one.relation == Relation::Equal || other.relation == Relation::Equal) continue;
      if (one.right.asSymbol() && one.right == other.left)
        part = fmt::format("{} {} {}", part, sign(other.relation), other.right.text());
      else if (one.left.asSymbol() && one.left == other.right)
        part = fmt::format("{} {} {}", other.left.text(), sign(other.relation), part);
      else
        continue;
      isDone[m] = true;
      break;
    }
    parts.push_back(part);
  }
  return parts.empty() ? "true" : fmt::format("{}", fmt::join(parts, ", "));
}

std::string System::c() const {
  std::vector<std::string> parts;
  for (const Constraint& one : all)
    parts.push_back(one.c());
  return parts.empty() ? "1" : fmt::format("{}", fmt::join(parts, " && "));
}

std::string System::smt() const {
  if (all.empty()) return "true";
  if (all.size() == 1) return all[0].smt();
  std::string result = "(and";
  for (const Constraint& one : all)
    result += " " + one.smt();
  return result + ")";
}

std::string smt(const Clause& clause) {
  if (clause.size() == 1) return clause[0].smt();
  std::string result = "(or";
  for (const Constraint& one : clause)
    result += " " + one.smt();
  return result + ")";
}

} // namespace warploom::cases
