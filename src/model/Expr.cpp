#include "model/Expr.h"

#include <algorithm>
#include <cctype>
#include <map>

namespace warploom {

std::shared_ptr<Expr> makeExpr(Expr::Kind kind, const std::string& text, const Type& type,
                               std::vector<ExprPtr> operands, const SourceRange& range) {
  auto expr = std::make_shared<Expr>();
  expr->kind = kind;
  expr->type = type;
  expr->range = range;
  expr->text = text;
  expr->operands = std::move(operands);
  return expr;
}

bool sameExpr(const Expr& a, const Expr& b) {
  if (a.kind != b.kind || a.text != b.text || a.operands.size() != b.operands.size()) return false;
  if (a.value.has_value() != b.value.has_value()) return false;
  if (a.value && !a.value->plain_is_equal(*b.value)) return false;
  if (a.kind == Expr::Kind::Cast && a.type.spelling != b.type.spelling) return false;
  for (std::size_t k = 0; k < a.operands.size(); ++k)
    if (!sameExpr(*a.operands[k], *b.operands[k])) return false;
  return true;
}

bool isLogical(const std::string& op) {
  return op == "&&" || op == "||";
}

int bindingStrength(const std::string& op) {
  static const std::map<std::string, int> strengths = {
      {"||", 2}, {"&&", 3}, {"|", 4},  {"^", 5},  {"&", 6},  {"==", 7}, {"!=", 7}, {"<", 8},  {">", 8},
      {"<=", 8}, {">=", 8}, {"<<", 9}, {">>", 9}, {"+", 10}, {"-", 10}, {"*", 11}, {"/", 11}, {"%", 11}};
  auto found = strengths.find(op);
  return found == strengths.end() ? 0 : found->second;
}

namespace {

/// A name or a number.
bool isWord(const std::string& text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](unsigned char letter) {
    return std::isalnum(letter) != 0 || letter == '_';
  });
}

/// Binding strength of C's operators: a larger number binds tighter.
int precedence(const Expr& expr) {
  switch (expr.kind) {
  case Expr::Kind::Assign:
    return 0;
  case Expr::Kind::Conditional:
    return 1;
  case Expr::Kind::Binary:
    return bindingStrength(expr.text);
  case Expr::Kind::Unary:
  case Expr::Kind::Cast:
    return 12;
  case Expr::Kind::Affine:
    return isWord(expr.text) ? 13 : 1;
  case Expr::Kind::Opaque:
    return -1;
  default:
    return 13;
  }
}

std::string textAtLeast(const Expr& expr, int needed) {
  std::string text = exprText(expr);
  return precedence(expr) < needed ? "(" + text + ")" : text;
}

} // namespace

std::string exprText(const Expr& expr) {
  switch (expr.kind) {
  case Expr::Kind::Literal:
  case Expr::Kind::Index:
  case Expr::Kind::Opaque:
    return expr.text;
  case Expr::Kind::Affine:
    return expr.text.empty() ? printed(*expr.value) : expr.text;
  case Expr::Kind::Access:
  case Expr::Kind::Local: {
    std::string text = expr.text;
    for (const ExprPtr& subscript : expr.operands)
      text += "[" + exprText(*subscript) + "]";
    return text;
  }
  case Expr::Kind::Unary: {
    std::string operand = textAtLeast(*expr.operands[0], 12);
    // `-` and `-x` must not run together into `--x`.
    bool merges =
        expr.text.back() == operand.front() && std::string("+-&").find(operand.front()) != std::string::npos;
    return expr.text + (merges ? "(" + operand + ")" : operand);
  }
  case Expr::Kind::Binary:
  case Expr::Kind::Assign: {
    int own = precedence(expr);
    return textAtLeast(*expr.operands[0], own) + " " + expr.text + " " +
           textAtLeast(*expr.operands[1], own + 1);
  }
  case Expr::Kind::Conditional:
    return textAtLeast(*expr.operands[0], 2) + " ? " + exprText(*expr.operands[1]) + " : " +
           textAtLeast(*expr.operands[2], 1);
  case Expr::Kind::Cast:
    return "(" + expr.type.spelling + ")" + textAtLeast(*expr.operands[0], 12);
  case Expr::Kind::Call: {
    std::string text = expr.text + "(";
    for (std::size_t k = 0; k < expr.operands.size(); ++k)
      text += (k ? ", " : "") + exprText(*expr.operands[k]);
    return text + ")";
  }
  case Expr::Kind::Member: {
    std::string text = textAtLeast(*expr.operands[0], 13) + "." + expr.text;
    for (std::size_t k = 1; k < expr.operands.size(); ++k)
      text += "[" + exprText(*expr.operands[k]) + "]";
    return text;
  }
  case Expr::Kind::Aggregate: {
    std::string text = "{";
    for (std::size_t k = 0; k < expr.operands.size(); ++k)
      text += (k ? ", " : "") + exprText(*expr.operands[k]);
    return text + "}";
  }
  }
  return expr.text;
}

} // namespace warploom
