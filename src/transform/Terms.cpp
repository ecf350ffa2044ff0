#include "transform/Terms.h"

#include "transform/Step.h"

#include <cstdlib>
#include <fmt/format.h>

namespace warploom {

namespace {

/// Refuses what is said of `value`.
[[noreturn]] void refuse(const char* what, const Expr& value) {
  throw Refusal{fmt::format("`{}` {}", exprText(value), what)};
}

bool isZero(const Expr& literal) {
  char* end = nullptr;
  const double value = std::strtod(literal.text.c_str(), &end);
  return end != literal.text.c_str() && value == 0 && literal.text.find('x') == std::string::npos;
}

/// `value`, whose terms are `terms`, in a product: a sum of several is one factor.
Term asFactor(const ExprPtr& value, const std::vector<Term>& terms) {
  return terms.size() == 1 ? terms.front() : Term{false, {value}};
}

} // namespace

std::vector<Term> termsOf(const ExprPtr& value, const Type& type) {
  auto isOfType = [&](const Expr& one) { return one.type.kind == type.kind && one.type.bits == type.bits; };
  if (value->kind == Expr::Kind::Cast && isOfType(*value) &&
      (isOfType(*value->operands[0]) || value->operands[0]->kind == Expr::Kind::Literal))
    return termsOf(value->operands[0], type);
  if (value->kind == Expr::Kind::Literal && isZero(*value)) return {};
  if (!isOfType(*value) && value->kind != Expr::Kind::Literal) refuse("is of another type", *value);
  if (value->kind == Expr::Kind::Unary && value->text == "-") {
    std::vector<Term> terms = termsOf(value->operands[0], type);
    for (Term& term : terms)
      term.negated = !term.negated;
    return terms;
  }
  if (value->kind != Expr::Kind::Binary || (value->text != "+" && value->text != "-" && value->text != "*"))
    return {{false, {value}}};
  std::vector<Term> left = termsOf(value->operands[0], type), right = termsOf(value->operands[1], type);
  if (value->text == "+" || value->text == "-") {
    for (Term& term : right) {
      term.negated = term.negated != (value->text == "-");
      left.push_back(std::move(term));
    }
    return left;
  }
  Term product = asFactor(value->operands[0], left);
  const Term other = asFactor(value->operands[1], right);
  product.negated = product.negated != other.negated;
  product.factors.insert(product.factors.end(), other.factors.begin(), other.factors.end());
  return {product};
}

std::vector<Term> termsOfAssignment(const Expr& assign, const Type& type) {
  const ExprPtr& target = assign.operands[0];
  const std::vector<Term> terms = termsOf(assign.operands[1], type);
  if (assign.text == "=") return terms;
  std::vector<Term> all = {{false, {target}}};
  if (assign.text == "+=" || assign.text == "-=") {
    for (const Term& term : terms)
      all.push_back({term.negated != (assign.text == "-="), term.factors});
    return all;
  }
  if (assign.text != "*=" || terms.size() != 1) refuse("is no sum of products", assign);
  all.front().negated = terms.front().negated;
  all.front().factors.insert(all.front().factors.end(), terms.front().factors.begin(),
                             terms.front().factors.end());
  return all;
}

} // namespace warploom
