#include "transform/RowLoop.h"

#include <map>

namespace warploom {

namespace {

/// `code` without blocks around single pieces, and its pieces in order.
void flatten(const CodePtr& code, std::vector<CodePtr>& pieces) {
  if (code->kind != Code::Kind::Block) return pieces.push_back(code);
  for (const CodePtr& child : code->children)
    flatten(child, pieces);
}

std::vector<CodePtr> pieces(const CodePtr& code) {
  std::vector<CodePtr> result;
  flatten(code, result);
  return result;
}

bool isLocal(const Expr& value, const std::string& name) {
  return value.kind == Expr::Kind::Local && value.text == name && value.operands.empty();
}

/// `value` with variables replaced by what they are.
ExprPtr substituted(const ExprPtr& value, const std::map<std::string, ExprPtr>& variables) {
  if (value->kind == Expr::Kind::Local && value->operands.empty())
    if (auto found = variables.find(value->text); found != variables.end()) return found->second;
  auto result = std::make_shared<Expr>(*value);
  for (ExprPtr& operand : result->operands)
    operand = substituted(operand, variables);
  return result;
}

/// True for `k += 1`, `k = k + 1` and `k = 1 + k`.
bool isStepByOne(const Expr& step, const std::string& counter) {
  if (step.kind != Expr::Kind::Assign || !isLocal(*step.operands[0], counter)) return false;
  auto isOne = [](const Expr& value) {
    const Expr& inner = withoutWidening(value);
    return inner.kind == Expr::Kind::Literal && inner.text == "1";
  };
  const Expr& value = withoutWidening(*step.operands[1]);
  if (step.text == "+=") return isOne(value);
  if (step.text != "=" || value.kind != Expr::Kind::Binary || value.text != "+") return false;
  const Expr &left = withoutWidening(*value.operands[0]), &right = withoutWidening(*value.operands[1]);
  return (isLocal(left, counter) && isOne(right)) || (isOne(left) && isLocal(right, counter));
}

} // namespace

const Expr& withoutWidening(const Expr& value) {
  if (value.kind != Expr::Kind::Cast) return value;
  const Type &to = value.type, &from = value.operands[0]->type;
  const bool keeps = to.isInteger() && to.kind == from.kind && to.bits >= from.bits;
  return keeps ? withoutWidening(*value.operands[0]) : value;
}

std::optional<RowLoop> rowLoop(const Statement& statement) {
  if (statement.kind != Statement::Kind::Opaque || !statement.code || !statement.guards.empty())
    return std::nullopt;
  const std::vector<CodePtr> outer = pieces(statement.code);
  if (outer.size() < 2 || outer[0]->kind != Code::Kind::Declare || !outer[0]->extents.empty() ||
      outer.back()->kind != Code::Kind::Loop)
    return std::nullopt;
  RowLoop row{outer[0]->name, outer[0]->value, nullptr, nullptr};
  // Declared elsewhere, it gets its first value by an assignment.
  const bool isAssigned = outer.size() == 3 && !row.begin && outer[1]->kind == Code::Kind::Evaluate &&
                          outer[1]->value->text == "=" && isLocal(*outer[1]->value->operands[0], row.counter);
  if (isAssigned) row.begin = outer[1]->value->operands[1];
  const Code& loop = *outer.back();
  if (!row.begin || outer.size() != (isAssigned ? 3 : 2) || loop.testsLast || !loop.value ||
      loop.steps.size() != 1 || loop.children.size() != 1 || !isStepByOne(*loop.steps[0], row.counter))
    return std::nullopt;
  const Expr& test = *loop.value;
  if (test.kind != Expr::Kind::Binary) return std::nullopt;
  if (test.text == "<" && isLocal(withoutWidening(*test.operands[0]), row.counter))
    row.end = test.operands[1];
  else if (test.text == ">" && isLocal(withoutWidening(*test.operands[1]), row.counter))
    row.end = test.operands[0];
  else
    return std::nullopt;
  // Variables have their first value for good.
  std::map<std::string, ExprPtr> variables;
  for (const CodePtr& piece : pieces(loop.children[0])) {
    if (row.assignment) return std::nullopt;
    if (piece->kind == Code::Kind::Declare && piece->value && piece->extents.empty() &&
        piece->value->type.kind == piece->type.kind && piece->value->type.bits == piece->type.bits)
      variables[piece->name] = substituted(piece->value, variables);
    else if (piece->kind == Code::Kind::Evaluate && piece->value->operands[0]->kind == Expr::Kind::Access)
      row.assignment = substituted(piece->value, variables);
    else
      return std::nullopt;
  }
  if (!row.assignment) return std::nullopt;
  return row;
}

} // namespace warploom
