#include "model/Code.h"

namespace warploom {

namespace {

/// Follows one variable through code: whether it may be read before the code has given it a value.
class FirstUse {
public:
  explicit FirstUse(std::string variable) : variable(std::move(variable)) {}
  bool readsFirst(const Code& code) {
    walk(code, false);
    return found;
  }

private:
  void read(const Expr& expr, bool assigned) {
    if (expr.kind == Expr::Kind::Local && expr.text == variable && !assigned) found = true;
    for (const ExprPtr& operand : expr.operands)
      read(*operand, assigned);
  }
  /// Whether the variable certainly has a value after `assign`.
  bool evaluate(const Expr& assign, bool assigned) {
    const Expr& target = *assign.operands[0];
    read(*assign.operands[1], assigned);
    bool whole = target.kind == Expr::Kind::Local && target.text == variable && target.operands.empty();
    if (whole && assign.text == "=") return true;
    if (target.kind == Expr::Kind::Access)
      for (const ExprPtr& subscript : target.operands)
        read(*subscript, assigned);
    else
      read(target, assigned);
    return assigned;
  }
  bool walk(const Code& code, bool assigned) {
    switch (code.kind) {
    case Code::Kind::Block:
      for (const CodePtr& child : code.children)
        assigned = walk(*child, assigned);
      return assigned;
    case Code::Kind::Evaluate:
      return evaluate(*code.value, assigned);
    case Code::Kind::If: {
      read(*code.value, assigned);
      bool yes = walk(*code.children[0], assigned);
      bool no = code.children.size() > 1 ? walk(*code.children[1], assigned) : assigned;
      return yes && no;
    }
    case Code::Kind::Loop: {
      if (code.value && !code.testsLast) read(*code.value, assigned);
      // `continue` may come here before the end of the body.
      bool before = assigned, skips = false;
      auto look = [&](const Code& part, const auto& self) -> void {
        skips |= part.kind == Code::Kind::Continue;
        for (const CodePtr& child : part.children)
          if (child->kind != Code::Kind::Loop) self(*child, self);
      };
      look(*code.children[0], look);
      bool after = walk(*code.children[0], assigned);
      if (skips) after = before;
      for (const ExprPtr& step : code.steps)
        after = evaluate(*step, after);
      if (code.value && code.testsLast) read(*code.value, after);
      return before;
    }
    case Code::Kind::Break:
    case Code::Kind::Continue:
      return true; // what follows is not reached
    case Code::Kind::Declare:
    case Code::Kind::Return:
      if (code.value) read(*code.value, assigned);
      return assigned || code.kind == Code::Kind::Return;
    }
    return assigned;
  }
  std::string variable;
  bool found = false;
};

} // namespace

void forEachExpr(const Code& code, const std::function<void(const Expr&)>& visit) {
  if (code.value) visit(*code.value);
  for (const ExprPtr& step : code.steps)
    visit(*step);
  for (const CodePtr& child : code.children)
    forEachExpr(*child, visit);
}

bool mayReadFirst(const Code& code, const std::string& variable) {
  return FirstUse(variable).readsFirst(code);
}

CodePtr withExprs(const Code& code, const std::function<ExprPtr(const ExprPtr&)>& change) {
  auto changed = std::make_shared<Code>(code);
  if (changed->value) changed->value = change(changed->value);
  for (ExprPtr& step : changed->steps)
    step = change(step);
  for (CodePtr& child : changed->children)
    child = withExprs(*child, change);
  return changed;
}

} // namespace warploom
