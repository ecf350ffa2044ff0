#include "analysis/Updates.h"

#include <set>

namespace warploom {

std::optional<Update> updateOf(const Statement& statement) {
  if (!statement.body || statement.body->kind != Expr::Kind::Assign) return std::nullopt;
  return updateOf(*statement.body);
}

std::optional<Update> updateOf(const Expr& assign) {
  static const std::set<std::string> operations = {"+", "-", "*", "&", "|", "^"};
  const Expr &target = *assign.operands[0], &value = *assign.operands[1];
  std::string op = assign.text.substr(0, assign.text.size() - 1);
  const Expr* combined = &value;
  if (op.empty()) {
    if (value.kind != Expr::Kind::Binary) return std::nullopt;
    op = value.text;
    if (sameExpr(*value.operands[0], target))
      combined = value.operands[1].get();
    else if (op != "-" && sameExpr(*value.operands[1], target))
      combined = value.operands[0].get();
    else
      return std::nullopt;
  }
  if (operations.count(op) == 0) return std::nullopt;
  // Rounded at every step, the result depends on the order.
  if (target.type.isInteger() && combined->type.isFloating()) return std::nullopt;
  return Update{op == "-" ? "+" : op, combined, op == "-"};
}

} // namespace warploom
